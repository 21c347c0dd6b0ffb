import { formatCount } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import type { CleanText } from "../../../ui/text/sanitize.ts";
import { enumerate } from "../../print/output.ts";

const MOST_NAMED = 10;

/** "a, b and 3 others". */
export function namesOf(files: readonly { readonly name: string }[]): string {
	const names = files.slice(0, MOST_NAMED).map(({ name }) => name);
	return enumerate(files.length > MOST_NAMED ? [...names, `${formatCount(files.length - MOST_NAMED)} others`] : names);
}

/** A line of a patch; "-- " and "++ " only begin a name in the head of a file, but are as well colored so. */
export function coloredLine(text: CleanText): Line {
	if (
		/^(?:diff --git|---|\+\+\+|new file|deleted file|old mode|new mode|similarity index|rename (?:from|to)) /.test(text)
	)
		return [strong(text)];
	if (text.startsWith("@@")) return [span(text, "accent")];
	if (/^[#\\]/.test(text)) return [span(text, "muted")];
	return [span(text, text.startsWith("+") ? "added" : text.startsWith("-") ? "removed" : "text")];
}
