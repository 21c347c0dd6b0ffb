import type { CatalogStats, StatsLine } from "../../catalog/stats/aggregate-stats.ts";
import { largest } from "../../shared/largest.ts";
import { sessionTitle } from "../list/draw-row.ts";
import type { Line } from "../model/view.ts";
import { formatCost, formatCounted, formatSize, formatTokens, shortenHome } from "../text/format.ts";
import { blanks, type CleanText, cleanText, sanitizeLine } from "../text/sanitize.ts";
import { span, strong } from "../text/span.ts";
import { cutText, cutTextStart, padText, textWidth } from "../text/width.ts";
import { wrapLine } from "../text/wrap.ts";

/** A row of a table: a name, the value that the bar shows, and the numbers as text. */
interface TableRow {
	readonly name: string;
	readonly value: number;
	readonly numbers: readonly string[];
	/** Text after the numbers. */
	readonly remark?: string;
}

/** Titles are cut to this width, in cells: most are first messages. */
const TITLE_WIDTH = 60;
/** A name gets at most this part of a terminal. */
const NAME_SHARE = 0.4;
/** Cells before what of a line goes on in the next row. */
const HANGING = 4;
/** Cells of the longest bar: a shorter one would show nothing, a longer one no more. */
const BAR = { least: 6, most: 40 } as const;

/**
 * What the sessions cost and weigh. `columns` is the width to fit: names are cut, and there are bars. Without it the text is
 * complete, with the paths of the largest sessions.
 */
export function statsText(stats: CatalogStats, home: string, columns: number | undefined): Line[] {
	const project = (cwd: string): string => shortenHome(cwd, home) || "(no directory)";
	const sections: readonly (readonly [title: string, rows: readonly TableRow[]])[] = [
		[
			"By project",
			stats.projects.map((line) => ({ ...spent(line, project(line.key)), remark: formatSize(line.bytes) })),
		],
		["By model", stats.models.map((line) => spent(line, line.key))],
		["By month", stats.months.map((line) => spent(line, line.key || "(no date)"))],
		[
			"Size by type of entry",
			stats.types.map(({ type, bytes }) => ({
				name: type,
				value: bytes,
				numbers: [formatSize(bytes), percentage(bytes, stats.bytes)],
			})),
		],
		[
			"Largest sessions",
			stats.largest.map((row) => ({
				name: cutText(sessionTitle(row), TITLE_WIDTH),
				value: row.size,
				numbers: [formatSize(row.size)],
				remark: columns === undefined ? row.path : project(row.cwd),
			})),
		],
	];
	const filled = sections.filter(([, rows]) => rows.length > 0);
	return [...summary(stats, columns), ...filled.flatMap(([title, rows]) => section(title, rows, columns))];
}

function summary({ sessions, bytes, tokens, cost, abandoned }: CatalogStats, columns: number | undefined): Line[] {
	const part = `${formatCost(abandoned.cost)} (${percentage(abandoned.cost, cost)}), ${formatTokens(abandoned.tokens)}`;
	const lines: Line[] = [
		[span(`${formatCounted(sessions, "session")}, ${formatSize(bytes)}, ${formatTokens(tokens)}, `), total(cost)],
		[span(`of that on abandoned branches: ${part}`, "muted")],
	];
	return columns === undefined ? lines : lines.flatMap((line) => wrapLine(line, columns, HANGING));
}

function total(cost: number): Line[number] {
	return strong(formatCost(cost));
}

function spent({ cost, tokens, sessions }: StatsLine, name: string): TableRow {
	return { name, value: cost, numbers: [formatCost(cost), formatTokens(tokens), formatCounted(sessions, "session")] };
}

function percentage(part: number, whole: number): string {
	return `${whole === 0 ? 0 : Math.round((part / whole) * 100)} %`;
}

function section(title: string, rows: readonly TableRow[], columns: number | undefined): Line[] {
	return [[], [strong(title, "accent")], ...table(rows, columns)];
}

/** Aligned columns: name, bar, numbers, remark. */
function table(rows: readonly TableRow[], columns: number | undefined): Line[] {
	const names = rows.map(({ name }) => cutName(sanitizeLine(name), columns));
	const nameWidth = largest(names.map(textWidth));
	const numbers = rows.map(alignNumbers(rows));
	const remarkWidth = largest(rows.map(({ remark = "" }) => textWidth(sanitizeLine(remark))));
	const used = 2 + nameWidth + 2 + largest(numbers.map(({ length }) => length)) + 2 + Math.min(remarkWidth, 24);
	const room = columns === undefined ? 0 : columns - used - 2;
	const barWidth = room < BAR.least ? 0 : Math.min(room, BAR.most);
	const most = largest(rows.map(({ value }) => value));
	return rows.flatMap(({ value, remark }, index) => {
		const bar = "█".repeat(most === 0 ? 0 : Math.round((value / most) * barWidth));
		const line: Line = [
			span(`  ${padText(names[index] ?? blanks(0), nameWidth)}  `),
			...(barWidth === 0 ? [] : [span(`${padText(cleanText(bar), barWidth)}  `, "accent")]),
			span(numbers[index] ?? ""),
			...(remark === undefined ? [] : [span(`  ${sanitizeLine(remark)}`, "muted")]),
		];
		return columns === undefined ? [line] : wrapLine(line, columns, HANGING);
	});
}

/** A path keeps its end, any other name its beginning. */
function cutName(name: CleanText, columns: number | undefined): CleanText {
	if (columns === undefined) return name;
	const width = Math.floor(columns * NAME_SHARE);
	return name.includes("/") ? cutTextStart(name, width) : cutText(name, width);
}

function alignNumbers(rows: readonly TableRow[]): (row: TableRow) => string {
	const widths = (rows[0]?.numbers ?? []).map((_, column) =>
		largest(rows.map(({ numbers }) => numbers[column]?.length ?? 0)),
	);
	return ({ numbers }) => numbers.map((text, column) => text.padStart(widths[column] ?? 0)).join("  ");
}
