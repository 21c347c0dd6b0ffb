import { statSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Program } from "../../app/core/program.ts";

/**
 * Rows and results stream in by the thousand; V8 grows its nursery up to 130 MB for what is garbage a moment later, and
 * does not give it back. Called after the first frame, which a small nursery would delay, and before a large session or
 * the rows of all sessions are read.
 */
export function keepNurserySmall(): void {
	setFlagsFromString("--semi-space-growth-factor=1");
}

/** Bytes of an index of some ten thousand sessions: with so many rows a growing nursery takes another 200 MB. */
const LARGE_INDEX = 64 * 1024 * 1024;

/** Called before a command holds the rows of all sessions. `index`: path of the catalog's database. */
export function keepNurserySmallFor(index: string): void {
	if (sizeOf(index) > LARGE_INDEX) keepNurserySmall();
}

/** A session of more bytes, read by a command: V8 would take several times the memory that the session needs. */
const LARGE_TO_READ = 64 * 1024 * 1024;

/**
 * Called before a command reads the session in a file. For a large one the nursery is kept small, and the heap grows by half
 * at most before garbage is collected: V8 lets it grow to four times what is in use, which is 900 MB with a million entries.
 */
export function keepHeapSmallFor(path: string): void {
	if (sizeOf(path) <= LARGE_TO_READ) return;
	keepNurserySmall();
	setFlagsFromString("--heap-growing-percent=50");
}

function sizeOf(path: string): number {
	return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Gives the system back what is garbage by now; takes a tenth of a second, for a moment in which nobody waits. */
export function giveMemoryBack(): void {
	setFlagsFromString("--expose-gc");
	const gc: unknown = runInNewContext("gc");
	setFlagsFromString("--no-expose-gc");
	if (typeof gc === "function") gc();
}

/** A session of more bytes is held by so many objects that a heap kept small would be collected again and again. */
const LARGE_SESSION = 4_000_000;

/**
 * Once the list is there, nobody waits for the threads: they may take a fifth longer to save a hundred megabytes. With a large
 * session open the same would take twice the time for every key, to save twenty; then the heap grows by half at most.
 */
export function keepHeapsSmall(program: Program): void {
	let wasLarge: boolean | undefined;
	const setFlags = (): void => {
		const { detail } = program.getState();
		const isLarge = detail.status !== "none" && detail.row.size > LARGE_SESSION;
		if (isLarge === wasLarge) return;
		wasLarge = isLarge;
		setFlagsFromString(isLarge ? "--no-optimize-for-size" : "--optimize-for-size");
		setFlagsFromString(`--heap-growing-percent=${isLarge ? 50 : 0}`);
	};
	setFlags();
	program.subscribe(setFlags);
}
