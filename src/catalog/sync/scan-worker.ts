import { parentPort, workerData } from "node:worker_threads";
import { serveThread } from "../../shared/channel.ts";
import { Indexer } from "./indexer.ts";
import type { IndexerCalls, IndexerData, IndexerEvent } from "./protocol.ts";

/** The thread that finds, reads and watches sessions, so that the screen's thread never waits for a disk. */
serveThread<IndexerCalls, IndexerEvent>(parentPort, (emit, onFailure) => {
	// Given by `openCatalog`.
	const data = workerData as IndexerData;
	// Not left to the event loop: if files are deleted while chokidar 5.0.0 closes, its `_remove` calls `add`, which
	// watches their directory again, for good.
	return new Indexer(data, { emit, onFailure, onClosed: () => process.exit() });
});
