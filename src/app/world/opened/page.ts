import type { State } from "../state/state.ts";

/** The widest a page of text is, in cells: longer rows are hard to read. */
const MEASURE = 100;
/** Cells of the left margin, with turns, times and labels in it, and the blanks between. */
const MARGIN = 20;

/** How the width of the reader is divided: a margin, and the text. */
export interface PageMargin {
	/** Cells before the margin. */
	readonly indent: number;
	/** Cells of the margin, blanks included; 0 where there is no room for one. */
	readonly margin: number;
	/** Cells of the text. */
	readonly measure: number;
}

/** A full page has a margin and is not wider than is good to read; a pane begins one cell from its border. */
export function pageMargin({ focus, zoom }: State, width: number): PageMargin {
	if (focus !== "reader" || !zoom || width < MEASURE) return { indent: 0, margin: 1, measure: Math.max(1, width - 1) };
	const margin = width >= MEASURE + MARGIN ? MARGIN : 1;
	const measure = Math.min(MEASURE, width - margin);
	return { indent: Math.floor((width - measure - margin) / 2), margin, measure };
}
