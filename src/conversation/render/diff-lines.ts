import { parseNumberedDiff } from "./parse-numbered-diff.ts";
import { parseUnifiedDiff } from "./parse-unified-diff.ts";

/** One line of a diff, as data. */
export interface DiffLine {
	/** "gap": lines that are not shown. "note": not a line of a file, such as a file name. */
	readonly kind: "same" | "removed" | "added" | "gap" | "note";
	/** Its number in the old file, from 1; undefined if not known. */
	readonly before: number | undefined;
	/** Its number in the new file. */
	readonly after: number | undefined;
	/** The line without its sign and number, not cleaned. */
	readonly text: string;
}

/** The beginning of a diff in pi's own form: a sign and a number, or dots for omitted lines. */
const NUMBERED = /^(?:[-+ ] *\d{1,9}(?: |\r?$)| +\.\.\.\r?$)/m;
/** UTF-16 units that contain it. */
const HEAD = 100;

/** The lines of a diff, in pi's own form (`details.diff`) or unified, one at a time. */
export function parseDiff(diff: string): Generator<DiffLine, void> {
	const isNumbered = NUMBERED.exec(diff.slice(0, HEAD))?.index === 0;
	return isNumbered ? parseNumberedDiff(diff) : parseUnifiedDiff(diff);
}
