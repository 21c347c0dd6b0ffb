import { parentPort, workerData } from "node:worker_threads";
import { explain } from "../../store/files/store-error.ts";
import { isDamage } from "../index/sqlite.ts";
import type { ReadFile } from "../live/growth.ts";
import { LiveSessions, liveSources } from "../live/live-sessions.ts";
import type { CatalogProblem } from "../model/event.ts";
import { runAt } from "../model/run-place.ts";
import { rootOf } from "../model/session-roots.ts";
import { aggregateStats } from "../stats/aggregate-stats.ts";
import { cannotCount, NumbersPass } from "../stats/numbers-pass.ts";
import { countedNumbers } from "../stats/numbers-table.ts";
import type { SessionNumbers } from "../stats/session-numbers.ts";
import { PathSet } from "./path-set.ts";
import type { FromScanWorker, ScanWorkerData, StatsFiles, ToScanWorker } from "./protocol.ts";
import { MIN_BYTES } from "./read-queue.ts";
import { Scanner } from "./scanner.ts";
import { Watch } from "./watch.ts";

/** The thread that finds, reads and watches sessions, so that the screen's thread never waits for a disk. */
const port = parentPort;
if (!port) throw new Error("scan-worker runs in a worker thread only");
// Given by `openCatalog`.
const data = workerData as ScanWorkerData;

/** How often everything is compared, in milliseconds. Even where watching works, only some directories are watched. */
const COMPARE_MS = { watched: 30_000, unwatched: 3_000 };
/** How often running pi processes are looked for, in milliseconds. */
const LIVE_MS = 5_000;
/** How often to check whether known pi processes have ended, in milliseconds. */
const ENDED_MS = 1_000;
/** The directories of this many of the newest sessions are watched from the start. */
const RECENT = 16;

const post = (message: FromScanWorker) => port.postMessage(message);
const { sessionRoots, cacheDir } = data;
const live = new LiveSessions({
	...liveSources(data.stateDir, data.processes, sessionRoots),
	isRun: (path) => runAt(path, scanner.sessionRoots) !== undefined,
});
const scanner = new Scanner({
	sessionRoots,
	cacheDir,
	emit: (event) => post({ type: "event", event }),
	onDamage: () => run(rebuild),
	onRead,
	onProjects: (roots) => post({ type: "roots", sessionRoots: roots }),
});
let numbers: NumbersPass | undefined;
let watch: Watch | undefined;
let compareTimer: NodeJS.Timeout | undefined;
let liveTimer: NodeJS.Timeout | undefined;
let endedTimer: NodeJS.Timeout | undefined;
/** The sessions visible on the screen. */
let visible: readonly string[] = [];
let paused = false;
let counting = false;
let closed = false;
/** Whether the first listing is done: earlier changes were not watched. */
let listed = false;
/** Number of replacements of the index in progress: until they end, what is known is incomplete. */
let rebuilding = 0;
/** Sessions that could not be counted because of a bug. */
const uncounted = new Map<string, CatalogProblem>();

async function start(seen: number): Promise<void> {
	await scanner.open(seen);
	const { files } = await scanner.refresh();
	listed = true;
	// Whoever lists only once wants all of them; a screen does not wait for these.
	if (!data.watch) await scanner.refreshProjects({ all: false });
	reportListed();
	if (closed) return;
	scanner.store();
	if (data.watch) await scanner.refreshProjects({ all: true });
	if (closed) return;
	if (data.watch) await startWatch(files.slice(0, RECENT).map((file) => file.path));
	startNumbers();
}

function reportListed(): void {
	// During a rebuild, it is reported at the end.
	if (rebuilding === 0) post({ type: "listed", signature: new PathSet(scanner.paths()).signature });
}

function startNumbers(): void {
	// Without an index, one is being made, and this is called again.
	if (!data.numbers || closed || numbers || !scanner.db) return;
	numbers = new NumbersPass({
		db: scanner.db,
		root: rootOf(sessionRoots),
		timeSlice: scanner.timeSlice,
		...(!data.watch && { helpFrom: MIN_BYTES }),
		onRow: (path, row) => scanner.correctRow(path, row),
		onCounts(counts) {
			scanner.flush();
			post({ type: "event", event: { type: "counts", counts } });
		},
		onDue: count,
		onProgress: (counted, total) => post({ type: "event", event: { type: "counting", counted, total } }),
		onProblem: (path, error) => {
			uncounted.set(path, cannotCount(path, error));
			scanner.events.problems("counting", [...uncounted.values()]);
		},
		onDone() {
			scanner.flush();
			post({ type: "counted" });
		},
	});
	numbers.pause(paused);
	count();
}

/** Counts what is missing. Nothing awaits this, so it may take long, and longer while a search is running. */
function count(): void {
	if (counting || closed) return;
	counting = true;
	const db = scanner.db;
	run(async () => {
		try {
			await numbers?.run();
		} catch (error) {
			// If the index was abandoned meanwhile, the next one is counted instead.
			if (isDamage(error)) scanner.abandonIndex();
			else if (scanner.db === db) throw error;
		} finally {
			counting = false;
		}
	});
}

/** Summed up here: transferring the numbers of all sessions would take the screen's thread too long. */
function postStats(request: number, { paths, cwds, sizes, runs }: StatsFiles): void {
	let counted: ReadonlyMap<string, SessionNumbers> = new Map();
	try {
		if (scanner.db) counted = countedNumbers(scanner.db, rootOf(sessionRoots));
	} catch (error) {
		if (isDamage(error)) scanner.abandonIndex();
		else scanner.events.problems("counting", [cannotRead(error)]);
	}
	const sums = aggregateStats(
		paths.map((path, index) => ({ path, cwd: cwds[index] ?? "", size: sizes[index] ?? 0 })),
		counted,
		runs,
	);
	post({ type: "stats", request, sums });
}

function cannotRead(error: unknown): CatalogProblem {
	return { path: cacheDir, message: `Cannot read what was counted: ${explain(error)}. Try again.` };
}

async function startWatch(recent: readonly string[]): Promise<void> {
	watch = new Watch({
		sessionRoots,
		isListed: (path) => scanner.isListed(path),
		onFiles: (paths) => run(async () => readWatched(paths)),
		onOther: () => run(compare),
		onProblems(problems) {
			scanner.events.problems("watch", problems);
			// The next comparison was planned for a watch that works.
			scheduleCompare();
		},
	});
	try {
		await watch.start(recent);
		watch.watchVisible(visible);
	} catch (error) {
		const path = rootOf(sessionRoots);
		const message = `Changes are noticed a few seconds late: ${path} cannot be watched: ${explain(error)}.`;
		scanner.events.problems("watch", [{ path, message }]);
		watch = undefined;
	}
	scheduleCompare();
	reportLive();
	liveTimer = setInterval(reportLive, LIVE_MS);
	endedTimer = setInterval(() => live.hasEnded() && reportLive(), ENDED_MS);
}

/** Reads sessions that other programs have written. */
function readWatched(paths: readonly string[]): void {
	scanner.readNow(paths);
	reportLive();
	count();
}

/** Records what the change of a file says about its being in use. */
function onRead(read: ReadFile): void {
	if (listed) live.changed(read);
}

/** Reads sessions that this program has changed. */
function readChanged(paths: readonly string[]): void {
	scanner.readNow(paths);
	count();
}

function reportLive(): void {
	const report = live.changes(() => scanner.newest());
	if (report) post({ type: "event", event: { type: "live", report } });
}

/** Checks some sessions and all processes, to answer a question now. */
function checkUse(request: number, paths: readonly string[]): void {
	readWatched(paths);
	post({ type: "use-checked", request, report: live.report(() => scanner.newest(), paths) });
}

/** Compares everything, watches the directories of the newest sessions, and counts what is missing. */
async function compare(): Promise<void> {
	const { files } = await scanner.refresh();
	if (closed) return;
	reportLive();
	scanner.store();
	await scanner.refreshProjects({ all: true });
	if (closed) return;
	scanner.store();
	watch?.watchVisible([...files.slice(0, RECENT).map((file) => file.path), ...visible]);
	count();
}

function scheduleCompare(): void {
	clearTimeout(compareTimer);
	if (closed) return;
	const wait = watch?.works ? COMPARE_MS.watched : COMPARE_MS.unwatched;
	compareTimer = setTimeout(() => run(() => compare().finally(scheduleCompare)), wait);
}

async function close(): Promise<void> {
	closed = true;
	clearTimeout(compareTimer);
	clearInterval(liveTimer);
	clearInterval(endedTimer);
	await watch?.close();
	await numbers?.close();
	await scanner.close();
	// Not left to the event loop: if files are deleted while chokidar 5.0.0 closes, its `_remove` calls `add`, which
	// watches their directory again, for good.
	process.exit();
}

async function handle(message: ToScanWorker): Promise<void> {
	switch (message.type) {
		case "start":
			return start(message.seen);
		case "refresh":
			await scanner.refresh();
			await scanner.refreshProjects({ all: true });
			post({ type: "answered", request: message.request });
			if (closed) return;
			scanner.store();
			return count();
		case "stats":
			return postStats(message.request, message.files);
		case "paths":
			// During a rebuild, another listing is reported at the end.
			if (rebuilding === 0) post({ type: "paths", paths: scanner.paths() });
			return;
		case "rebuild":
			return scanner.abandonIndex();
		case "changed":
			try {
				return readChanged(message.paths);
			} finally {
				post({ type: "answered", request: message.request });
			}
		case "check-use":
			return checkUse(message.request, message.paths);
		case "watch-visible":
			visible = message.paths;
			return watch?.watchVisible(visible);
		case "pause":
			paused = message.paused;
			return numbers?.pause(paused);
		case "close":
			return close();
	}
}

/**
 * A problem with one file, one directory or the index is handled where it occurs. Any other failure is a bug: it ends the
 * thread, and so reaches the catalog, which restarts it.
 */
function run(action: () => Promise<void>): void {
	action().catch((error: unknown) => {
		queueMicrotask(() => {
			throw error;
		});
	});
}

/** Makes a new index in place of a damaged one, and reads and counts all sessions again. */
async function rebuild(): Promise<void> {
	const damaged = numbers;
	rebuilding += 1;
	// Cleared first, so that nothing is counted there while it closes.
	numbers = undefined;
	await damaged?.close();
	await scanner.replaceIndex();
	rebuilding -= 1;
	// If the new one was damaged too, it is already being replaced.
	if (closed || !scanner.db) return;
	reportListed();
	startNumbers();
}

port.on("message", (message: ToScanWorker) => run(() => handle(message)));
