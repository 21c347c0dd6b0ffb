import { type ResourceLimits, Worker } from "node:worker_threads";

/**
 * V8 lets the heap of a thread grow to four times what is in use, but only to twice that if it may not become larger than this, in
 * MB. No thread comes near it: a line of a session is parsed up to 64 MB.
 */
const LARGEST_HEAP_MB = 1000;

/**
 * What V8 may use for the threads of this program. It lets the nursery of each grow to a hundred MB for garbage, and never shrinks
 * it: listing 1.3 GB for the first time took 485 MB at the peak without any of this, 400 MB without the limits of the threads.
 */
const LIMITS = {
	/** Lists and counts. */
	scan: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: LARGEST_HEAP_MB },
	search: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: LARGEST_HEAP_MB },
	/** Reading a session of a million entries takes a large heap. */
	store: { maxYoungGenerationSizeMb: 24 },
} as const satisfies Record<string, ResourceLimits>;

export function startThread(url: URL, kind: keyof typeof LIMITS, workerData?: unknown): Worker {
	// Without this process's arguments: --input-type, for example, would keep the thread from starting.
	return new Worker(url, { execArgv: [], resourceLimits: LIMITS[kind], workerData });
}

/** Starts a program in a thread, with these arguments, and with what it prints as streams instead of on those of this process. */
export function startProgram(path: string, args: readonly string[]): Worker {
	return new Worker(path, { argv: [...args], execArgv: [], stdout: true, stderr: true });
}

/**
 * Keeps the nursery of the thread that has no limits as small as it starts, and lets heaps grow by so many percent of what is in use
 * before they are collected, instead of to a multiple of it. With 100,000 sessions the browser takes 530 MB, without this 1,010; while
 * 1.3 GB are listed for the first time and searched 276 MB, with a nursery that grows 366. With 35 %, for commands that go through all
 * messages, what a session of 100,000 entries changed takes 255 MB instead of 400, in hardly more processor time.
 *
 * Called once, before the browser is loaded: V8 takes compiled code only with the settings that it was made with (`compiled-code.ts`).
 * A start takes some 15 ms more, because modules of Node that are loaded later are compiled again.
 */
export function keepHeapSmall(growth = 50): void {
	// Loads Node's streams: commands that do not need it must not.
	const { setFlagsFromString } = process.getBuiltinModule("node:v8");
	setFlagsFromString("--semi-space-growth-factor=1");
	setFlagsFromString(`--heap-growing-percent=${growth}`);
}
