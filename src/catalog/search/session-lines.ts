import { closeSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import { isObject } from "../../shared/json.ts";
import { runToEnd } from "../../shared/steps.ts";
import { openFile, readBytes } from "../../store/files/open-file.ts";
import { lineHead } from "../../store/format/line-head.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { type FileLine, readLineAt, readLinesSteps } from "../../store/read/line-reader.ts";

/** Bytes of the buffer for reading a file to its end, reused for all files; only searches for names or labels read so. */
const FILE_BUFFER_BYTES = 256 * 1024;
let fileBuffer: Buffer | undefined;

/** For reading one line at a time; large enough for most lines. */
const lineBuffer = Buffer.allocUnsafe(32 * 1024);

/** Lines behind a title that are read to find the answer. */
const MOST_READ = 20;

/** Reads single lines of a session file by their offsets. What cannot be read or parsed counts as absent. */
export class SessionLines {
	readonly #fd: number | undefined;
	/** Where the entries that were asked for are. */
	readonly #firstById = new Map<string, number>();
	#title: number | undefined;
	#lastTexts: LastTexts | undefined;

	constructor(path: string) {
		// Fails if it was deleted between the listing and the search.
		this.#fd = attempt(() => openFile(path).fd);
	}

	/** The first entry on the line that begins at `offset`. */
	entryAt(offset: number): RawEntry | undefined {
		return this.#lineAt(offset)?.entry;
	}

	/**
	 * The entries on that line, with their offsets: more than one if two programs wrote at once (glued-objects.ts), none if an earlier
	 * line that was asked for is the same.
	 */
	*entriesOn(offset: number): Generator<readonly [offset: number, entry: RawEntry], void> {
		for (let at = offset; ; ) {
			const line = this.#lineAt(at);
			if (line === undefined) return;
			if (line.entry && !this.#isRepeated(at, line.length, line.entry)) yield [at, line.entry];
			if (line.next > at + line.length) return;
			at = line.next;
		}
	}

	/** Whether the session's title, the first user message with text, is on the line at `offset`. */
	isTitle(offset: number, says: (entry: RawEntry) => boolean): boolean {
		this.#title ??= this.#titleUpTo(offset, says);
		return this.#title === offset;
	}

	/** The fact of the first line after `offset` that has one; few lines are read. */
	firstAfter<Said>(offset: number, factOf: (entry: RawEntry) => Said | undefined, most = MOST_READ): Said | undefined {
		let line = this.#lineAt(offset);
		for (let read = 0; line !== undefined && read < most; read++) {
			line = this.#lineAt(line.next);
			const fact = line?.entry && factOf(line.entry);
			if (fact !== undefined) return fact;
		}
		return undefined;
	}

	/**
	 * Whether the session still has the text of the entry at `offset`: a later name or label replaces an earlier one. For
	 * these, the rest of the file is read, once.
	 */
	isPresent(offset: number, entry: RawEntry): boolean {
		if (this.#fd === undefined || (entry.type !== "label" && entry.type !== "session_info")) return true;
		try {
			if (!this.#lastTexts || this.#lastTexts.from > offset) this.#lastTexts = readLastTexts(this.#fd, offset);
			return isLast(this.#lastTexts, entry, offset);
		} catch {
			// The disk fails: what cannot be read cannot be found.
			return false;
		}
	}

	close(): void {
		if (this.#fd !== undefined) closeSync(this.#fd);
	}

	/** Whether an earlier line that was asked for has the same bytes. */
	#isRepeated(offset: number, length: number, entry: RawEntry): boolean {
		if (typeof entry.id !== "string") return false;
		const first = this.#firstById.get(entry.id);
		if (first === undefined) this.#firstById.set(entry.id, offset);
		if (first === undefined || first === offset || this.#lineAt(first)?.length !== length) return false;
		const [one, other] = [this.#readBytes(first, length), this.#readBytes(offset, length)];
		return one !== undefined && other !== undefined && one.equals(other);
	}

	#readBytes(offset: number, length: number): Buffer | undefined {
		const fd = this.#fd;
		// Fails with the disk.
		return fd === undefined ? undefined : attempt(() => readBytes(fd, offset, length));
	}

	/** Offset of the title's line; undefined if it comes after the line at `last`. */
	#titleUpTo(last: number, says: (entry: RawEntry) => boolean): number | undefined {
		for (let at = 0; at <= last; ) {
			const line = this.#lineAt(at);
			if (!line) return undefined;
			if (line.entry && says(line.entry)) return at;
			at = line.next;
		}
		return undefined;
	}

	#lineAt(offset: number): FoundLine | undefined {
		const fd = this.#fd;
		if (fd === undefined) return undefined;
		// Fails with the disk: what cannot be read cannot be found.
		return attempt(() =>
			readLineAt(fd, offset, lineBuffer, (line) => ({
				entry: parseObject(line),
				length: line.length,
				next: line.next,
			})),
		);
	}
}

/** A line, or one of the objects on it. */
interface FoundLine extends Pick<FileLine, "length" | "next"> {
	readonly entry: RawEntry | undefined;
}

/** The positions of a session's last name, and of the last label of each entry: earlier ones are no longer its texts. */
interface LastTexts {
	/** Offset of the line from which the file was read. */
	readonly from: number;
	/** Offset of the last line that sets or clears the name. */
	readonly name: number | undefined;
	/** Offset of the last line that sets or removes a label, by the id of the labeled entry. */
	readonly labels: ReadonlyMap<unknown, number>;
}

/** Reads the names and labels that a file sets from the line at `from` on. */
function readLastTexts(fd: number, from: number): LastTexts {
	let name: number | undefined;
	const labels = new Map<unknown, number>();
	fileBuffer ??= Buffer.allocUnsafe(FILE_BUFFER_BYTES);
	runToEnd(
		readLinesSteps(fd, {
			from,
			buffer: fileBuffer,
			wanted: mayBeText,
			onLine(line) {
				const bytes = line.bytes.subarray(line.start, line.end);
				const entry = mayBeText(bytes) ? parseObject(line) : undefined;
				if (entry?.type === "session_info") name = line.offset;
				else if (entry?.type === "label") labels.set(entry.targetId, line.offset);
				return true;
			},
		}),
	);
	return { from, name, labels };
}

/** Whether the session still has the text of a line at or after `from`: always, except for replaced names and labels. */
function isLast(last: LastTexts, entry: RawEntry, offset: number): boolean {
	if (entry.type === "session_info") return last.name === offset;
	// A target that is a list or an object is never that of another label.
	const isOther = typeof entry.targetId === "object" && entry.targetId !== null;
	return entry.type !== "label" || isOther || last.labels.get(entry.targetId) === offset;
}

function mayBeText(line: Buffer): boolean {
	const type = lineHead(line, 0)?.type ?? "";
	return type === "" ? line.includes('"label"') || line.includes('"session_info"') : TEXT_TYPES.has(type);
}

const TEXT_TYPES: ReadonlySet<string> = new Set(["label", "session_info"]);

/** The entry on a line; undefined if the line is not a JSON object or is too long, which the list reports as damage. */
function parseObject({ bytes, start, end, offset, whole }: FileLine): RawEntry | undefined {
	if (!whole) return undefined;
	const text = bytes.toString("utf8", start, end);
	const value = attempt((): unknown => JSON.parse(offset === 0 ? text.replace(/^\uFEFF/, "") : text));
	return isObject(value) ? value : undefined;
}
