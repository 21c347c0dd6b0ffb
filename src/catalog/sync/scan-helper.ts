import { parentPort } from "node:worker_threads";
import { CHUNK_BYTES } from "../../store/read/line-reader.ts";
import { scanFile } from "../scan/scan-file.ts";
import type { FileScan } from "./known-files.ts";
import type { FromScanHelper, ToScanHelper } from "./read-queue.ts";

/** The thread that helps the scan worker read the files of the first listing. It ends when no file is left. */
const port = parentPort;
if (!port) throw new Error("scan-helper runs in a worker thread only");

/** Scans are posted at least this often, in milliseconds. */
const MAX_WAIT_MS = 20;
/** Largest number of scans per message. */
const MAX_SCANS = 250;

const post = (message: FromScanHelper) => port.postMessage(message);

port.once("message", ({ paths, next }: ToScanHelper) => {
	const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
	let scans: FileScan[] = [];
	let since = performance.now();
	for (;;) {
		const path = paths[Atomics.add(next, 0, 1)];
		if (path === undefined) break;
		scans.push({ path, ...scanFile(path, undefined, buffer) });
		if (scans.length < MAX_SCANS && performance.now() - since < MAX_WAIT_MS) continue;
		post(scans);
		scans = [];
		since = performance.now();
	}
	post(scans);
});
