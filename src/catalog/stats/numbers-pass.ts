import { closeSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { runToEnd, type Steps, type TimeSlice } from "../../shared/steps.ts";
import { type OpenFile, openFile } from "../../store/files/open-file.ts";
import { isFileError } from "../../store/files/store-error.ts";
import type { Diagnostic } from "../../store/format/diagnostic.ts";
import { CHUNK_BYTES } from "../../store/read/line-reader.ts";
import { countRows } from "../index/session-table.ts";
import { isDamage, isUnusable } from "../index/sqlite.ts";
import type { CountedSessions } from "../model/counts.ts";
import { CostOwners } from "./cost-owners.ts";
import { countSession } from "./count-session.ts";
import { NumbersTable, type PendingSession } from "./numbers-table.ts";

/** A session that is being written is counted again at most this often, in milliseconds. */
const AGAIN_MS = 2000;
/** The pause is at least so many times as long as the last count took. */
const REST_FACTOR = 20;
/** Progress is reported at most this often, in milliseconds. */
const REPORT_MS = 500;

export interface NumbersPassOptions {
	readonly db: DatabaseSync;
	/** The sessions' root or custom directory. */
	readonly root: string;
	readonly timeSlice: TimeSlice;
	/** Called when every line of a session was parsed, with all its oddities. */
	readonly onChecked: (session: PendingSession, diagnostics: readonly Diagnostic[]) => void;
	readonly onCounts: (counts: CountedSessions) => void;
	/** Called when it is time to `run` again. */
	readonly onDue: () => void;
	/** Number of sessions whose numbers are up to date, and of all; equal numbers mean that the pass is idle. */
	readonly onProgress: (counted: number, total: number) => void;
	/** Called if a session could not be counted for a reason that the list does not report. */
	readonly onProblem: (path: string, error: unknown) => void;
	/** Called when everything that can be read has been counted. */
	readonly onDone: () => void;
}

/** Counts what all sessions contain and cost, in the background, a few milliseconds at a time. */
export class NumbersPass {
	readonly #options: NumbersPassOptions;
	readonly #table: NumbersTable;
	readonly #owners: CostOwners;
	readonly #buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
	/** Until when a session that was counted is not counted again, by `performance.now`. */
	readonly #restsUntil = new Map<number, number>();
	/** Sessions that could not be read, with their files' modification times; tried again when those change. */
	readonly #failed = new Map<number, number>();
	#running: Promise<void> | undefined;
	#timer: NodeJS.Timeout | undefined;
	#paused: PromiseWithResolvers<void> | undefined;
	#closed = false;
	#reportedAt = -REPORT_MS;
	#reported = "";

	constructor(options: NumbersPassOptions) {
		this.#options = options;
		this.#table = new NumbersTable(options.db, options.root);
		this.#owners = new CostOwners(this.#table);
	}

	/** Counts what is missing; joins a run in progress. */
	run(): Promise<void> {
		this.#running ??= this.#run().finally(() => {
			this.#running = undefined;
		});
		return this.#running;
	}

	/** While paused it waits, even in the middle of a file. */
	pause(paused: boolean): void {
		if (paused) this.#paused ??= Promise.withResolvers();
		else {
			this.#paused?.resolve();
			this.#paused = undefined;
		}
	}

	/** Stops at the next turn. */
	async close(): Promise<void> {
		this.#closed = true;
		clearTimeout(this.#timer);
		this.pause(false);
		// The caller of `run` gets the error.
		await this.#running?.catch(() => undefined);
	}

	async #run(): Promise<void> {
		try {
			await this.#countAll();
		} catch (error) {
			if (!isUnusable(error)) throw error;
			this.#later();
		}
	}

	async #countAll(): Promise<void> {
		for (;;) {
			await this.#turn();
			if (this.#closed) return;
			await this.#finish(this.#news());
			const refreshed = await this.#finish(this.#owners.refresh());
			if (!refreshed) return;
			this.#hurry(refreshed.result);
			const pending = this.#table.pending().filter(({ id, mtimeMs }) => this.#failed.get(id) !== mtimeMs);
			const now = performance.now();
			const ready = pending.filter(({ id }) => now >= (this.#restsUntil.get(id) ?? 0));
			if (ready.length < pending.length) this.#later();
			const total = countRows(this.#options.db, this.#options.root);
			let openCount = pending.length;
			this.#report(total - openCount, total, ready.length === 0 ? 0 : REPORT_MS);
			if (ready.length === 0) break;
			for (const session of ready) {
				await this.#count(session);
				if (this.#closed) return;
				openCount -= 1;
				this.#report(total - openCount, total, REPORT_MS);
			}
		}
		this.#options.onDone();
	}

	async #count(session: PendingSession): Promise<void> {
		const began = performance.now();
		try {
			const file = openFile(session.path);
			try {
				if (this.#table.isPending(session)) await this.#countFile(session, file);
			} finally {
				closeSync(file.fd);
			}
		} catch (error) {
			if (isDamage(error)) throw error;
			this.#failed.set(session.id, session.mtimeMs);
			// Deleted or unreadable since it was listed, or the disk is full: the list reports it, and the numbers stay missing.
			if (!isUnusable(error) && !isFileError(error)) this.#options.onProblem(session.path, error);
		}
		const now = performance.now();
		this.#restsUntil.set(session.id, now + Math.max(AGAIN_MS, REST_FACTOR * (now - began)));
		await this.#turn();
	}

	async #countFile(session: PendingSession, file: OpenFile): Promise<void> {
		const owners = this.#owners.hashes;
		const inherited = session.origins.length === 0 ? undefined : this.#table.hashesIn(session.origins);
		// `reports-in.ts` needs zod, which is loaded only for counting.
		const { reportsIn } = await import("../families/reports-in.ts");
		const hashesBefore = this.#table.own(session.id);
		for (const hash of hashesBefore ?? []) owners.delete(hash);
		let hashes = hashesBefore;
		try {
			const options = { listed: session, file, owners, inherited, reportsIn };
			const counted = await this.#finish(countSession({ ...options, buffer: this.#buffer }));
			if (counted === undefined) return;
			const { stored, diagnostics, summed } = counted.result;
			const isThere = this.#table.store(session, stored, summed);
			hashes = isThere ? stored.own : undefined;
			if (!isThere) return;
			if (diagnostics) this.#options.onChecked(session, diagnostics);
			if (hashesBefore) this.#release(hashesBefore, stored.own);
		} finally {
			for (const hash of hashes ?? []) owners.add(hash);
		}
	}

	/** Has other sessions count what this one no longer counts, if they contain it. */
	#release(hashesBefore: Float64Array, now: Float64Array): void {
		const counted = new Set(now);
		const lost = hashesBefore.filter((hash) => !counted.has(hash));
		if (lost.length > 0) this.#hurry(this.#table.release(lost));
	}

	/** Has sessions counted again at once, without the delay for growing ones. */
	#hurry(ids: readonly number[]): void {
		for (const id of ids) this.#restsUntil.delete(id);
	}

	/** Runs steps to their end; undefined when the pass was closed first. */
	async #finish<Result>(steps: Steps<Result>): Promise<{ readonly result: Result } | undefined> {
		for (;;) {
			const step = steps.next();
			if (step.done) return { result: step.value };
			await this.#turn();
			if (this.#closed) return undefined;
		}
	}

	/** Yields to the event loop when it is time, and waits while paused. */
	async #turn(): Promise<void> {
		if (this.#options.timeSlice.shouldYield()) await this.#options.timeSlice.yieldToEventLoop();
		while (this.#paused && !this.#closed) await this.#paused.promise;
	}

	/** Emits what was counted since, here or by another program, in steps. */
	#news(): Steps<void> {
		return this.#table.news(this.#options.onCounts);
	}

	#later(): void {
		clearTimeout(this.#timer);
		if (this.#closed) return;
		this.#timer = setTimeout(() => this.#options.onDue(), AGAIN_MS);
	}

	#report(counted: number, total: number, interval: number): void {
		const now = performance.now();
		const progress = `${counted}/${total}`;
		if (now - this.#reportedAt < interval) return;
		runToEnd(this.#news());
		if (progress === this.#reported) return;
		this.#reportedAt = now;
		this.#reported = progress;
		this.#options.onProgress(counted, total);
	}
}
