import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import {
	backward,
	comparePositions,
	firstRow,
	forward,
	lastRow,
	rowsFrom,
} from "../../../conversation/document/walk.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { Distance } from "../../../ui/page/distance.ts";
import { type Reader, selectReader } from "../../world/opened/select-reader.ts";
import { shownSession } from "../../world/opened/shown-session.ts";
import type { State } from "../../world/state/state.ts";
import { positionAtPercent } from "./percent.ts";

/** Scrolls the conversation, not past its start or end. */
export function scrollReader(state: State, distance: Distance): State {
	const reader = selectReader(state);
	if (reader === undefined) return state;
	const { document, height, top } = reader;
	if ("end" in distance) {
		const to = distance.end === "first" ? (firstRow(document) ?? top) : lastTop(document, height);
		return scrolledTo(state, document, to, distance.end === "last");
	}
	const page = Math.max(1, height - 1);
	const rows =
		"rows" in distance ? distance.rows : Math.sign(distance.pages) * Math.round(Math.abs(distance.pages) * page);
	if (rows < 0) return scrolledTo(state, document, backward(document, top, -rows), false);
	const to = down(reader, rows, "rows" in distance);
	return scrolledTo(state, document, to, isEndVisible(document, to, height));
}

/** Scrolls so that this row is at the top. */
export function scrolledTo(state: State, document: ReaderDocument, to: Position, atEnd = false): State {
	const anchor = document.anchorAt(to);
	return anchor === undefined ? state : { ...state, reader: { ...state.reader, anchor, atEnd } };
}

/** Top row of the last full page. */
export function lastTop(document: ReaderDocument, height: number): Position {
	return backward(document, lastRow(document), Math.max(0, height - 1));
}

/** Whether the last row of the conversation is visible with this row at the top. */
export function isEndVisible(document: ReaderDocument, top: Position, height: number): boolean {
	return rowsFrom(document, top, height + 1).length <= height;
}

/** Scrolls down: by pages no further than the last full page, by rows until the last entry is at the top. */
function down({ document, height, top }: Reader, rows: number, byRows: boolean): Position {
	const to = forward(document, top, rows) ?? top;
	if (!isEndVisible(document, to, height)) return to;
	const page = lastTop(document, height);
	const last = byRows ? { entry: lastRow(document).entry, piece: 0, row: 0 } : page;
	const limit = comparePositions(last, page) > 0 ? last : page;
	if (comparePositions(to, limit) <= 0) return to;
	return comparePositions(top, limit) > 0 ? top : limit;
}

/** Scrolls to a percentage of the conversation. */
export function scrollToPercent(state: State, percent: number): State {
	const reader = selectReader(state);
	if (reader === undefined) return state;
	const { document, height } = reader;
	const to = positionAtPercent(reader, percent);
	return scrolledTo(state, document, isEndVisible(document, to, height) ? lastTop(document, height) : to);
}

/** Follows the tail: a reader at the end of the conversation stays there when something is appended. */
export function stayAtEnd(state: State, session: Session): State {
	if (state.focus !== "reader" || shownSession(state.detail)?.path !== session.path) return state;
	const reader = selectReader(state);
	if (reader === undefined || !isEndVisible(reader.document, reader.top, reader.height)) return state;
	return { ...state, reader: { ...state.reader, atEnd: true } };
}
