import { cleanText } from "../../ui/text/sanitize.ts";

/** An open fence. */
export interface Fence {
	/** Offset in the text where it begins. */
	readonly start: number;
	/** The line that opens it, to put before a piece that continues it. */
	readonly opening: string;
	readonly closing: RegExp;
	readonly isQuoted: boolean;
}

/** UTF-16 units of a line that are searched for a fence. */
const HEAD = 200;
const OPENING = /^((?:[ >]|[-*+] |\d{1,9}[.)] )*)(?:(`{3,})([^`]*)|(~{3,})(.*))$/;

/** The fence that is open behind a line that begins at `start`; `fence`: the one open before it. */
export function fenceBehind(line: string, start: number, fence: Fence | undefined): Fence | undefined {
	const head = line.slice(0, HEAD);
	// The end of a quotation ends the fence in it.
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

/** Finds the marks that may belong to a fence; efficient if it is used from the start to the end, with few steps back. */
export class FenceMarks {
	readonly #ticks: MarkSearch;
	readonly #tildes: MarkSearch;

	constructor(text: string) {
		this.#ticks = new MarkSearch(text, "```");
		this.#tildes = new MarkSearch(text, "~~~");
	}

	/** Index of the first mark at `index` or behind it; infinite if there is none. */
	from(index: number): number {
		return Math.min(this.#ticks.from(index), this.#tildes.from(index));
	}
}

class MarkSearch {
	readonly #text: string;
	readonly #mark: string;
	/** The next mark from `#start` on is at `#found`. */
	#start = 0;
	#found = -1;

	constructor(text: string, mark: string) {
		this.#text = text;
		this.#mark = mark;
	}

	from(index: number): number {
		if (index < this.#start) {
			// A step back: only the part before `#start` has to be searched.
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
