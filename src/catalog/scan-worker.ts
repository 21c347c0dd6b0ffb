import { parentPort, workerData } from "node:worker_threads";
import { isDamage } from "./index/sqlite-error.ts";
import type { FromScanWorker, ScanWorkerData, ToScanWorker } from "./messages.ts";
import { rootOf } from "./places.ts";
import { Scanner } from "./scanner.ts";
import type { IndexedText } from "./texts/text-indexer.ts";
import { TextKeeper } from "./texts/text-keeper.ts";
import { Watch } from "./watch.ts";

/** The thread that finds, reads and watches sessions, so that the screen's thread never waits for a disk. */
const port = parentPort;
if (!port) throw new Error("scan-worker runs in a worker thread only");
// Given by `openCatalog`.
const data = workerData as ScanWorkerData;

/** All is compared this often, in milliseconds: what is not watched, and everything where watching is not possible. */
const COMPARE_MS = { watched: 30_000, unwatched: 3_000 };
/** Running programs are looked for this often, in milliseconds. */
const LIVE_MS = 5_000;
/** Directories of so many of the newest sessions are watched from the beginning. */
const RECENT = 16;

const post = (message: FromScanWorker) => port.postMessage(message);
const { places, cacheDir } = data;
const scanner = new Scanner({ places, cacheDir, tell: (event) => post({ type: "event", event }) });
let texts: TextKeeper | undefined;
let watch: Watch | undefined;
let comparing: NodeJS.Timeout | undefined;
let looking: NodeJS.Timeout | undefined;
let closed = false;
let recovered = false;

async function start(seen: number): Promise<void> {
	const indexDir = await scanner.open(seen);
	if (indexDir !== cacheDir) post({ type: "moved", indexDir });
	const { files } = await scanner.refresh();
	post({ type: "listed" });
	if (closed) return;
	scanner.store();
	if (data.watch) await startWatch(files.slice(0, RECENT).map((file) => file.path));
	await startTexts();
}

async function startTexts(): Promise<void> {
	if (!data.texts || closed) return;
	const onProgress = (complete: boolean) => post({ type: "texts", complete });
	if (!scanner.db) return onProgress(true);
	const onStored = (path: string, text: IndexedText) => scanner.takeRow(path, text);
	const onDue = () => run(async () => texts?.run());
	texts = new TextKeeper({ db: scanner.db, place: rootOf(places), turns: scanner.turns, onStored, onDue, onProgress });
	await texts.run();
}

async function startWatch(recent: readonly string[]): Promise<void> {
	watch = new Watch({
		places,
		onFiles: (paths) => {
			run(async () => {
				scanner.readNow(paths);
				tellLive();
				await texts?.run();
			});
		},
		onOther: () => run(compare),
		onProblems: (problems) => scanner.outbox.problems("watch", problems),
	});
	await watch.start(recent);
	scheduleCompare();
	tellLive();
	looking = setInterval(tellLive, LIVE_MS);
}

function tellLive(): void {
	const paths = scanner.live.news(() => scanner.newest());
	if (paths) post({ type: "live", paths });
}

/** Compares everything, watches where something new was found, and stores its text. */
async function compare(): Promise<void> {
	const { files } = await scanner.refresh();
	if (closed) return;
	scanner.store();
	watch?.look(files.slice(0, RECENT).map((file) => file.path));
	await texts?.run();
}

function scheduleCompare(): void {
	clearTimeout(comparing);
	if (closed) return;
	const wait = watch?.works ? COMPARE_MS.watched : COMPARE_MS.unwatched;
	comparing = setTimeout(() => run(() => compare().finally(scheduleCompare)), wait);
}

async function close(): Promise<void> {
	closed = true;
	clearTimeout(comparing);
	clearInterval(looking);
	await watch?.close();
	await texts?.close();
	await scanner.close();
	port?.close();
}

async function handle(message: ToScanWorker): Promise<void> {
	switch (message.type) {
		case "start":
			return start(message.seen);
		case "refresh":
			await scanner.refresh();
			post({ type: "refreshed", request: message.request });
			if (closed) return;
			scanner.store();
			return texts?.run();
		case "look":
			return watch?.look(message.paths);
		case "close":
			return close();
	}
}

/** Damage of the index is mended once; any other failure is a bug: it ends the thread, and so reaches the catalog. */
function run(action: () => Promise<void>): void {
	action()
		.catch((error: unknown) => {
			if (!isDamage(error) || recovered || closed) throw error;
			recovered = true;
			return recover();
		})
		.catch((error: unknown) => {
			queueMicrotask(() => {
				throw error;
			});
		});
}

async function recover(): Promise<void> {
	await texts?.close();
	texts = undefined;
	await scanner.recover();
	post({ type: "listed" });
	await startTexts();
}

port.on("message", (message: ToScanWorker) => run(() => handle(message)));
