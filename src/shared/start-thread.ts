import { type ResourceLimits, Worker } from "node:worker_threads";
import { holdV8Flags } from "./v8-flags.ts";

/** Time in which a thread that runs loads its modules. Those that it loads later are compiled anew, which is only slower. */
const LOADING_MS = 50;

/** Starts a thread of this program, with the settings of V8 that Node's own code was compiled with (`v8-flags.ts`). */
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

/** Starts a program in a thread, with these arguments, and with what it prints as streams instead of on those of this process. */
export function startProgram(path: string, args: readonly string[]): Worker {
	return new Worker(path, { argv: [...args], execArgv: [], stdout: true, stderr: true });
}
