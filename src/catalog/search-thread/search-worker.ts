import { parentPort } from "node:worker_threads";
import { RipgrepError } from "../search/find-ripgrep.ts";
import { NO_HITS, type SessionHits, type SessionsWith } from "../search/search.ts";
import { Searcher } from "../search/searcher.ts";
import { UseFinder } from "../uses/use-finder.ts";
import type { FromSearchWorker, ToSearchWorker } from "./protocol.ts";

/** The thread that reads and compares what ripgrep finds, so that typing is never blocked. */
const port = parentPort;
if (!port) throw new Error("search-worker runs in a worker thread only");
const post = (message: FromSearchWorker) => port.postMessage(message);
const onProcess = (pid: number, running: boolean) => post({ type: "process", pid, running });
const searcher = new Searcher((request, event) => post({ type: "event", request, event }), onProcess);
const finder = new UseFinder((request, event) => post({ type: "uses", request, event }), onProcess);

async function handle(message: ToSearchWorker): Promise<void> {
	switch (message.type) {
		case "files":
			return searcher.update(message.files);
		case "gone":
			return searcher.remove(message.paths);
		case "search":
			return searcher.search(message.request, message.query);
		case "stop":
			return searcher.stop();
		case "watch-visible":
			return searcher.watchVisible(message.paths, message.watched);
		case "ping":
			return post({ type: "pong" });
		case "hits":
			return answer(message.request, searcher.hits(message.query, message.path), NO_HITS);
		case "each":
			return answer(message.request, searcher.searchEach(message.queries), []);
		case "uses":
			return finder.ask(message.request, message.wanted, message.searched);
		case "stop-uses":
			return finder.stop();
		case "close":
			await Promise.all([searcher.close(), finder.close()]);
			process.exit();
	}
}

async function answer<Answer extends SessionHits | readonly SessionsWith[]>(
	request: number,
	working: Promise<Answer>,
	nothing: Answer,
): Promise<void> {
	// The list's search has already reported a failure.
	const ended = await working.catch((error: unknown) => {
		if (!(error instanceof RipgrepError)) throw error;
		return nothing;
	});
	post({ type: "answer", request, answer: ended });
}

// Tells the client that from now on this thread must answer immediately.
post({ type: "pong" });

port.on("message", (message: ToSearchWorker) => {
	handle(message).catch((error: unknown) => {
		// A bug: let it end the thread, so that the client gets an "error" event.
		queueMicrotask(() => {
			throw error;
		});
	});
});
