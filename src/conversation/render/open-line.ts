import { partEnd } from "../../ui/text/part-end.ts";
import { cleanLines } from "../../ui/text/sanitize.ts";
import type { Line } from "../../ui/view.ts";
import { hardWrap } from "./hard-wrap.ts";

/** A line, or a part of one: a line may be endless. */
export interface OpenLine {
	readonly spans: Line;
	/** Whether it is the last part of its line. */
	readonly isEnd: boolean;
}

/** The rows of a line, or of a part of one. */
export interface OpenRows {
	readonly rows: readonly Line[];
	/** Whether the line ends with them. */
	readonly isEnd: boolean;
}

/** A text of any length in parts of at most some kilobytes: its lines, the last one without its end where it goes on. */
export function* lineParts(
	text: string,
): Generator<{ readonly raws: readonly string[]; readonly isOpen: boolean }, void> {
	for (let from = 0; from < text.length; ) {
		const to = partEnd(text, from);
		const raws = text.slice(from, to).split("\n");
		// Behind the end of a line another one begins, if anything follows.
		if (raws.at(-1) === "") raws.pop();
		yield { raws, isOpen: to < text.length && text[to - 1] !== "\n" };
		from = to;
	}
}

/** The lines of a text of any length, cleaned and without colors. */
export function* plainLines(text: string, tabStop: number): Generator<OpenLine, void> {
	for (const { raws, isOpen } of lineParts(text)) {
		const lines = cleanLines(raws.join("\n"), tabStop);
		for (const [index, line] of lines.entries()) {
			yield { spans: [{ text: line }], isEnd: index < lines.length - 1 || !isOpen };
		}
	}
}

/** The rows of lines, full to the last cell; parts of a line go on in the row in which the part before them ends. */
export function* wrapOpenLines(lines: Iterable<OpenLine>, width: number): Generator<OpenRows, void> {
	let open: Line = [];
	for (const { spans, isEnd } of lines) {
		const rows = hardWrap([...open, ...spans], width);
		open = isEnd ? [] : (rows.pop() ?? []);
		yield { rows, isEnd };
	}
}
