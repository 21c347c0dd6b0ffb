import { type Anchor, GAP, type Position, ReaderDocument } from "../../../conversation/document/document.ts";
import { comparePositions, isEndVisible, lastRow, lastTop, rowsFrom } from "../../../conversation/document/walk.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import type { RunLine } from "../../../conversation/entries/run-line.ts";
import { loadRenderers, type Renderers } from "../../../conversation/render/renderers.ts";
import type { ReaderRow } from "../../../conversation/terminal/piece.ts";
import { memoFields, memoLast } from "../../../shared/memo.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { defineQuery } from "../effects/define-query.ts";
import { layoutFor } from "../screen/layout.ts";
import type { ReaderState } from "../state/opened-state.ts";
import { pageOf, topOverlay } from "../state/overlays.ts";
import type { State } from "../state/state.ts";
import { digestAbove } from "./select-digest.ts";
import { forkedMs, type SessionRuns, selectRuns } from "./select-runs.ts";

export interface Reader {
	readonly document: ReaderDocument;
	readonly top: Position;
	/** Rows of the pane, without those of the digest above the text. */
	readonly height: number;
}

/** The conversation for a state; undefined if there is none, or its pane is not drawn. */
export function selectReader(state: State): Reader | undefined {
	const { reader, environment } = state;
	const box = layoutFor(state).reader;
	const session = state.detail.session;
	if (box === undefined || session === undefined || reader.through === undefined || reader.anchor === undefined)
		return undefined;
	const { width, height } = box;
	const { toolsOpen, thinkingOpen, sideBySide, toggled } = reader;
	const { margin, measure, wide } = pageMargin(state, width);
	const path = outlineOf(session).pathThrough(reader.through);
	const { byEntry: runs } = selectRuns(state);
	const { value: renderers } = RENDERERS.of(state);
	const document = documentOf({
		...{ session, path, width: measure, home: environment.home, page: margin > 1 },
		wideWidth: wide,
		...{ toolsOpen, thinkingOpen, sideBySide, toggled, renderers, runs },
		forkedMs: forkedMs(state, session),
	});
	return pageFrom(document, reader.anchor, Math.max(1, height - digestAbove(state).length));
}

/** What renders Markdown and code, loaded once it is needed; until then text is drawn plain. */
export const RENDERERS = defineQuery<"all", Renderers>({
	name: "renderers",
	wanted: (state, { asked }) =>
		asked ??
		(selectReader(state) !== undefined || pageOf(state) === "prompts" || showsMarkdown(state) ? "all" : undefined),
	load: () => loadRenderers(),
});

function showsMarkdown(state: State): boolean {
	const overlay = topOverlay(state);
	return overlay?.kind === "help" && overlay.output?.isMarkdown === true;
}

/**
 * The page with a row at the top, or the last page if that row is further down: what stands before the end fills it. A key asks for it
 * some twenty times, and the last page is found by walking back from the end.
 */
const pageFrom = memoLast((document: ReaderDocument, anchor: Anchor, height: number): Reader | undefined => {
	const top = document.positionOf(anchor);
	if (top === undefined || !isEndVisible(document, top, height)) return top && { document, top, height };
	const last = lastTop(document, height);
	return { document, top: comparePositions(top, last) > 0 ? last : top, height };
});

/** Whether the conversation has the whole screen, with a margin. */
export function isFullPage({ focus, zoom }: State): boolean {
	return focus === "reader" && zoom;
}

interface DocumentInput extends Pick<ReaderState, "toolsOpen" | "thinkingOpen" | "sideBySide" | "toggled"> {
	readonly renderers: Renderers | undefined;
	readonly session: Session;
	readonly path: readonly SessionEntry[];
	readonly width: number;
	readonly home: string;
	readonly page: boolean;
	readonly wideWidth: number;
	readonly runs: SessionRuns["byEntry"];
	readonly forkedMs: number | undefined;
}

/** A document keeps the pieces and rows that it has drawn. */
const documentOf = memoFields(
	({ session, path, width, home, renderers, runs, forkedMs: forked, ...options }: DocumentInput) =>
		new ReaderDocument(
			{ session, path, place: placeOf(session, home), options, renderers, runs, forkedMs: forked },
			width,
		),
);

/** The entry being read: the marked one while it is visible, else the one at the top; the last one when the end is followed. */
export function currentEntry(state: State): SessionEntry | undefined {
	const reader = selectReader(state);
	return reader === undefined ? undefined : reader.document.path[currentIndex(state, reader)];
}

/** Index of that entry in the path. */
export function currentIndex({ reader: { atEnd, marked } }: State, { document, top, height }: Reader): number {
	if (atEnd) return Math.min(lastRow(document).entry, document.path.length - 1);
	const rows = rowsFrom(document, top, height);
	// An entry has been read if only the blank row below it is left.
	const [first, second] = rows;
	const isRead = (top.row > 0 || top.piece > 0) && first?.row === GAP && second !== undefined;
	const upper = isRead && second.at.entry > top.entry ? second.at.entry : top.entry;
	const index = marked === undefined ? undefined : document.indexOf(marked);
	if (index === undefined || index < upper) return upper;
	// Entries behind the last row show nothing; they are on the page too.
	const isLast = isEndVisible(document, top, height);
	const lower = isLast ? document.path.length - 1 : (rows.at(-1)?.at.entry ?? upper);
	return index <= lower ? index : upper;
}

/** What is in a row of the pane, from 0. */
export function readerRow(state: State, row: number): ReaderRow | undefined {
	const reader = selectReader(state);
	const at = row - digestAbove(state).length;
	return reader && rowsFrom(reader.document, reader.top, at + 1)[at]?.row;
}

/** The run of a subagent that is shown in a row of the pane, from 0. */
export function runAtRow(state: State, row: number): RunLine | undefined {
	const key = readerRow(state, row)?.run;
	return key === undefined ? undefined : selectRuns(state).lines.get(key);
}

/** Maximum width of prose on a page, in cells: longer rows are hard to read. */
const MEASURE = 100;
/** Cells of the left margin for turns, times and labels, including blanks. */
const MARGIN = 20;

export interface PageMargin {
	/** Cells of the margin, including blanks. */
	readonly margin: number;
	/** Cells of prose. */
	readonly measure: number;
	/** Cells of code, diffs and output: all beside the margin. */
	readonly wide: number;
}

/**
 * A full page has a margin, and prose of a limited width; diffs side by side need the cells of the margin. A pane begins one cell from
 * its border.
 */
export function pageMargin(state: State, width: number): PageMargin {
	const isPage = isFullPage(state);
	const margin = isPage && !state.reader.sideBySide && width >= MEASURE + MARGIN ? MARGIN : 1;
	const wide = Math.max(1, width - margin);
	return { margin, measure: isPage ? Math.min(MEASURE, wide) : wide, wide };
}
