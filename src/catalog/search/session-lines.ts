import { closeSync } from "node:fs";
import { openFile } from "../../store/files/open-file.ts";
import { isObject, type RawEntry } from "../../store/format/parse.ts";
import { type FileLine, readLineAt } from "../../store/read/line-reader.ts";

/** To read one line at a time with; enough for most lines. */
const buffer = Buffer.allocUnsafe(32 * 1024);

/** Reads single lines of a session file by their offsets. What cannot be read or parsed counts as absent. */
export class SessionLines {
	readonly #fd: number | undefined;
	#title: number | undefined;

	constructor(path: string) {
		this.#fd = open(path);
	}

	/** The entry on the line that begins at `offset`. */
	entryAt(offset: number): RawEntry | undefined {
		return this.#lineAt(offset)?.entry;
	}

	/** Whether the first user message that says anything, the session's title, is on the line at `offset`. */
	isTitle(offset: number, says: (entry: RawEntry) => boolean): boolean {
		this.#title ??= this.#titleUpTo(offset, says);
		return this.#title === offset;
	}

	close(): void {
		if (this.#fd !== undefined) closeSync(this.#fd);
	}

	/** Offset of the title's line; undefined when it comes after the line at `last`. */
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
			return readLineAt(this.#fd, offset, buffer, (line) => ({ entry: entryOf(line), length: line.length }));
		} catch {
			// The disk fails, or the file was on one that is gone: what cannot be read cannot be found.
			return undefined;
		}
	}
}

function entryOf(line: FileLine): RawEntry | undefined {
	if (!line.whole) return undefined;
	const text = line.bytes.toString("utf8", line.start, line.end);
	try {
		const value: unknown = JSON.parse(line.offset === 0 ? text.replace(/^\uFEFF/, "") : text);
		return isObject(value) ? value : undefined;
	} catch {
		// A damaged line has no text; the list says that the session is damaged.
		return undefined;
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
