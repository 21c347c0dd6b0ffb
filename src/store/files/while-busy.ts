import { type RmOptions, renameSync, rmSync, unlinkSync } from "node:fs";
import { rename, rm, unlink } from "node:fs/promises";
import { type System, thisSystem } from "../../shared/system.ts";
import { errorCode } from "./store-error.ts";

/** What Windows says of a file that a virus scanner, another window or Git has open for a moment. */
const BUSY: ReadonlySet<string> = new Set(["EPERM", "EBUSY", "EACCES"]);

/** Milliseconds between attempts: two seconds together. */
const PAUSES_MS = [10, 20, 40, 80, 150, 300, 500, 900];

/** The pause before a call is made again; throws the error where waiting does not help. `attempts`: how many have failed. */
function pauseAfter(error: unknown, attempts: number, { isUnix }: System): number {
	const pause = PAUSES_MS[attempts - 1];
	if (isUnix || pause === undefined || !BUSY.has(errorCode(error))) throw error;
	return pause;
}

/** Makes a call that Windows refuses while a file is busy; up to two seconds later, it rejects as the call does. */
export async function whileBusy<Result>(call: () => Promise<Result>, system = thisSystem): Promise<Result> {
	for (let attempts = 1; ; attempts++) {
		try {
			return await call();
		} catch (error) {
			const pause = pauseAfter(error, attempts, system);
			await new Promise((resolve) => setTimeout(resolve, pause));
		}
	}
}

/** The same for a call that returns at once; meanwhile this thread stands still. */
export function whileBusySync<Result>(call: () => Result, system = thisSystem): Result {
	for (let attempts = 1; ; attempts++) {
		try {
			return call();
		} catch (error) {
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseAfter(error, attempts, system));
		}
	}
}

// No other module renames or removes a file without that patience (`test/architecture.test.ts`).
export const renamePath = (from: string, to: string): Promise<void> => whileBusy(() => rename(from, to));
export const removePath = (path: string, options?: RmOptions): Promise<void> => whileBusy(() => rm(path, options));
/** Unlike `rm`, it says what was the matter: that takes what it may not remove for a directory. */
export const unlinkPath = (path: string): Promise<void> => whileBusy(() => unlink(path));
export const renamePathSync = (from: string, to: string): void => whileBusySync(() => renameSync(from, to));
export const removePathSync = (path: string, options?: RmOptions): void => whileBusySync(() => rmSync(path, options));
export const unlinkPathSync = (path: string): void => whileBusySync(() => unlinkSync(path));
