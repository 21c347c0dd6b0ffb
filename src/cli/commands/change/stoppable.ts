import type { LongWork } from "../../../changes/engine/long-work.ts";
import { SIGNAL_CODES } from "../../../terminal/exit-signals.ts";

/** What came of work, and the exit code of the signal that asked for its end, if one did. */
export interface Stopped<Result> {
	readonly result: Result;
	readonly code?: number;
}

/**
 * Waits for changes: a signal has them stop between two sessions, so that what is done is whole, is noted, and is one step
 * for undo. A second one ends the program at once; then the next undo finds out from the files what was done.
 */
export async function stoppable<Result>(work: LongWork, changes: Promise<Result>): Promise<Stopped<Result>> {
	let code: number | undefined;
	const stop = (signal: NodeJS.Signals): void => {
		if (code !== undefined) process.exit(SIGNAL_CODES.get(signal) ?? 1);
		code = SIGNAL_CODES.get(signal);
		work.stop();
	};
	for (const signal of SIGNAL_CODES.keys()) process.on(signal, stop);
	try {
		const result = await changes;
		return code === undefined ? { result } : { result, code };
	} finally {
		for (const signal of SIGNAL_CODES.keys()) process.off(signal, stop);
	}
}
