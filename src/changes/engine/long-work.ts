import { setImmediate as turn } from "node:timers/promises";

export interface Progress {
	/** "Moving sessions to the trash". */
	readonly what: string;
	readonly done: number;
	readonly total: number;
	/** The person has stopped it; the session in hand is finished first. */
	readonly isStopped: boolean;
}

/** Work on many sessions that shows its progress and that the person can stop between two sessions. */
export interface LongWork {
	/** Begins work on `total` sessions; `what`: "Moving sessions to the trash". */
	begin(what: string, total: number): Job;
	/** Stops all work under way before its next session. */
	stop(): void;
}

export interface Job {
	/** Reports how many sessions are done, yields to the event loop, and resolves to whether to continue. */
	goesOn(done: number): Promise<boolean>;
	end(): void;
}

/** Shorter work is not shown. */
const SHOWN_AFTER_MS = 150;
const SHOWN_EVERY_MS = 100;

/** `show`: puts the progress on the screen; undefined removes it. */
export function createLongWork(show: (progress: Progress | undefined) => void): LongWork {
	// More than one: sessions may be saved while others are changed.
	const jobs = new Set<{ isStopped: boolean }>();
	return {
		begin(what, total) {
			const job = { isStopped: false };
			jobs.add(job);
			let shownAt = performance.now() + SHOWN_AFTER_MS - SHOWN_EVERY_MS;
			let isShown = false;
			return {
				async goesOn(done) {
					await turn();
					if (performance.now() - shownAt >= SHOWN_EVERY_MS && done < total) {
						shownAt = performance.now();
						isShown = true;
						show({ what, done, total, isStopped: job.isStopped });
					}
					return !job.isStopped;
				},
				end() {
					jobs.delete(job);
					if (isShown) show(undefined);
				},
			};
		},
		stop() {
			for (const job of jobs) job.isStopped = true;
		},
	};
}
