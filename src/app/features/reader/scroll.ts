import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import {
	backward,
	comparePositions,
	firstRow,
	isEndVisible,
	lastRow,
	lastTop,
	walkForward,
} from "../../../conversation/document/walk.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { Distance } from "../../../ui/page/page-rows.ts";
import { currentIndex, type Reader, selectReader } from "../../world/opened/select-reader.ts";
import type { State } from "../../world/state/state.ts";

/** Scrolls the conversation, not past its start or end. */
export function scrollReader(state: State, distance: Distance): State {
	const reader = selectReader(state);
	if (reader === undefined) return state;
	const { document, height, top } = reader;
	if ("end" in distance) {
		const to = distance.end === "first" ? (firstRow(document) ?? top) : lastTop(document, height);
		return scrolledTo(state, document, to, { atEnd: distance.end === "last" });
	}
	if ("rows" in distance) return scrolledByRows(state, reader, distance.rows);
	const page = Math.max(1, height - 1);
	const rows = Math.sign(distance.pages) * Math.round(Math.abs(distance.pages) * page);
	const to = moved(reader, rows);
	return scrolledTo(state, document, to, { atEnd: rows > 0 && isEndVisible(document, to, height) });
}

interface ScrollOptions {
	/** Whether it follows the end. Default: no. */
	readonly atEnd?: boolean;
	/** Index of the entry to mark. Default: the one at the top. */
	readonly mark?: number;
}

/** Scrolls so that this row is at the top, or as far as the conversation goes. */
export function scrolledTo(
	state: State,
	document: ReaderDocument,
	to: Position,
	{ atEnd = false, mark = to.entry }: ScrollOptions = {},
): State {
	const anchor = document.anchorAt(to);
	if (anchor === undefined) return state;
	return { ...state, reader: { ...state.reader, anchor, marked: document.path[mark]?.id, atEnd } };
}

/** The state with its top row and the entry that is read stored, before the drawing changes. */
export function heldInPlace(state: State): State {
	const reader = selectReader(state);
	if (reader === undefined) return { ...state, reader: { ...state.reader, atEnd: false } };
	return scrolledTo(state, reader.document, reader.top, { mark: currentIndex(state, reader) });
}

/** Scrolls by rows: the entry that is read stays while it is visible. On the first and last page it moves on instead. */
function scrolledByRows(state: State, reader: Reader, rows: number): State {
	const { document, top } = reader;
	const to = moved(reader, rows);
	const current = currentIndex(state, reader);
	if (comparePositions(to, top) !== 0 || state.focus !== "reader")
		return scrolledTo(state, document, to, { mark: current });
	const next = neighbor(reader, current, rows < 0 ? -1 : 1) ?? current;
	return scrolledTo(state, document, to, { atEnd: rows > 0 && next >= lastRow(document).entry, mark: next });
}

/** The next (1) or previous (-1) entry that shows something. */
function neighbor({ document }: Reader, entry: number, direction: 1 | -1): number | undefined {
	for (let index = entry + direction; index >= 0 && index < document.path.length; index += direction)
		if (document.pieces(index).some((_, piece) => document.rows(index, piece).length > 0)) return index;
	return undefined;
}

/** The row at the top after moving by some rows, within the full pages. */
function moved({ document, height, top }: Reader, rows: number): Position {
	if (rows < 0) return backward(document, top, -rows);
	const to = walkForward(document, top, rows) ?? top;
	if (!isEndVisible(document, to, height)) return to;
	const last = lastTop(document, height);
	return comparePositions(to, last) > 0 ? last : to;
}

/** Follows the tail: a reader at the end of the conversation stays there when something is appended. */
export function stayAtEnd(state: State, session: Session): State {
	if (state.focus !== "reader" || state.detail.session?.path !== session.path) return state;
	const reader = selectReader(state);
	if (reader === undefined || !isEndVisible(reader.document, reader.top, reader.height)) return state;
	return { ...state, reader: { ...state.reader, atEnd: true } };
}
