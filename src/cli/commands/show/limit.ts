import { plainLine } from "../../../conversation/markdown/text-chunks.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { startOf } from "../../../ui/text/sanitize.ts";

/**
 * Where a text goes on: behind so many UTF-16 units of the text of an entry, as a text prints it that begins with that
 * entry, in the same form and masked or not as the same.
 */
export interface Continuation {
	readonly entryId: string;
	readonly offset: number;
}

/**
 * How much of a session may still be printed, and from where on. What is printed from one continuation to the next, put
 * together, is the text that is printed without a limit.
 */
export class Limit {
	readonly #most: number;
	#left: number;
	/** What is left out of the first entry, in UTF-16 units. */
	#skip: number;
	#entryId = "";
	/** Units of the entry's text that were printed or left out. */
	#offset = 0;
	#isReached = false;

	/** `most`: UTF-16 units, all without it; at least one character, or one row, is printed. `skip`: the offset to go on from. */
	constructor(most = Number.POSITIVE_INFINITY, skip = 0) {
		this.#most = most;
		this.#left = most;
		this.#skip = skip;
	}

	/** Where it goes on; undefined while all fits. */
	get next(): Continuation | undefined {
		return this.#isReached ? { entryId: this.#entryId, offset: this.#offset } : undefined;
	}

	/** Whether nothing has come yet that is printed. */
	get isSkipping(): boolean {
		return this.#skip > 0;
	}

	/** An entry begins: all that follows is its text. What a shorter one lacks of the offset is not left out of the next. */
	begin(entryId: string): void {
		if (this.#isReached || entryId === this.#entryId) return;
		if (this.#entryId !== "") this.#skip = 0;
		this.#entryId = entryId;
		this.#offset = 0;
	}

	/** Counts what belongs to the entry's text where that begins with it, and is not printed here. */
	leaveOut(text: string): void {
		if (!this.#isReached) this.#offset += text.length;
	}

	/** What is printed of a row: whether it is, with its line end. A row is never cut. */
	row(row: string): boolean {
		const length = row.length + 1;
		if (this.#isReached) return false;
		if (this.#skip >= length) {
			this.#skip -= length;
			this.#offset += length;
			return false;
		}
		this.#skip = 0;
		if (length > this.#left && this.#left < this.#most) {
			this.#isReached = true;
			return false;
		}
		this.#offset += length;
		this.#left -= length;
		return true;
	}

	/** What is printed of a text: all, or its first lines, or the start of the first. */
	text(text: string): string {
		if (this.#isReached) return "";
		const dropped = Math.min(this.#skip, text.length);
		// An offset may have been typed: a character is printed whole.
		const from = dropped > 0 && dropped < text.length && isLow(text, dropped) ? dropped - 1 : dropped;
		this.#skip -= dropped;
		this.#offset += from;
		const part = this.#fitting(text.slice(from));
		this.#offset += part.length;
		this.#left -= part.length;
		return part;
	}

	#fitting(text: string): string {
		if (text.length <= this.#left) return text;
		this.#isReached = true;
		const start = startOf(text, this.#left);
		const lines = start.slice(0, start.lastIndexOf("\n") + 1) || start;
		return lines === "" && this.#left === this.#most ? String.fromCodePoint(text.codePointAt(0) ?? 0) : lines;
	}

	/** What is printed where it was reached: in which entry, and what shows the rest. `session`: a word that names it. */
	notice(session: string): string {
		const id = plainLine(this.#entryId);
		const command = `pi-grove show ${plainLine(session)}#${id}@${this.#offset}`;
		return `[cut after ${formatCount(this.#most)} characters, in the entry ${id}; "${command}" goes on there, with the same options]`;
	}
}

function isLow(text: string, at: number): boolean {
	return /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
}
