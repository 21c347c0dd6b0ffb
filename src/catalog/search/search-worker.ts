import { parentPort } from "node:worker_threads";
import { RipgrepError } from "./find-ripgrep.ts";
import type { FromSearchWorker, ToSearchWorker } from "./protocol.ts";
import { NO_HITS } from "./search.ts";
import { Searcher } from "./searcher.ts";

/** The thread that reads and compares what ripgrep finds, so that typing is never blocked. */
const port = parentPort;
if (!port) throw new Error("search-worker runs in a worker thread only");
const post = (message: FromSearchWorker) => port.postMessage(message);
const searcher = new Searcher(
	(request, event) => post({ type: "event", request, event }),
	(pid, running) => post({ type: "process", pid, running }),
);

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
		case "close":
			await searcher.close();
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
