import { cleanText } from "../../ui/text/sanitize.ts";

/** A fence that is open. */
export interface Fence {
	/** Where it begins in its text. */
	readonly start: number;
	/** The line that opens it, for what is read without it. */
	readonly opening: string;
	readonly closing: RegExp;
	readonly isQuoted: boolean;
}

/** UTF-16 units of a line in which a fence is looked for. */
const HEAD = 200;
const OPENING = /^((?:[ >]|[-*+] |\d{1,9}[.)] )*)(?:(`{3,})([^`]*)|(~{3,})(.*))$/;

/** The fence that is open behind a line that begins at `start`, `fence` being the one before it. */
export function fenceBehind(line: string, start: number, fence: Fence | undefined): Fence | undefined {
	const head = line.slice(0, HEAD);
	// A quote that ends ends what is in it.
	const open = fence?.isQuoted && !head.trimStart().startsWith(">") ? undefined : fence;
	if (!head.includes("```") && !head.includes("~~~")) return open;
	const clean = cleanText(head.trimEnd());
	if (open !== undefined) return open.closing.test(clean) ? undefined : open;
	const [, prefix = "", ticks, ticksInfo = "", tildes = "", tildesInfo = ""] = OPENING.exec(clean) ?? [];
	const marks = ticks ?? tildes;
	if (marks === "") return undefined;
	const quotes = prefix.replace(/[^>]/g, "");
	return {
		start,
		opening: `${quotes}${quotes === "" ? "" : " "}${marks}${ticks === undefined ? tildesInfo : ticksInfo}\n`,
		closing: new RegExp(`^[ >]*${marks[0]}{${marks.length},}$`),
		isQuoted: quotes !== "",
	};
}

/** Where the marks are that may be those of a fence; asked for from the start of a text to its end, with few steps back. */
export class FenceMarks {
	readonly #ticks: MarkSearch;
	readonly #tildes: MarkSearch;

	constructor(text: string) {
		this.#ticks = new MarkSearch(text, "```");
		this.#tildes = new MarkSearch(text, "~~~");
	}

	/** The first one at an index or behind it. */
	from(index: number): number {
		return Math.min(this.#ticks.from(index), this.#tildes.from(index));
	}
}

class MarkSearch {
	readonly #text: string;
	readonly #mark: string;
	/** From here on the next mark is there. */
	#start = 0;
	#found = -1;

	constructor(text: string, mark: string) {
		this.#text = text;
		this.#mark = mark;
	}

	from(index: number): number {
		if (index < this.#start) {
			// A step back: what is known of the rest is not looked for again.
			const between = this.#text.slice(index, this.#start + this.#mark.length - 1).indexOf(this.#mark);
			if (between !== -1) this.#found = index + between;
			this.#start = index;
		} else if (index > this.#found) {
			const found = this.#text.indexOf(this.#mark, index);
			this.#found = found === -1 ? Number.POSITIVE_INFINITY : found;
			this.#start = index;
		}
		return this.#found;
	}
}
