import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import { backward, comparePositions, rowsFrom } from "../../../conversation/document/walk.ts";
import { entryEnd } from "../../../conversation/entries/entry-facts.ts";
import { callOf } from "../../../conversation/entries/tool-call.ts";
import type { DiffLine } from "../../../conversation/render/diff-lines.ts";
import type { ShownFileLine } from "../../../conversation/terminal/piece.ts";
import { toolPath } from "../../../store/format/tool-change.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { type Line, lineText } from "../../../ui/text/line.ts";
import { isSameLine, openBlame } from "../../world/opened/blame-lines.ts";
import { openComment } from "../../world/opened/comment-lines.ts";
import { currentIndex, type Reader, selectReader } from "../../world/opened/select-reader.ts";
import { layoutFor } from "../../world/screen/layout.ts";
import type { BlameSource } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { scrolledTo } from "./scroll.ts";

/** Opens the field for a comment on that line; where there is none, on a row of the entry that is read. */
export function commentInReader(state: State): State {
	const reader = selectReader(state);
	const session = state.detail.session;
	if (reader === undefined || session === undefined) return state;
	const { document, top, height } = reader;
	const entry = currentIndex(state, reader);
	const id = document.path[entry]?.id ?? "";
	const entryOf = (): string => id;
	const line = lineInSight(state);
	const path = line && toolPath(line.file.path, session.header?.cwd ?? "", state.environment.home);
	if (line?.at.entry === entry && path !== undefined) {
		const lines = linesOfFile(document, line);
		const at = lines.findIndex((one) => isSameLine(one, line.file.line));
		return openComment(state, { path, lines, entryOf }, at);
	}
	const texts = rowsFrom(document, top, height).flatMap(({ at, row }) => {
		const text = at.entry === entry ? wordsOf(row.line) : "";
		return text === "" ? [] : { kind: "same" as const, text };
	});
	return openComment(state, { path: undefined, lines: texts, entryOf }, 0);
}

/** What a row says, without its sign and what is noted beside it; of one that is dim as a whole, all of it. */
function wordsOf(line: Line): string {
	const words = lineText(line.filter(({ tone }) => tone !== "muted")).trim();
	return words.replace(/^[❯▸$!] /, "") || lineText(line).trim();
}

/** The lines that an entry shows of the file of one of them. */
function linesOfFile(document: ReaderDocument, { at, file }: PlacedLine): readonly DiffLine[] {
	return [...linesOf(document, at.entry)].flatMap((other) => (other.file.path === file.path ? other.file.line : []));
}

/** The first line of a file in sight: of the entry that is read, else of any; a changed one before others. */
function lineInSight(state: State): PlacedLine | undefined {
	const reader = selectReader(state);
	if (reader === undefined) return undefined;
	const { document, top, height } = reader;
	const rows = rowsFrom(document, top, height).flatMap(({ at, row: { file } }) =>
		file === undefined ? [] : { at, file },
	);
	const current = currentIndex(state, reader);
	const ownRows = rows.filter(({ at }) => at.entry === current);
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
	const line = lineInSight(state);
	if (reader === undefined || session === undefined || line === undefined) return state;
	const { file, at } = line;
	const path = toolPath(file.path, session.header?.cwd ?? "", state.environment.home);
	const id = reader.document.path[at.entry]?.id;
	if (path === undefined || id === undefined) return state;
	const addedBy = isEdit(id, session) ? id : undefined;
	const lines = linesOfFile(reader.document, line).map((one) => (one.kind === "added" ? { ...one, addedBy } : one));
	const index = lines.findIndex((one) => isSameLine(one, file.line));
	return openBlame(state, { session, path, lines, first: id, last: id }, index, sourceOf(id));
}

/** A line of a file, and the first row that shows it. */
interface PlacedLine {
	readonly at: Position;
	readonly file: ShownFileLine;
}

/** The lines of files that an entry shows, each once. */
function* linesOf(document: ReaderDocument, entry: number): Generator<PlacedLine> {
	let last: DiffLine | undefined;
	for (const piece of document.pieces(entry).keys()) {
		for (const [row, { file }] of document.rows(entry, piece).entries()) {
			if (file === undefined || (last !== undefined && isSameLine(last, file.line))) continue;
			last = file.line;
			yield { at: { entry, piece, row }, file };
		}
	}
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
	const placeOf = (reader: Reader | undefined, line: DiffLine) => {
		const entry = reader?.document.indexOf(entryId);
		if (reader === undefined || entry === undefined) return undefined;
		const { document, top, height } = reader;
		const at = linesOf(document, entry).find(({ file }) => isSameLine(file.line, line))?.at;
		if (at === undefined) return undefined;
		return {
			document,
			at,
			row: rowsFrom(document, top, height).findIndex((one) => comparePositions(one.at, at) === 0),
		};
	};
	return {
		rowOf(state, line) {
			const { row = -1 } = placeOf(selectReader(state), line) ?? {};
			const box = layoutFor(state).reader;
			return box === undefined || row === -1 ? undefined : box.y + row;
		},
		show(state, line) {
			const reader = selectReader(state);
			const place = placeOf(reader, line);
			if (reader === undefined || place === undefined) return state;
			const { document, at, row } = place;
			// The box is above or below the line: in a low pane there is only room for it below the first row.
			const isLow = reader.height < LEAST_HEIGHT;
			const top = isLow ? at : row === -1 ? backward(document, at, Math.floor(reader.height / 3)) : reader.top;
			return scrolledTo(state, document, top, { mark: at.entry });
		},
	};
}
