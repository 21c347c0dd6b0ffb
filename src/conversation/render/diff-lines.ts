import { parseNumberedDiff } from "./parse-numbered-diff.ts";
import { parseUnifiedDiff } from "./parse-unified-diff.ts";

/** One line of a diff, as data. */
export interface DiffLine {
	/** "gap": lines that are not shown. "note": what is no line of a file, as the name of one. */
	readonly kind: "same" | "removed" | "added" | "gap" | "note";
	/** Its number in the old file, where that is known; from 1. */
	readonly before: number | undefined;
	/** The same in the new file. */
	readonly after: number | undefined;
	/** The line without its sign and number, not cleaned. */
	readonly text: string;
}

/** What the first line of a diff has in pi's own form: a sign and a number, or dots for what is left out. */
const NUMBERED = /^(?:[-+ ] *\d{1,9}(?: |\r?$)| +\.\.\.\r?$)/m;
/** UTF-16 units in which that stands. */
const HEAD = 100;

/** The lines of a diff as pi writes it (`details.diff`), or of a unified one, one at a time. */
export function parseDiff(diff: string): Generator<DiffLine, void> {
	const isNumbered = NUMBERED.exec(diff.slice(0, HEAD))?.index === 0;
	return isNumbered ? parseNumberedDiff(diff) : parseUnifiedDiff(diff);
}
