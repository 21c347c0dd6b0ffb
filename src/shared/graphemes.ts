/** Printable ASCII: each character is a grapheme. */
const ASCII = /^[ -~]*$/;

/** Bounds of a part of a text, in UTF-16 units; the end is exclusive. */
export interface Bounds {
	readonly from: number;
	readonly to: number;
}

/** Created when the first other character comes: it takes 10 ms, which most starts and many sessions need not pay. */
let segmenter: Intl.Segmenter | undefined;

function segments(text: string): Intl.Segments {
	segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
	return segmenter.segment(text);
}

export function graphemesOf(text: string): string[] {
	return ASCII.test(text) ? [...text] : Array.from(segments(text), ({ segment }) => segment);
}

/** The grapheme that contains the unit at `index`; undefined outside of the text. */
export function graphemeAt(text: string, index: number): Bounds | undefined {
	if (index < 0 || index >= text.length) return undefined;
	if (ASCII.test(text)) return { from: index, to: index + 1 };
	const grapheme = segments(text).containing(index);
	return grapheme && { from: grapheme.index, to: grapheme.index + grapheme.segment.length };
}
