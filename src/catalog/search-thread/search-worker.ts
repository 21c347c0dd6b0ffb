import { parentPort } from "node:worker_threads";
import { RipgrepError } from "../search/find-ripgrep.ts";
import { NO_HITS } from "../search/search.ts";
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
			try {
				return post({
					type: "hits",
					request: message.request,
					found: await searcher.hits(message.query, message.path),
				});
			} catch (error) {
				if (!(error instanceof RipgrepError)) throw error;
				// The search for the same query has already reported it.
				return post({ type: "hits", request: message.request, found: NO_HITS });
			}
		case "uses":
			return finder.ask(message.request, message.wanted, message.searched);
		case "stop-uses":
			return finder.stop();
		case "close":
			await Promise.all([searcher.close(), finder.close()]);
			process.exit();
	}
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
