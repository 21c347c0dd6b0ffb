import { parentPort, workerData } from "node:worker_threads";
import type { FromScanWorker, ScanWorkerData, ToScanWorker } from "./messages.ts";
import { Scanner } from "./scanner.ts";

/** The thread that finds and reads sessions, so that the screen's thread never waits for a disk. */
const port = parentPort;
if (!port) throw new Error("scan-worker runs in a worker thread only");
// Given by `openCatalog`.
const data = workerData as ScanWorkerData;
const post = (message: FromScanWorker) => port.postMessage(message);
const scanner = new Scanner({
	places: data.places,
	cacheDir: data.cacheDir,
	tell: (event) => post({ type: "event", event }),
});

async function handle(message: ToScanWorker): Promise<void> {
	switch (message.type) {
		case "start":
			await scanner.open(message.seen);
			await scanner.refresh();
			post({ type: "listed" });
			break;
		case "refresh":
			await scanner.refresh();
			post({ type: "refreshed", request: message.request });
			break;
		case "look":
			break;
		case "close":
			scanner.close();
			port?.close();
	}
}

port.on("message", (message: ToScanWorker) => {
	handle(message).catch((error: unknown) => {
		// A bug: let it end the thread, and through its "error" event reach whoever opened the catalog.
		queueMicrotask(() => {
			throw error;
		});
	});
});
