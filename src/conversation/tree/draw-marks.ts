import type { Query } from "../../catalog/query/parse-query.ts";
import { memoLast } from "../../shared/memo.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { ResolvedLabel } from "../../store/tree/labels.ts";
import { formatClock } from "../../ui/text/format.ts";
import { type Span, span, strong } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutText } from "../../ui/text/width.ts";
import type { Digest } from "../digest/digest.ts";
import { conversationLeaf, endSign, isWideRow } from "../entries/leaf.ts";
import { indexAt } from "../entries/outline-columns.ts";
import type { Place } from "../entries/place.ts";
import type { RunLine } from "../entries/run-line.ts";
import { FAILS, failureIn } from "../glance/can-resume.ts";
import { leafOutlook } from "../glance/outlook.ts";
import type { EntryColumns } from "./entry-columns.ts";

/** What the right end of a row shows: the outcome, the outcome and the time, or only labels. */
export const ROW_DETAILS = ["outcome", "times", "none"] as const;
export type RowDetails = (typeof ROW_DETAILS)[number];

export interface TreeRowDrawing {
	/** Cells that the row fills. */
	readonly width: number;
	readonly selected: boolean;
	readonly session: Session;
	readonly columns: EntryColumns;
	readonly place: Place;
	readonly details: RowDetails;
	/** Whether turns are drawn in two rows, with their totals in the row of the last answer. */
	readonly isTurns: boolean;
	/** Query whose matches are marked: the filter of the tree, else the search of the list. */
	readonly query: Query;
	/** Whether the query has found the row: if its text does not show the match, a snippet with it does. */
	readonly isHit: boolean;
	/** Current time, Unix ms. */
	readonly now: number;
	/** The runs of subagents by the keys of their rows. @default none */
	readonly runs?: ReadonlyMap<string, RunLine>;
	/** What the rows of the digest say; undefined until it is known. */
	readonly digest?: Digest | undefined;
}

/** Largest share of a row that a label takes. */
const LABEL_SHARE = 0.35;

/** "⚑name" of an entry's label; empty without a label. */
export function labelMark(label: ResolvedLabel | undefined, { width }: TreeRowDrawing): Span[] {
	if (label === undefined) return [];
	const room = Math.max(6, Math.floor(width * LABEL_SHARE));
	return [span(` ⚑${cutText(sanitizeLine(label.text), room)}`, "label")];
}

/** Marks the entry at which the conversation continues. */
export function leafMark(id: string, { session, width }: TreeRowDrawing): Span[] {
	if (id !== conversationLeaf(session)) return [];
	if (failsAtLeaf(session)) return [strong(isWideRow(width) ? ` ${FAILS}` : " ✗ end", "error")];
	return [strong(` ${endSign(width)}`, "current")];
}

/** Time of an entry: `details` decides whether of prompts only, of all entries, or of none. */
export function timeMark(index: number, isPrompt: boolean, { columns, details }: TreeRowDrawing): Span[] {
	if (details === "none" || (details === "outcome" && !isPrompt)) return [];
	const clock = formatClock(columns.time[index] ?? Number.NaN);
	return clock === "" ? [] : [span(` ${clock.padStart(5)}`, "muted")];
}

/** Whether pi is known to be unable to continue from the leaf. */
function failsAtLeaf(session: Session): boolean {
	return failureIn(leafOutlook(session)?.reasons ?? []) !== undefined;
}

interface LabeledPlace {
	readonly place: number;
	readonly id: string;
}

/** All labeled entries, in drawing order. */
const labeledPlaces = memoLast((session: Session, { outline }: EntryColumns): readonly LabeledPlace[] =>
	[...session.tree.labels.keys()]
		.map((id) => ({ id, place: outline.place[indexAt(outline, id)] ?? -1 }))
		.filter(({ place }) => place !== -1)
		.sort((one, other) => one.place - other.place),
);

/** Id of the first labeled entry at places `from` (inclusive) to `to` (exclusive) of the drawing; undefined for none. */
export function firstLabeled(session: Session, columns: EntryColumns, from: number, to: number): string | undefined {
	const places = labeledPlaces(session, columns);
	let low = 0;
	let high = places.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((places[middle]?.place ?? 0) < from) low = middle + 1;
		else high = middle;
	}
	const nearest = places[low];
	return nearest !== undefined && nearest.place < to ? nearest.id : undefined;
}
