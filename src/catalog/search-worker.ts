import { parentPort, workerData } from "node:worker_threads";
import { openExistingIndex } from "./index/open-index.ts";
import type { FromSearchWorker, SearchWorkerData, ToSearchWorker } from "./messages.ts";
import { parseQuery } from "./query/parse-query.ts";
import { KeptText } from "./search/kept-text.ts";
import type { SearchEvent } from "./search/search.ts";
import { searchRunSteps } from "./search/search-run.ts";
import { sessionHitsSteps } from "./search/session-hits.ts";
import { TextReader } from "./search/text-reader.ts";
import { Turns } from "./turns.ts";

/** A thread that searches a share of the sessions, so that typing is never blocked. */
const port = parentPort;
if (!port) throw new Error("search-worker runs in a worker thread only");
// Given by `SearchClient`.
const { place, share, ...given } = workerData as SearchWorkerData;
let { cacheDir } = given;
const post = (message: FromSearchWorker) => port.postMessage(message);
const turns = new Turns();
let db: Awaited<ReturnType<typeof openExistingIndex>>;
/** Each search takes a new number; one that finds another number has been replaced. */
let current = 0;
let asked: Extract<ToSearchWorker, { type: "search" }> | undefined;

let opened: { readonly reader: TextReader; readonly kept: KeptText } | undefined;

async function reader() {
	db ??= await openExistingIndex(cacheDir);
	if (db && !opened) {
		const text = new TextReader(db, place, share);
		opened = { reader: text, kept: new KeptText(text, share.parts) };
	}
	return opened;
}

async function search(): Promise<void> {
	const mine = ++current;
	const running = asked;
	if (!running) return;
	const tell = (event: SearchEvent) => post({ type: "event", request: running.request, json: JSON.stringify(event) });
	const index = await reader();
	if (!index) {
		// Not built yet: the catalog asks again as soon as there is text to search.
		return tell({ type: "progress", phase: "done", searched: 0, total: 0 });
	}
	for (const _step of searchRunSteps(index.reader, index.kept, running.query, running.locate, tell)) {
		if (turns.due()) await turns.take();
		if (mine !== current) return;
	}
}

async function hits(request: number, query: string, path: string): Promise<void> {
	const index = await reader();
	const parsed = parseQuery(query);
	const session = index?.reader.sessionAt(path);
	const found =
		index && session && "query" in parsed ? await turns.run(sessionHitsSteps(index.reader, parsed.query, session)) : [];
	post({ type: "hits", request, hits: found });
}

async function handle(message: ToSearchWorker): Promise<void> {
	switch (message.type) {
		case "search":
			asked = message;
			return search();
		case "again":
			return search();
		case "move":
			current += 1;
			db?.close();
			db = undefined;
			opened = undefined;
			cacheDir = message.cacheDir;
			return search();
		case "stop":
			current += 1;
			asked = undefined;
			return;
		case "hits":
			return hits(message.request, message.query, message.path);
		case "close":
			current += 1;
			db?.close();
			port?.close();
	}
}

port.on("message", (message: ToSearchWorker) => {
	handle(message).catch((error: unknown) => {
		// A bug: let it end the thread, and through its "error" event reach whoever searches.
		queueMicrotask(() => {
			throw error;
		});
	});
});
