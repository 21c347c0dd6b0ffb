import { parentPort, workerData } from "node:worker_threads";
import { Indexer } from "./indexer.ts";
import type { IndexerData, ToIndexer } from "./protocol.ts";

/** The thread that finds, reads and watches sessions, so that the screen's thread never waits for a disk. */
const port = parentPort;
if (!port) throw new Error("scan-worker runs in a worker thread only");

// Given by `openCatalog`.
const indexer = new Indexer(workerData as IndexerData, {
	post: (message) => port.postMessage(message),
	// Ends the thread, and so reaches the catalog.
	onFailure: (error) =>
		queueMicrotask(() => {
			throw error;
		}),
	// Not left to the event loop: if files are deleted while chokidar 5.0.0 closes, its `_remove` calls `add`, which
	// watches their directory again, for good.
	onClosed: () => process.exit(),
});
port.on("message", (message: ToIndexer) => indexer.receive(message));
