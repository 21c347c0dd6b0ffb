import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import { backward, rowsFrom } from "../../../conversation/document/walk.ts";
import { entryEnd } from "../../../conversation/entries/entry-facts.ts";
import { callOf } from "../../../conversation/entries/tool-call.ts";
import type { FileLine } from "../../../conversation/terminal/piece.ts";
import { toolPath } from "../../../store/format/tool-change.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { isSameLine, openBlame } from "../../world/opened/blame-lines.ts";
import { currentIndex, type Reader, selectReader } from "../../world/opened/select-reader.ts";
import { layoutFor } from "../../world/screen/layout.ts";
import type { BlameSource, LineOnScreen } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { scrolledTo } from "./scroll.ts";

/** The first line of a file in sight: of the entry that is read, else of any; a changed one before others. */
function lineInSight(state: State): { readonly entry: number; readonly file: FileLine } | undefined {
	const reader = selectReader(state);
	if (reader === undefined) return undefined;
	const { document, top, height } = reader;
	const rows = rowsFrom(document, top, height).flatMap(({ at, row }) => {
		return row.file === undefined ? [] : [{ entry: at.entry, file: row.file }];
	});
	const current = currentIndex(state, reader);
	const ownRows = rows.filter(({ entry }) => entry === current);
	const choices = ownRows.length > 0 ? ownRows : rows;
	return choices.find(({ file }) => file.line.kind !== "same") ?? choices[0];
}

export function whyNoLine(state: State): string | undefined {
	return lineInSight(state) === undefined
		? "No line of a file is in sight: o unfolds what was read or changed"
		: undefined;
}

/** Opens the box that says who wrote the first line in sight; the arrow keys go to the other ones of that diff or file. */
export function blameInReader(state: State): State {
	const reader = selectReader(state);
	const session = state.detail.session;
	const first = lineInSight(state);
	if (reader === undefined || session === undefined || first === undefined) return state;
	const path = toolPath(first.file.path, session.header?.cwd ?? "", state.environment.home);
	const entryId = reader.document.path[first.entry]?.id;
	if (path === undefined || entryId === undefined) return state;
	const lines = linesOf(reader.document, first.entry)
		.filter((file) => file.path === first.file.path)
		.map((file) => lineOnScreen(file, entryId, session));
	const at = lines.findIndex(({ drawn }) => isSameLine(drawn, first.file.line));
	return openBlame(state, { session, path, lines }, at, sourceOf(entryId));
}

/** The lines of files that an entry shows, each once. */
function linesOf(document: ReaderDocument, entry: number): readonly FileLine[] {
	const lines: FileLine[] = [];
	for (const piece of document.pieces(entry).keys()) {
		for (const { file } of document.rows(entry, piece)) {
			const last = lines.at(-1);
			if (file !== undefined && (last === undefined || !isSameLine(last.line, file.line))) lines.push(file);
		}
	}
	return lines;
}

function lineOnScreen({ line }: FileLine, entryId: string, session: Session): LineOnScreen {
	const isBefore = line.kind === "removed";
	return {
		drawn: line,
		text: line.text,
		number: isBefore ? line.before : (line.after ?? line.before),
		asOf: entryId,
		isBefore,
		addedBy: line.kind === "added" && isEdit(entryId, session) ? entryId : undefined,
	};
}

/** Whether an entry is the result of an edit, whose diff has only what is new; a write shows all lines of the file. */
function isEdit(entryId: string, session: Session): boolean {
	const entry = session.tree.byId.get(entryId);
	const call = entry && callOf(entry, session);
	return call?.name === "edit" && entry !== undefined && entryEnd(entry, session) === "ok";
}

/** Rows of a pane in which a line in the middle has room for the box on one side. */
const LEAST_HEIGHT = 16;

function sourceOf(entryId: string): BlameSource {
	return {
		rowOf(state, line) {
			const reader = selectReader(state);
			const box = layoutFor(state).reader;
			const at = reader === undefined ? -1 : rowInSight(reader, entryId, line);
			return box === undefined || at === -1 ? undefined : box.y + at;
		},
		show(state, line) {
			const reader = selectReader(state);
			const entry = reader?.document.indexOf(entryId);
			if (reader === undefined || entry === undefined) return state;
			const at = rowInSight(reader, entryId, line);
			// The box is above or below the line: in a low pane there is only room for it below the first row.
			const isLow = reader.height < LEAST_HEIGHT;
			if (at !== -1 && !isLow) return scrolledTo(state, reader.document, reader.top, { mark: entry });
			const position = positionOf(reader.document, entry, line);
			if (position === undefined) return state;
			const top = backward(reader.document, position, isLow ? 0 : Math.floor(reader.height / 3));
			return scrolledTo(state, reader.document, top, { mark: entry });
		},
	};
}

/** The row of the pane that shows a line, from 0; -1 if none does. */
function rowInSight({ document, top, height }: Reader, entryId: string, { drawn }: LineOnScreen): number {
	return rowsFrom(document, top, height).findIndex(
		({ at, row }) =>
			document.path[at.entry]?.id === entryId && row.file !== undefined && isSameLine(row.file.line, drawn),
	);
}

function positionOf(document: ReaderDocument, entry: number, { drawn }: LineOnScreen): Position | undefined {
	for (const piece of document.pieces(entry).keys()) {
		const row = document.rows(entry, piece).findIndex(({ file }) => file !== undefined && isSameLine(file.line, drawn));
		if (row !== -1) return { entry, piece, row };
	}
	return undefined;
}
