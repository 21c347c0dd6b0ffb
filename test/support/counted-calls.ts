import childProcess from "node:child_process";
import fs from "node:fs";
import fsPromises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import workerThreads from "node:worker_threads";
import { onTestFinished } from "vitest";

/** What this thread has opened and started since. */
export interface CountedCalls {
	/** Paths of the session files that were opened, in order. */
	readonly opened: string[];
	/** Programs that were started, with their arguments. */
	readonly started: string[];
	/** Number of threads that were started. */
	threads: number;
}

/** Counts, until the test ends, which session files this thread opens, and which programs and threads it starts. */
export function countCalls(): CountedCalls {
	const calls: CountedCalls = { opened: [], started: [], threads: 0 };
	const { openSync } = fs;
	const { open } = fsPromises;
	const { spawn } = childProcess;
	const { Worker } = workerThreads;
	const note = (path: unknown): void => {
		if (String(path).endsWith(".jsonl")) calls.opened.push(String(path));
	};
	fs.openSync = (path, ...rest) => {
		note(path);
		return openSync(path, ...rest);
	};
	fsPromises.open = (path, ...rest) => {
		note(path);
		return open(path, ...rest);
	};
	childProcess.spawn = ((command: string, ...rest: unknown[]) => {
		calls.started.push([command, rest[0]].flat().join(" "));
		return Reflect.apply(spawn, childProcess, [command, ...rest]);
	}) as typeof spawn;
	workerThreads.Worker = class extends Worker {
		constructor(...args: ConstructorParameters<typeof Worker>) {
			super(...args);
			calls.threads++;
		}
	};
	syncBuiltinESMExports();
	onTestFinished(() => {
		fs.openSync = openSync;
		fsPromises.open = open;
		childProcess.spawn = spawn;
		workerThreads.Worker = Worker;
		syncBuiltinESMExports();
	});
	return calls;
}
