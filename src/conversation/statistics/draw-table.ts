import type { CatalogStats } from "../../catalog/stats/aggregate-stats.ts";
import { largest } from "../../shared/columns.ts";
import { formatCost, formatCounted, formatDuration, formatSize, formatTokens } from "../../ui/text/format.ts";
import { type Line, span, strong } from "../../ui/text/line.ts";
import { blanks, type CleanText } from "../../ui/text/sanitize.ts";
import {
	cutLine,
	cutText,
	cutTextStart,
	cutWords,
	joinEnds,
	lineWidth,
	padText,
	textWidth,
} from "../../ui/text/width.ts";
import { wrapLine } from "../../ui/text/wrap.ts";
import { percentage, type StatsTable, statsTables, type TableLine, WIDEST_TITLE } from "./stats-tables.ts";

/** The layout of the lines, the same in all tables. */
export interface TableLayout {
	/** Cells of a line; undefined if it is not limited. */
	readonly width: number | undefined;
	readonly nameWidth: number;
	/** 0 if there are no bars. */
	readonly barWidth: number;
}

/** Cells before a name. */
export const INDENT = 2;
const GAP = 2;
/** A name gets at most this share of a line. */
const NAME_SHARE = 0.4;
/** Cells of the longest bar: a shorter one would be useless, a longer one would not show more. */
const BAR = { least: 6, most: 40 } as const;

/** The layout for tables in lines of `width` cells; without a width nothing is cut, and there are no bars. */
export function tableLayout(tables: readonly StatsTable[], width: number | undefined): TableLayout {
	const titles = largest(tables.map(({ title }) => title.length)) - INDENT;
	const names = Math.max(titles, ...tables.map((table) => widestName(table)));
	if (width === undefined) return { width, nameWidth: names, barWidth: 0 };
	const numbers = largest(tables.map((table) => numbersWidth(table, width)));
	const nameWidth = Math.min(names, Math.floor(width * NAME_SHARE), width - INDENT - numbers);
	const room = width - INDENT - nameWidth - GAP - numbers;
	return { width, nameWidth, barWidth: room < BAR.least ? 0 : Math.min(room, BAR.most) };
}

function widestName(table: StatsTable): number {
	let widest = 0;
	const most = table.id === "session" ? WIDEST_TITLE : Number.POSITIVE_INFINITY;
	for (let index = 0; index < table.count; index++) widest = Math.max(widest, textWidth(table.at(index).name));
	return Math.min(widest, most);
}

function shownColumns({ columns }: StatsTable, width: number | undefined): StatsTable["columns"] {
	return columns.filter(({ from }) => width === undefined || width >= from);
}

function numbersWidth(table: StatsTable, width: number | undefined): number {
	return shownColumns(table, width).reduce((sum, column) => sum + GAP + column.width, 0);
}

/** The title of a table, `lead` cells from the edge, and the heads of its columns. */
export function drawTableHeads(table: StatsTable, layout: TableLayout, lead: number): Line {
	const heads = shownColumns(table, layout.width).map(({ id, width }) =>
		span(`${" ".repeat(GAP)}${id.padStart(width)}`, "muted"),
	);
	const start = INDENT + layout.nameWidth + (layout.barWidth === 0 ? 0 : GAP + layout.barWidth);
	const title: Line = [{ text: blanks(lead) }, strong(table.title, "heading")];
	const noted: Line = table.note === undefined ? title : [...title, span(`  ${table.note}`)];
	return joinEnds(lineWidth(noted) <= start ? noted : title, heads, start + numbersWidth(table, layout.width));
}

/** A line of a table: a sign of `INDENT` cells, its name, a bar, its numbers. */
export function drawTableLine(table: StatsTable, line: TableLine, sign: Line, layout: TableLayout): Line {
	const { nameWidth, barWidth, width } = layout;
	const { name, value, part, numbers } = line;
	const visibleColumns = new Set(shownColumns(table, width));
	const texts = table.columns.flatMap((column, index) =>
		visibleColumns.has(column) ? [`${" ".repeat(GAP)}${(numbers[index] ?? "").padStart(column.width)}`] : [],
	);
	const drawn: Line = [
		...sign,
		span(padText(cutName(table, name, nameWidth), nameWidth)),
		...(barWidth === 0 ? [] : [span(" ".repeat(GAP)), ...thinBar(value, part, table.most, barWidth)]),
		span(texts.join("")),
	];
	return width === undefined ? drawn : cutLine(drawn, width);
}

/** A title is cut behind a word, a path at its start, any other name at its end. */
function cutName({ id }: StatsTable, name: CleanText, width: number): CleanText {
	if (id === "session") return cutWords(name, width);
	return /[/\\]/.test(name) ? cutTextStart(name, width) : cutText(name, width);
}

/** A cell of a thin bar, half a cell, and a cell of the highlighted part, which differs in shape as well as in color. */
const CELL = "━";
const HALF = "╸";
const PART_CELL = "╍";

/**
 * A thin bar in `width` cells: `value` relative to `most`, and its last `part` in another shape. A value above 0 is always visible,
 * and a part smaller than the value never fills the bar.
 */
export function thinBar(value: number, part: number, most: number, width: number): Line {
	if (width <= 0) return [];
	const halves = most > 0 && value > 0 ? Math.max(1, Math.round((Math.min(value, most) / most) * width * 2)) : 0;
	const [start, end] = part > 0 && halves > 1 ? inTwo(Math.round(halves / 2), part / value) : [inHalves(halves), ""];
	return [span(start, "verb"), span(end, "muted"), { text: blanks(width - start.length - end.length) }];
}

function inHalves(halves: number): string {
	return CELL.repeat(Math.floor(halves / 2)) + (halves % 2 === 0 ? "" : HALF);
}

function inTwo(cells: number, share: number): [string, string] {
	const most = share >= 1 ? cells : cells - 1;
	const part = Math.min(most, Math.max(1, Math.round(cells * share)));
	return [CELL.repeat(cells - part), PART_CELL.repeat(part)];
}

/** Indentation of continuation rows, in cells. */
const HANGING = 4;

/** All statistics as text. With `columns`, names are cut to fit, and there are bars; without, nothing is cut. */
export function statsText(
	stats: CatalogStats,
	home: string,
	titles: readonly string[],
	columns: number | undefined,
): Line[] {
	const tables = statsTables(stats, home, titles);
	const layout = tableLayout(tables, columns);
	const lines = summary(stats, layout.barWidth > 0);
	const sections = tables.flatMap((table) => [
		[],
		drawTableHeads(table, layout, 0),
		...Array.from({ length: table.count }, (_, index) =>
			drawTableLine(table, table.at(index), [span(" ".repeat(INDENT))], layout),
		),
	]);
	return [...(columns === undefined ? lines : lines.flatMap((line) => wrapLine(line, columns, HANGING))), ...sections];
}

/**
 * The sum over all sessions, the part on branches that were left, with `hasBars` also the sign for it in the bars, and in how many sessions
 * something is of unknown price.
 */
export function summary(
	{ sessions, runs, bytes, tokens, cost, abandoned, unpriced, workedMs }: CatalogStats,
	hasBars: boolean,
): Line[] {
	const part = `${formatCost(abandoned.cost)} (${percentage(abandoned.cost, cost)}), ${formatTokens(abandoned.tokens)}`;
	const hasAbandoned = abandoned.cost !== 0 || abandoned.tokens > 0;
	const below = runs === 0 ? "" : ` and ${formatCounted(runs, "run")}`;
	const work = workedMs === 0 ? "" : `${formatDuration(workedMs)} of work, `;
	return [
		[
			span(
				`${formatCounted(sessions - runs, "session")}${below}, ${formatSize(bytes)}, ${formatTokens(tokens)}, ${work}`,
			),
			strong(formatCost(cost)),
		],
		...(hasAbandoned
			? [[span(`of that on branches that were left${hasBars ? ` ${PART_CELL}` : ""}: ${part}`, "muted")]]
			: []),
		...(unpriced === 0
			? []
			: [[span(`without answers of unknown price in ${formatCounted(unpriced, "session")}`, "warning")]]),
	];
}
