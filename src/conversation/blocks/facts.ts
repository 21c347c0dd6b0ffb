import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { formatClock } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutText } from "../../ui/text/width.ts";
import { conversationLeaf } from "../entries/leaf.ts";
import type { BlockContext } from "./context.ts";

/** Cells of a label beside other things. */
const LABEL = 24;

/** What is known of an entry besides what it says: its label, whether pi goes on here, its time. */
export function facts(entry: SessionEntry, { session, options }: BlockContext): Line {
	const label = labelOf(entry, session);
	const parts: Line[] = [
		...(label.length === 0 || options.page ? [] : [label]),
		...(entry.id === conversationLeaf(session) ? [[span("◂ leaf", "current")]] : []),
		[span(formatClock(timeOf(entry.timestamp)), "muted")],
	];
	return parts
		.filter((part) => part.some(({ text }) => text !== ""))
		.flatMap((part, index): Line => (index === 0 ? part : [span(" "), ...part]));
}

/** "⚑ works"; nothing for an entry without a label. */
export function labelOf({ id }: SessionEntry, { tree }: BlockContext["session"]): Line {
	const label = tree.labels.get(id);
	if (label === undefined) return [];
	return [span("⚑ ", "label"), { text: cutText(sanitizeLine(label.text), LABEL), tone: "label" }];
}
