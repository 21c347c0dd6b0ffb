import type { Session } from "../../store/read/read-session.ts";
import { isLeaf } from "../conversation/leaf.ts";
import { placeOf } from "../conversation/place.ts";
import { describeRow, type RowDescription } from "../conversation/row.ts";
import type { Line, Span } from "../model/view.ts";
import { formatCount, formatLabelTime } from "../text/format.ts";
import { cleanText, sanitizeLine } from "../text/sanitize.ts";
import { span, strong } from "../text/span.ts";
import { cutText, cutTextStart, joinEnds, padText } from "../text/width.ts";
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
	const description = describeRow(entry, session, placeOf(session, home));
	const { verb, mark, text, tone, said, outcome } = description;
	const left: Line = [
		span(selected ? "› " : "  ", "accent"),
		span(cutTextStart(cleanText(prefix), Math.floor(width * PREFIX_SHARE)), "muted"),
		// In the place of the other mark, so that folding moves nothing.
		foldedOnLine ? span("⊞ ", "muted") : span(active ? "• " : "  ", "current"),
		span(padText(cleanText(`${sanitizeLine(whoOf(description))} `), WHO_WIDTH), verb?.tone ?? tone),
		...(mark === undefined ? [] : [span(`${sanitizeLine(mark.text)} · `, mark.tone)]),
		span(sanitizeLine(text), tone),
		span(said === "" ? cleanText("") : cleanText(`  ${sanitizeLine(said)}`), "muted"),
	];
	const came = outcome.map((part) => span(` ${sanitizeLine(part.text)}`, part.tone));
	return joinEnds(left, [...came, ...marks(entry.id, hidden, drawing)], width);
}

function marks(id: string, hidden: number, { session, labelTimes, width, now }: EntryDrawing): Span[] {
	const spans: Span[] = [];
	if (hidden > 0) spans.push(span(` +${formatCount(hidden)}`, "muted"));
	const label = session.tree.labels.get(id);
	if (label !== undefined) {
		const name = sanitizeLine(label.text);
		const room = Math.max(6, Math.floor(width * LABEL_SHARE));
		spans.push(span(` [${cutText(name, room)}]`, "label"));
		if (labelTimes) spans.push(span(` ${formatLabelTime(label.timestamp, now)}`, "muted"));
	}
	if (isLeaf(session, id)) spans.push(strong(" ◂ leaf", "current"));
	return spans;
}

/** Who or what an entry is: "user", "assistant", else what its row begins with. */
function whoOf({ kind, verb }: RowDescription): string {
	if (kind === "prompt") return "user";
	return kind === "answer" || kind === "calls" ? "assistant" : (verb?.text ?? kind);
}
