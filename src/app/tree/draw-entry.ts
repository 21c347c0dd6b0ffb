import type { Session } from "../../store/read/read-session.ts";
import type { Line, Span } from "../model/view.ts";
import { formatCount, formatLabelTime } from "../text/format.ts";
import { sanitizeLine } from "../text/sanitize.ts";
import { cutTextStart, joinEnds, padText } from "../text/width.ts";
import { describeEntry } from "./describe-entry.ts";
import { isLeaf } from "./leaf.ts";
import type { TreeRow } from "./tree-rows.ts";

export interface EntryDrawing {
	/** Cells that the row fills. */
	readonly width: number;
	readonly selected: boolean;
	readonly session: Session;
	readonly labelTimes: boolean;
	readonly home: string;
	/** Present time, Unix ms. */
	readonly now: number;
}

/** Width of the column that says who speaks, such as "assistant". */
const WHO_WIDTH = 10;
/** The branch connectors take at most this part of a row. */
const PREFIX_SHARE = 0.4;
/** A label takes at most this part of a row. */
const LABEL_SHARE = 0.35;

/** One entry as one row: cursor, connectors, mark of the active path, role, text, label, mark of the leaf. */
export function drawEntryRow(row: TreeRow, drawing: EntryDrawing): Line {
	const { entry, prefix, active, hidden, foldedOnLine } = row;
	const { width, selected, session, home } = drawing;
	const { who, tone, text, textTone } = describeEntry(entry, session, home);
	const left: Line = [
		{ text: selected ? "› " : "  ", tone: "accent" },
		{ text: cutTextStart(prefix, Math.floor(width * PREFIX_SHARE)), tone: "muted" },
		// In the place of the other mark, so that folding moves nothing.
		foldedOnLine ? { text: "⊞ ", tone: "muted" } : { text: active ? "• " : "  ", tone: "current" },
		{ text: padText(`${sanitizeLine(who)} `, WHO_WIDTH), tone },
		{ text: sanitizeLine(text), tone: textTone ?? "text" },
	];
	return joinEnds(left, marks(entry.id, hidden, drawing), width);
}

function marks(id: string, hidden: number, { session, labelTimes, width, now }: EntryDrawing): Span[] {
	const spans: Span[] = [];
	if (hidden > 0) spans.push({ text: ` +${formatCount(hidden)}`, tone: "muted" });
	const label = session.tree.labels.get(id);
	if (label !== undefined) {
		const name = sanitizeLine(label.text);
		const room = Math.max(6, Math.floor(width * LABEL_SHARE));
		spans.push({ text: ` [${name.length > room ? `${name.slice(0, room - 1)}…` : name}]`, tone: "label" });
		if (labelTimes) spans.push({ text: ` ${formatLabelTime(label.timestamp, now)}`, tone: "muted" });
	}
	if (isLeaf(session, id)) spans.push({ text: " ◂ leaf", tone: "current", bold: true });
	return spans;
}
