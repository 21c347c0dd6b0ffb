import { isSilent, type Passage, type PassageScope, passagesOf } from "../../../conversation/entries/passages.ts";
import { plainLine } from "../../../conversation/markdown/plain-text.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { startOf } from "../../../ui/text/sanitize.ts";
import type { ReadTarget } from "../../find/find-target.ts";

/** Where a text that was cut continues. */
interface Continuation {
	readonly entryId: string;
	/** UTF-16 units of the entry's text to skip, as printed when the text begins with that entry, in the same form and equally masked. */
	readonly offset: number;
}

/**
 * Which part of a session is printed: from an offset on, up to a maximum. The parts from one continuation to the next add
 * up to the text that is printed without a limit.
 */
export class Limit {
	readonly #most: number;
	#left: number;
	/** UTF-16 units of the first entry still to be skipped. */
	#skip: number;
	#entryId = "";
	/** Units of the entry's text that were printed or skipped. */
	#offset = 0;
	#isReached = false;

	/** `most`: UTF-16 units; at least one character, or one row, is printed. `skip`: the offset to start from. */
	constructor(most = Number.POSITIVE_INFINITY, skip = 0) {
		this.#most = most;
		this.#left = most;
		this.#skip = skip;
	}

	/** Where the text continues; undefined while everything fits. */
	get next(): Continuation | undefined {
		return this.#isReached ? { entryId: this.#entryId, offset: this.#offset } : undefined;
	}

	get isSkipping(): boolean {
		return this.#skip > 0;
	}

	/** Starts an entry: all that follows is its text. An offset past its end does not skip text of the next one. */
	begin(entryId: string): void {
		if (this.#isReached || entryId === this.#entryId) return;
		if (this.#entryId !== "") this.#skip = 0;
		this.#entryId = entryId;
		this.#offset = 0;
	}

	/** Counts text that would be printed if the text began with this entry, and is not printed here. */
	leaveOut(text: string): void {
		if (!this.#isReached) this.#offset += text.length;
	}

	/** Whether a row, with its line end, is printed. A row is never cut. */
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

	/** The part of a text that is printed: all of it, its first lines, or the beginning of the first line. */
	text(text: string): string {
		if (this.#isReached) return "";
		const dropped = Math.min(this.#skip, text.length);
		// A typed offset may point into the middle of a character, which is then printed whole.
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

	/** The line printed where the text was cut: in which entry, and the command that shows the rest. `session`: a word that names it. */
	notice(session: string): string {
		const id = plainLine(this.#entryId);
		const command = `pi-grove show ${plainLine(session)}#${id}@${this.#offset}`;
		return `[cut after ${formatCount(this.#most)} characters, in the entry ${id}; "${command}" continues there, with the same options]`;
	}
}

function isLow(text: string, at: number): boolean {
	return /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
}

/**
 * The passages of a scope that contain text; of a continuation, from its entry on. In a scope that belongs to one entry
 * (`--entry`, `--turn`, `--branch`) offsets count from its start, so all of its passages are there.
 */
export function* passagesFrom({ session, entry, offset }: ReadTarget, scope: PassageScope): Generator<Passage> {
	const start = offset === undefined || isOfEntry(scope) ? undefined : entry?.id;
	let isBefore = start !== undefined;
	for (const passage of passagesOf(session, scope)) {
		const { path, from, to, leaves } = passage;
		if (leaves !== undefined && isSilent(passage)) continue;
		let at = from;
		if (isBefore) while (at < to && path[at]?.id !== start) at++;
		if (at === to) continue;
		isBefore = false;
		yield at === from ? passage : { path, from: at, to };
	}
}

/** The entry in the address of a continuation: the requested one, or the one in which the text was cut. */
export function namedEntry(scope: PassageScope, entryId: string): string {
	return isOfEntry(scope) && "entryId" in scope ? scope.entryId : entryId;
}

export function isOfEntry({ of }: PassageScope): boolean {
	return of === "entry" || of === "turn" || of === "branch";
}
