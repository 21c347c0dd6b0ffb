import type { Tone } from "../../ui/view.ts";

/** A piece of text in a row, not clean, with what it is. */
export interface RowPart {
	readonly text: string;
	readonly tone: Tone;
}
