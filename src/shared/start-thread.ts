import { type ResourceLimits, Worker } from "node:worker_threads";
import { holdV8Flags } from "./v8-flags.ts";

/** A thread loads its modules as soon as it runs; if it takes longer, they are compiled a little slower. */
const LOADING_MS = 50;

/** Starts a thread of this program. */
export function startThread(url: URL, resourceLimits: ResourceLimits, workerData?: unknown): Worker {
	const release = holdV8Flags();
	try {
		// Without this process's arguments: --input-type, for example, would keep the thread from starting.
		const worker = new Worker(url, { execArgv: [], resourceLimits, workerData });
		worker.once("online", () => setTimeout(release, LOADING_MS).unref());
		worker.once("exit", release);
		return worker;
	} catch (error) {
		release();
		throw error;
	}
}
