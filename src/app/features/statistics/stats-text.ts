import type { CatalogStats } from "../../../catalog/stats/aggregate-stats.ts";
import { formatCost, formatCounted, formatSize, formatTokens } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { wrapLine } from "../../../ui/text/wrap.ts";
import { drawTableHeads, drawTableLine, INDENT, tableLayout } from "./draw-table.ts";
import { percentage, statsTables } from "./stats-tables.ts";
import { PART_CELL } from "./thin-bar.ts";

/** Indentation of continuation rows, in cells. */
const HANGING = 4;

/**
 * All statistics as text. With `columns`, lines fit that width: names are cut, and there are bars. Without it nothing is cut, and
 * the largest sessions show their paths.
 */
export function statsText(stats: CatalogStats, home: string, columns: number | undefined): Line[] {
	const tables = statsTables(stats, home, columns === undefined);
	const layout = tableLayout(tables, columns);
	const lines = summary(stats, layout.barWidth > 0);
	const sections = tables.flatMap((table) => [
		[],
		drawTableHeads(table, layout, ""),
		...Array.from({ length: table.count }, (_, index) =>
			drawTableLine(table, table.at(index), [span(" ".repeat(INDENT))], layout),
		),
	]);
	return [...(columns === undefined ? lines : lines.flatMap((line) => wrapLine(line, columns, HANGING))), ...sections];
}

/** The sum over all sessions, and the part on abandoned branches; with `hasBars`, also the sign for it in the bars. */
export function summary({ sessions, bytes, tokens, cost, abandoned }: CatalogStats, hasBars: boolean): Line[] {
	const part = `${formatCost(abandoned.cost)} (${percentage(abandoned.cost, cost)}), ${formatTokens(abandoned.tokens)}`;
	return [
		[
			span(`${formatCounted(sessions, "session")}, ${formatSize(bytes)}, ${formatTokens(tokens)}, `),
			strong(formatCost(cost)),
		],
		[span(`of that on abandoned branches${hasBars && abandoned.tokens > 0 ? ` ${PART_CELL}` : ""}: ${part}`, "muted")],
	];
}
