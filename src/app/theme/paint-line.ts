import { cellWidth } from "../../shared/cell-width.ts";
import type { Ground, Line } from "../model/view.ts";
import type { Look, Theme } from "./theme.ts";

const RESET = "\x1b[0m";
const LINK_END = "\x1b]8;;\x1b\\";

/** What a line stands on, and how far. */
export interface RowGround {
	readonly ground: Ground;
	/** Cells that the ground fills; a longer line is not cut. */
	readonly width: number;
}

/** A line as the terminal takes it: with its styles, and blanks up to the end of its ground. */
export function paintLine(theme: Theme, line: Line, row?: RowGround): string {
	let painted = "";
	let width = 0;
	for (const span of line) {
		if (span.text === "") continue;
		if (row) width += cellWidth(span.text);
		const text = styled(span.text, theme.sgr(span, row?.ground));
		painted += span.link !== undefined && theme.links ? `\x1b]8;;${span.link}\x1b\\${text}${LINK_END}` : text;
	}
	const missing = row ? row.width - width : 0;
	return missing > 0 ? painted + styled(" ".repeat(missing), theme.sgr({}, row?.ground)) : painted;
}

/** A text of one look, row by row. */
export function paintText(theme: Theme, text: string, look: Look, ground?: Ground): string {
	const sgr = theme.sgr(look, ground);
	return text.includes("\n")
		? text
				.split("\n")
				.map((row) => styled(row, sgr))
				.join("\n")
		: styled(text, sgr);
}

function styled(text: string, sgr: string): string {
	return sgr === "" ? text : `\x1b[${sgr}m${text}${RESET}`;
}
