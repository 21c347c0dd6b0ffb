import { fstatSync } from "node:fs";
import type { Steps } from "../../shared/steps.ts";
import type { OpenFile } from "../../store/files/open-file.ts";
import { DiagnosticList } from "../../store/format/diagnostic.ts";
import { parseLine } from "../../store/format/parse.ts";
import { type FileLine, rawLine, readLineAt, readLinesSteps } from "../../store/read/line-reader.ts";
import { continueChecksum, endsHash, NO_BYTES, NO_CHECKSUM } from "../scan/fingerprint.ts";
import { isUnchanged, scanStampOf } from "../scan/scan-stamp.ts";
import { NOTHING_COUNTED } from "./numbers-json.ts";
import type { FileChecksum, PendingSession } from "./numbers-table.ts";
import type { CheckedRow } from "./row-check.ts";
import { SessionTally, type StoredNumbers, type TallyOptions } from "./session-tally.ts";

/** Buffer size for reading single lines again. */
const SHORT_LINE_BYTES = 64 * 1024;

interface CountOptions extends TallyOptions {
	readonly session: PendingSession;
	readonly file: OpenFile;
	/** The result of an earlier count. */
	readonly earlier: StoredNumbers | undefined;
	/** The hashes of all entries that count for some session; those of `earlier` are removed if counting starts again. */
	readonly owners: Set<number>;
	/** For reading the file. */
	readonly buffer: Buffer;
}

/** Counts one session: all of it, or what was appended since the last count. */
export class SessionCount {
	readonly #options: CountOptions;
	#tally: SessionTally;
	#row: CheckedRow | undefined;
	#checksum = NO_BYTES;

	constructor(options: CountOptions) {
		this.#options = options;
		const { earlier, file } = options;
		const { offset, entries, tangled, fingerprint } = earlier?.state ?? NOTHING_COUNTED;
		// In an intact tree, a child of the last entry changes nothing before it.
		const isIntact = entries > 0 && !tangled && fingerprint !== "";
		const hasGrown = isIntact && this.#size >= offset && endsHash(file.fd, offset) === fingerprint;
		this.#tally = hasGrown ? new SessionTally(options, earlier) : this.#begin();
	}

	get earlier(): StoredNumbers | undefined {
		return this.#options.earlier;
	}

	/** The row; undefined if only an appended part was read, the file has changed, or the session is very large. */
	get row(): CheckedRow | undefined {
		return this.#row;
	}

	/**
	 * The checksum of all bytes, for the next comparison, with the state of the file that they are of: the list may know another
	 * one. Undefined if only an appended part was read, or the file was changed meanwhile.
	 */
	get summed(): FileChecksum | undefined {
		const { stats, fd } = this.#options.file;
		const { bytes, crc } = this.#checksum;
		if (crc === undefined || bytes !== stats.size || !isUnchanged(stats, fstatSync(fd))) return undefined;
		return { ...scanStampOf(stats), crc };
	}

	/** Whether the file was counted from its first line. */
	get isWhole(): boolean {
		return this.#tally.row !== undefined;
	}

	/** Counts to the end, in steps because a large session takes seconds. */
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

	/** What to store, even between two steps; undefined if nothing is usable. Ends the count. */
	finish(): StoredNumbers | undefined {
		if (this.#tally.branched) return undefined;
		const { file } = this.#options;
		const buffer = this.#options.buffer.subarray(0, SHORT_LINE_BYTES);
		const read = (offset: number) =>
			readLineAt(file.fd, offset, buffer, (line) => parseLine(rawLine(line, 1), new DiagnosticList()));
		return this.#tally.finish(endsHash(file.fd, this.#tally.offset), read);
	}

	/** The file is read up to its listed size; what was appended since is counted once the list has it too. */
	get #size(): number {
		return Math.min(this.#options.file.stats.size, this.#options.session.size);
	}

	#begin(): SessionTally {
		const { earlier, owners } = this.#options;
		for (const hash of earlier?.own ?? []) owners.delete(hash);
		return new SessionTally(this.#options);
	}

	*#read(): Steps<void> {
		const { file, buffer } = this.#options;
		const tally = this.#tally;
		const onLine = (line: FileLine) => {
			tally.add(line);
			return !tally.branched;
		};
		this.#checksum = tally.offset === 0 ? NO_BYTES : NO_CHECKSUM;
		const onBytes = (bytes: Buffer, position: number) => {
			this.#checksum = continueChecksum(this.#checksum, bytes, position);
		};
		for (const _step of readLinesSteps(file.fd, { from: tally.offset, to: this.#size, buffer, onLine, onBytes })) {
			if (tally.branched) return;
			yield;
		}
	}
}
