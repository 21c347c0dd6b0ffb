import { NO_QUERY } from "../../../catalog/query/parse-query.ts";
import { branchHeading, type PrintSettings, printedRows } from "../../../conversation/document/printed-rows.ts";
import type { PassageScope } from "../../../conversation/entries/passages.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { loadRenderers } from "../../../conversation/render/renderers.ts";
import { drawTreeRow } from "../../../conversation/tree/draw-row.ts";
import { ALL_BRANCHES, drawTree } from "../../../conversation/tree/draw-tree.ts";
import { NO_RUNS, type RowKind } from "../../../conversation/tree/tree-rows.ts";
import { TimeSlice } from "../../../shared/steps.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { columnsOf } from "../../../terminal/terminal.ts";
import { formatDayTime, shortenHome } from "../../../ui/text/format.ts";
import { type Line, lineText, span } from "../../../ui/text/line.ts";
import { blanks, sanitizeLine, startOf } from "../../../ui/text/sanitize.ts";
import { cutLine } from "../../../ui/text/width.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import type { ReadTarget } from "../../find/find-target.ts";
import { printLines, printRows } from "../../print/output.ts";
import { hasColors, type PaintedRow } from "../../print/paint.ts";
import { Limit, namedEntry, passagesFrom } from "./limit.ts";

/** Columns when stdout is not a terminal. */
const COLUMNS = 100;
/** Rows that are written at once. With more, the garbage lives long enough to reach the old generation of the heap. */
const BATCH = 50;

/** The width in cells: from `--width`, else the terminal's. */
export function widthFor({ width = columnsOf(process.stdout) ?? COLUMNS }: Arguments): number {
	return width;
}

/** Prints a conversation as the reader shows it; returns the number of folded places. */
export async function showText(read: ReadTarget, scope: PassageScope, args: Arguments): Promise<number> {
	const { name, offset } = read;
	const printing = await printingFor(read, args);
	const { width } = printing;
	const limit = new Limit(args.maxChars, offset);
	const slice = new TimeSlice();
	let foldedAll = 0;
	let batch: PaintedRow[] = [];
	if (offset === undefined && scope.of !== "entry" && scope.of !== "turn") await printLines(headLines(read, width));
	for (const { rows, folded } of rowsWithin(limit, read, scope, printing)) {
		batch.push(...rows);
		foldedAll += folded;
		if (batch.length >= BATCH) {
			await printRows(batch, width);
			batch = [];
		} else if (slice.shouldYield()) await slice.yieldToEventLoop();
	}
	await printRows(batch, width);
	if (limit.next !== undefined) await printLines([[span(limit.notice(name))]]);
	return foldedAll;
}

/** The last entry that `showText` prints, at least in part. */
export async function lastInText(
	read: ReadTarget,
	scope: PassageScope,
	args: Arguments,
): Promise<SessionEntry | undefined> {
	let last: SessionEntry | undefined;
	const limit = new Limit(args.maxChars, read.offset);
	for (const { entry } of rowsWithin(limit, read, scope, await printingFor(read, args))) last = entry ?? last;
	return last;
}

async function printingFor({ home }: ReadTarget, args: Arguments): Promise<PrintSettings> {
	const full = args.full === true;
	return { width: widthFor(args), home, full, colored: hasColors(), renderers: await loadRenderers() };
}

/** The rows of an entry; without one, those between two branches. */
interface RowsWithin {
	readonly entry?: SessionEntry;
	readonly rows: readonly PaintedRow[];
	/** Number of folded places; those that were cut off do not count. */
	readonly folded: number;
}

function* rowsWithin(
	limit: Limit,
	read: ReadTarget,
	scope: PassageScope,
	printing: PrintSettings,
): Generator<RowsWithin> {
	for (const passage of passagesFrom(read, scope)) {
		if (limit.next !== undefined) return;
		yield { rows: branchHeading(read.session, passage, printing).map((line) => ({ line })), folded: 0 };
		for (const { entry, rows, folded } of printedRows(read.session, passage, printing)) {
			limit.begin(namedEntry(scope, entry.id));
			const fitting = rows.filter(({ line }) => limit.row(lineText(line)));
			const isCut = limit.next !== undefined;
			yield { entry, rows: fitting, folded: isCut ? 0 : folded };
			if (isCut) return;
		}
	}
}

/** The heading of a session: its title, and below that its directory, its last activity and its id. */
export function headLines({ row, home }: Pick<ReadTarget, "row" | "home">, width: number): Line[] {
	const facts = [shortenHome(row.cwd, home), formatDayTime(row.modified.getTime(), Date.now()), row.id]
		.map((fact) => sanitizeLine(fact))
		.filter((fact) => fact !== "");
	const title: Line = [{ text: sessionTitle(row), tone: "heading", bold: true }];
	return [cutLine(title, width), cutLine([span(facts.join(" · "), "muted")], width), []];
}

/** Cells of the ids in front of the rows: pi's ids have eight characters; two blanks follow. */
const ID = 8;
const ID_COLUMN = ID + 2;
/** Rows of the tree that are written at once. */
const TREE_BATCH = 500;
/** Kinds of rows that show the id of an entry. */
const WITH_ID: ReadonlySet<RowKind> = new Set<RowKind>(["entry", "folded", "opened"]);

/** Prints the tree of a session as its pane shows it, with the id of each entry in front; returns the number of folded branches. */
export async function showTree(read: ReadTarget, args: Arguments): Promise<number> {
	const { session, entry, home } = read;
	const width = widthFor(args);
	const opened = new Set(args.all === true ? [ALL_BRANCHES] : []);
	const input = {
		session,
		filter: "default",
		query: NO_QUERY,
		pinned: entry?.id,
		home,
		opened,
		folded: new Set<string>(),
		runs: NO_RUNS,
		forkedMs: undefined,
		digestRows: undefined,
	} as const;
	const slice = new TimeSlice();
	const { rows } = (await slice.run(drawTree(input, undefined))).tree;
	const selected = entry === undefined ? -1 : session.entries.indexOf(entry);
	const drawing = {
		width: Math.max(1, width - ID_COLUMN),
		session,
		columns: rows.columns,
		place: placeOf(session, home),
		details: "outcome",
		isTurns: false,
		query: NO_QUERY,
		isHit: false,
		now: Date.now(),
	} as const;
	await printLines(headLines(read, width));
	let folded = 0;
	let batch: PaintedRow[] = [];
	for (let number = 0; number < rows.length; number++) {
		const { kind } = rows.at(number) ?? {};
		const index = kind !== undefined && WITH_ID.has(kind) ? rows.subjectAt(number) : -1;
		const drawn = drawTreeRow(rows, number, { ...drawing, selected: index !== -1 && index === selected });
		if (kind === "folded") folded++;
		const id = startOf(sanitizeLine(session.entries[index]?.id ?? ""), ID);
		batch.push({ ...drawn, line: [span(id, "muted"), { text: blanks(ID_COLUMN - id.length) }, ...drawn.line] });
		if (batch.length >= TREE_BATCH) {
			await printRows(batch, width);
			batch = [];
		} else if (slice.shouldYield()) await slice.yieldToEventLoop();
	}
	await printRows(batch, width);
	return folded;
}
