import { setImmediate as turn } from "node:timers/promises";

/** Work on many sessions that is under way. */
export interface Progress {
	/** "Moving sessions to the trash". */
	readonly what: string;
	readonly done: number;
	readonly total: number;
	/** The person has asked for its end; the session that is being worked on is done first. */
	readonly isStopped: boolean;
}

/** Work on many sessions, which tells how far it is, and which the person can stop between two of them. */
export interface LongWork {
	/** Begins work on `total` sessions; `what` says it in words: "Moving sessions to the trash". */
	begin(what: string, total: number): Job;
	/** Has all work under way stop before its next session. */
	stop(): void;
}

/** Work under way. */
export interface Job {
	/** Tells that so many sessions are done, lets the event loop turn, and resolves to whether to go on with the next one. */
	goesOn(done: number): Promise<boolean>;
	/** Nothing more is done. */
	end(): void;
}

/** What is over before that, in ms, is not shown. */
const SHOWN_AFTER_MS = 150;
/** How often it is shown anew, in ms. */
const SHOWN_EVERY_MS = 100;

/** `show`: puts it on the screen; undefined: there is none any more. */
export function createLongWork(show: (progress: Progress | undefined) => void): LongWork {
	/** The work under way: sessions may be saved while others are changed. */
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
