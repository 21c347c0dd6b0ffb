import type { DiffLine } from "../../../conversation/render/diff-lines.ts";
import { fileDiffRows } from "../../../conversation/render/render-diff.ts";
import type { Renderers } from "../../../conversation/render/renderers.ts";
import type { SessionEdit } from "../../../edits/session-files.ts";
import { memoEach, memoLast } from "../../../shared/memo.ts";
import { cursorIndex, type PageCursor, type PageRow } from "../../../ui/page/page-rows.ts";
import { type Line, type Span, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { wrapText } from "../../../ui/text/wrap.ts";

/** One of the diffs of a file: of the whole file, or of an edit. */
export interface TitledDiff {
	/** "" for none. */
	readonly title: string;
	readonly lines: readonly DiffLine[];
	readonly edit?: SessionEdit;
}

/** A file on a page that shows the diffs of files one below the other; the same object as long as nothing of it changes. */
export interface DiffedFile {
	/** As it is shown: it identifies the file on its page, and says in which language it is. */
	readonly path: string;
	/** Sentences above its diffs. */
	readonly notes: readonly string[];
	readonly diffs: readonly TitledDiff[];
}

export interface DiffRow<File extends DiffedFile> extends PageRow {
	readonly file: File;
	/** Its index among the rows below the heading of the file; -1 for the heading. */
	readonly index: number;
	/** The diff that it belongs to; undefined for headings, notes and blank rows. */
	readonly diff: TitledDiff | undefined;
	/** The lines that it shows: none for a title, side by side up to two. */
	readonly shows: readonly DiffLine[];
}

export interface DiffLayout {
	/** Cells of a row without the cursor. */
	readonly cells: number;
	/** Whether old and new lines are side by side. */
	readonly isSplit: boolean;
}

/** From this width of the screen on, old and new lines are side by side. */
const SPLIT_COLUMNS = 110;
/** Cells of `rowLead`. */
export const LEAD_CELLS = 2;

/** The layout on a screen of this width. `isSplit`: what the person has chosen, if they have. */
export function diffLayout(columns: number, isSplit = columns >= SPLIT_COLUMNS): DiffLayout {
	return { cells: columns - LEAD_CELLS, isSplit };
}

/** The rows of files, one below the other; of those that are not open only the heading. */
export function diffRowsOf<File extends DiffedFile>(
	files: readonly File[],
	isOpen: (file: File) => boolean,
	{ cells, isSplit }: DiffLayout,
): readonly DiffRow<File>[] {
	return files.flatMap((file): readonly DiffRow<File>[] => {
		const heading = { key: file.path, file, index: -1, diff: undefined, shows: [] };
		if (!isOpen(file)) return [heading];
		const rows = plainRows(file)(cells, isSplit).map(
			({ diff, shows, isBlank }, index): DiffRow<File> => ({
				...{ key: `${index} ${file.path}`, file, index, diff, shows },
				...(isBlank ? { isSkipped: true } : {}),
			}),
		);
		return [heading, ...rows];
	});
}

/** A row below the heading of a file, in the colors of its language: those of a file are found when its first row is drawn. */
export function drawDiffRow(
	{ file, index }: DiffRow<DiffedFile>,
	{ cells, isSplit }: DiffLayout,
	renderers: Renderers | undefined,
	lead: Line,
): Line {
	return [...lead, ...(coloredRows(file)(cells, isSplit, renderers)[index]?.line ?? [])];
}

/** What a row begins with: the cursor, and a sign of one cell. */
export function rowLead(selected: boolean, sign: Span = span(" ")): Line {
	return [span(selected ? "›" : " ", "accent"), sign];
}

/** The cursor on the heading of the next or previous file, which comes to the top; undefined where there is none. */
export function cursorOnFile(
	rows: readonly DiffRow<DiffedFile>[],
	cursor: PageCursor,
	by: 1 | -1,
): PageCursor | undefined {
	const from = cursorIndex(cursor, rows);
	const isOther = ({ index }: DiffRow<DiffedFile>, at: number) => index === -1 && (at - from) * by > 0;
	const at = by === 1 ? rows.findIndex(isOther) : rows.findLastIndex(isOther);
	const row = rows[at];
	return row && { selected: row.key, index: at, top: at };
}

interface LaidOutRow extends Pick<DiffRow<DiffedFile>, "diff" | "shows"> {
	readonly line: Line;
	readonly isBlank?: true;
}

/** Colors change no row, so the rows of all files are counted without, and only files in sight have them. */
const plainRows = memoEach((file: DiffedFile) =>
	memoLast((cells: number, isSplit: boolean) => layOut(file, cells, isSplit, undefined)),
);

const coloredRows = memoEach((file: DiffedFile) =>
	memoLast((cells: number, isSplit: boolean, renderers: Renderers | undefined) =>
		layOut(file, cells, isSplit, renderers),
	),
);

function layOut(
	{ path, notes, diffs }: DiffedFile,
	cells: number,
	isSplit: boolean,
	renderers: Renderers | undefined,
): readonly LaidOutRow[] {
	const text = (line: Line, diff?: TitledDiff): LaidOutRow => ({ line, diff, shows: [] });
	return [
		...notes.flatMap((note) =>
			wrapText(sanitizeLine(note), cells).map((line) => text([{ text: line, tone: "muted" }])),
		),
		...diffs.flatMap((diff) => [
			...(diff.title === "" ? [] : [text([span(diff.title, "accent")], diff)]),
			...fileDiffRows(path, diff.lines, cells, isSplit, renderers).map((row) => ({ ...row, diff })),
		]),
		{ ...text([]), isBlank: true },
	];
}
