import { closeSync } from "node:fs";
import { openFile } from "../../store/files/open-file.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { readLineAt } from "../../store/read/line-reader.ts";
import { parseObject } from "./parse-object.ts";
import { isLast, type LastTexts, readLastTexts } from "./replaced-texts.ts";

/** For reading one line at a time; large enough for most lines. */
const buffer = Buffer.allocUnsafe(32 * 1024);

/** Reads single lines of a session file by their offsets. What cannot be read or parsed counts as absent. */
export class SessionLines {
	readonly #fd: number | undefined;
	#title: number | undefined;
	#lastTexts: LastTexts | undefined;

	constructor(path: string) {
		this.#fd = open(path);
	}

	/** The entry on the line that begins at `offset`. */
	entryAt(offset: number): RawEntry | undefined {
		return this.#lineAt(offset)?.entry;
	}

	/** Whether the session's title, the first user message with text, is on the line at `offset`. */
	isTitle(offset: number, says: (entry: RawEntry) => boolean): boolean {
		this.#title ??= this.#titleUpTo(offset, says);
		return this.#title === offset;
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

	/** Offset of the title's line; undefined if it comes after the line at `last`. */
	#titleUpTo(last: number, says: (entry: RawEntry) => boolean): number | undefined {
		for (let at = 0; at <= last; ) {
			const line = this.#lineAt(at);
			if (!line) return undefined;
			if (line.entry && says(line.entry)) return at;
			at += line.length + 1;
		}
		return undefined;
	}

	#lineAt(offset: number): { readonly entry: RawEntry | undefined; readonly length: number } | undefined {
		if (this.#fd === undefined) return undefined;
		try {
			return readLineAt(this.#fd, offset, buffer, (line) => ({ entry: parseObject(line), length: line.length }));
		} catch {
			// The disk fails or was removed: what cannot be read cannot be found.
			return undefined;
		}
	}
}

function open(path: string): number | undefined {
	try {
		return openFile(path).fd;
	} catch {
		// Deleted between the listing and the search.
		return undefined;
	}
}
