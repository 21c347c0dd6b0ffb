import type { Steps } from "../../shared/steps.ts";
import type { OpenFile } from "../../store/files/open-file.ts";
import { type FileLine, readLinesSteps } from "../../store/read/line-reader.ts";
import { fingerprintOf } from "../scan/fingerprint.ts";
import type { HashSet } from "./hash-set.ts";
import type { PendingSession } from "./numbers-table.ts";
import type { CheckedRow } from "./row-check.ts";
import { canGoOn, SessionTally, type StoredNumbers } from "./session-tally.ts";

export interface CountOptions {
	readonly session: PendingSession;
	readonly file: OpenFile;
	/** What an earlier count has stored. */
	readonly before: StoredNumbers | undefined;
	/** The hashes of all entries that are counted for some session; those of `before` are taken out if need be. */
	readonly owners: HashSet;
	/** To read with. */
	readonly buffer: Buffer;
}

/** The count of one session: all of it, or what was appended since it was counted before. */
export class SessionCount {
	readonly #options: CountOptions;
	#tally: SessionTally;
	#row: CheckedRow | undefined;

	constructor(options: CountOptions) {
		this.#options = options;
		const { before, file, owners } = options;
		const grown =
			before && canGoOn(before) && this.#size >= before.state.offset && hasFingerprint(file.fd, before)
				? before
				: undefined;
		this.#tally = grown ? new SessionTally(owners, grown) : this.#begin();
	}

	/** The row; undefined when only an appended part was read, the file has changed, or the session is very large. */
	get row(): CheckedRow | undefined {
		return this.#row;
	}

	/** Whether the file was counted from its first line. */
	get isWhole(): boolean {
		return this.#tally.row !== undefined;
	}

	/** Counts to the end, in steps, because a large session takes seconds. */
	*steps(): Steps<void> {
		const { session, file } = this.#options;
		yield* this.#read();
		if (this.#tally.branched) {
			this.#tally = this.#begin();
			yield* this.#read();
		}
		const { size, mtimeMs } = file.stats;
		const isListed = size === session.size && mtimeMs === session.mtimeMs;
		if (isListed && this.#tally.row) this.#row = yield* this.#tally.row.finish(session.path, { size, mtimeMs });
	}

	/** What is to be stored, also between two steps; undefined when there is nothing of use. Ends the count. */
	finish(): StoredNumbers | undefined {
		if (this.#tally.branched) return undefined;
		return this.#tally.finish(fingerprintOf(this.#options.file.fd, this.#tally.offset));
	}

	/** The file is read as far as it is listed: what has come since is counted when that is listed too. */
	get #size(): number {
		return Math.min(this.#options.file.stats.size, this.#options.session.size);
	}

	#begin(): SessionTally {
		const { before, owners } = this.#options;
		if (before) owners.deleteAll(before.own);
		return new SessionTally(owners);
	}

	*#read(): Steps<void> {
		const { file, buffer } = this.#options;
		const tally = this.#tally;
		const onLine = (line: FileLine) => {
			tally.take(line);
			return !tally.branched;
		};
		for (const _step of readLinesSteps(file.fd, { from: tally.offset, to: this.#size, buffer, onLine })) {
			if (tally.branched) return;
			yield;
		}
	}
}

function hasFingerprint(fd: number, { state }: StoredNumbers): boolean {
	return fingerprintOf(fd, state.offset) === state.fingerprint;
}
