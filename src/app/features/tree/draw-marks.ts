import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import { failureIn } from "../../../conversation/glance/can-resume.ts";
import { leafOutlook } from "../../../conversation/glance/outlook.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { ResolvedLabel } from "../../../store/tree/tree.ts";
import { formatClock, formatTime } from "../../../ui/text/format.ts";
import type { Span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span, strong } from "../../../ui/text/span.ts";
import { cutText } from "../../../ui/text/width.ts";
import type { RowDrawing } from "./row-drawing.ts";

/** A label takes at most this part of a row. */
const LABEL_SHARE = 0.35;
/** From this width on, a row has room for the words at the leaf. */
const WIDE = 60;

/** "⚑name" of an entry's label, with its time if that is asked for; nothing where it has none. */
export function labelMark(label: ResolvedLabel | undefined, { width, labelTimes, now }: RowDrawing): Span[] {
	if (label === undefined) return [];
	const room = Math.max(6, Math.floor(width * LABEL_SHARE));
	const name = span(` ⚑${cutText(sanitizeLine(label.text), room)}`, "label");
	return labelTimes ? [name, span(` ${formatTime(Date.parse(label.timestamp), now)}`, "muted")] : [name];
}

/** The mark of the entry at which the conversation goes on. */
export function leafMark(id: string, { session, width, isTurns }: RowDrawing): Span[] {
	if (id !== conversationLeaf(session)) return [];
	if (failsAtLeaf(session)) return [strong(width >= WIDE ? " ✗ pi cannot go on here" : " ✗ leaf", "error")];
	return [strong(width >= WIDE && !isTurns ? " ◂ pi goes on here" : " ◂ leaf", "current")];
}

/** When an entry was said: of prompts, or of all, or of none. */
export function timeMark(index: number, isPrompt: boolean, { columns, details }: RowDrawing): Span[] {
	if (details === "none" || (details === "outcome" && !isPrompt)) return [];
	const clock = formatClock(columns.time[index] ?? Number.NaN);
	return clock === "" ? [] : [span(` ${clock.padStart(5)}`, "muted")];
}

/** Whether a session is known to have a leaf from which pi cannot go on. */
function failsAtLeaf(session: Session): boolean {
	return failureIn(leafOutlook(session)?.reasons ?? []) !== undefined;
}
