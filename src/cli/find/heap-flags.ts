import { statSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Program } from "../../app/core/program.ts";
import { setV8Flags } from "../../shared/v8-flags.ts";

/**
 * Keeps V8's nursery small: rows and results arrive by the thousand, and V8 would let it grow to 130 MB for short-lived
 * garbage and never shrink it. Called after the first frame, which a small nursery would delay, and before a large session
 * or the rows of all sessions are read.
 */
export function keepNurserySmall(): void {
	setV8Flags({ "semi-space-growth-factor": 1 });
}

/** Size of an index of some ten thousand sessions: with that many rows, a growing nursery takes another 200 MB. */
const LARGE_INDEX = 64 * 1024 * 1024;

/** Called before a command loads the rows of all sessions. `index`: path of the catalog's database. */
export function keepNurserySmallFor(index: string): void {
	if (sizeOf(index) > LARGE_INDEX) keepNurserySmall();
}

/** For larger sessions, V8 would take several times the memory that the session needs. */
const LARGE_TO_READ = 64 * 1024 * 1024;

/**
 * Called before a command reads a session. For a large one, keeps the nursery small, and lets the heap grow by at most half
 * before garbage is collected: by default it grows to four times what is in use, which is 900 MB with a million entries.
 */
export function keepHeapSmallFor(path: string): void {
	if (sizeOf(path) <= LARGE_TO_READ) return;
	keepNurserySmall();
	setV8Flags({ "heap-growing-percent": 50 });
}

function sizeOf(path: string): number {
	return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Collects garbage and returns its memory to the system; takes a tenth of a second, so call it when nobody waits. */
export function giveMemoryBack(): void {
	setFlagsFromString("--expose-gc");
	const gc: unknown = runInNewContext("gc");
	setFlagsFromString("--no-expose-gc");
	if (typeof gc === "function") gc();
}

/** The objects of a larger open session are so many that a heap kept small would be collected again and again. */
const LARGE_SESSION = 4_000_000;

/**
 * Called once the list is complete. From then on nobody waits for the threads, which may take a fifth longer to save 100 MB. With
 * a large session open, the same setting would double the time of every key to save 20 MB; the heap may then grow by half.
 */
export function keepHeapsSmall(program: Program): void {
	let wasLarge: boolean | undefined;
	const setFlags = (): void => {
		const { detail } = program.getState();
		const isLarge = detail.status !== "none" && detail.row.size > LARGE_SESSION;
		if (isLarge === wasLarge) return;
		wasLarge = isLarge;
		setV8Flags({ "optimize-for-size": !isLarge, "heap-growing-percent": isLarge ? 50 : 0 });
	};
	setFlags();
	program.subscribe(setFlags);
}

/**
 * Called right before `process.exit`. In it the main thread waits for V8's compiling threads and collects no garbage any more, and
 * with the flag of `keepHeapsSmall` a compiling thread that has used its share of the heap waits for a collection: neither would
 * ever end (nodejs/node#54918; seen in Node 24.21). A thread that is waiting already is served by the next call of a function here.
 */
export function letCompilersFinish(): void {
	setV8Flags({ "optimize-for-size": false });
}
