import type { Completing, Typing } from "../../../ui/field/typing.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import { cutLine, cutText, joinEnds, lineWidth } from "../../../ui/text/width.ts";
import type { Line, Size, Span } from "../../../ui/view.ts";

/** A longer candidate is cut. */
const MOST_WIDTH = 30;
/** What is left out. */
const MORE: Span = span("…", "muted");
const HINT = " tab: the next, esc: as it was ";

/** What the word before the cursor may become, in one row, the one that stands there highlighted; undefined without any. */
export function selectCandidates({ last }: Typing, { columns }: Size): Line | undefined {
	if (last?.kind !== "complete" || last.candidates.length < 2) return undefined;
	const { candidates, index } = last;
	const meaning = candidates[index]?.meaning ?? "";
	const whole: Line = [span(meaning === "" ? HINT : ` ${sanitizeLine(meaning)} `, "muted")];
	const note = cutLine(whole, Math.floor(columns / 2));
	const room = columns - lineWidth(note);
	const all = candidates.map(({ text }, at): Span => {
		const shown = span(
			cutText(cleanText(` ${sanitizeLine(text)} `), Math.min(MOST_WIDTH, room - 2 * lineWidth([MORE]))),
		);
		return at === index ? { ...shown, ground: "cursor", bold: true } : shown;
	});
	return joinEnds(withinRoom(last, all, room), note, columns);
}

/** As many candidates as fit, from one on, so that the highlighted one is among them. */
function withinRoom({ index }: Completing, all: readonly Span[], room: number): Line {
	let from = 0;
	// The marks of what is left out on both sides.
	while (from < index && lineWidth(all.slice(from, index + 1)) + 2 * lineWidth([MORE]) > room) from++;
	let to = Math.max(index + 1, from + 1);
	while (to < all.length && lineWidth(all.slice(from, to + 1)) + 2 * lineWidth([MORE]) <= room) to++;
	return [...(from > 0 ? [MORE] : []), ...all.slice(from, to), ...(to < all.length ? [MORE] : [])];
}
