import type { CatalogStats, StatsLine } from "../../catalog/stats.ts";
import { sessionTitle } from "../list/draw-row.ts";
import { memoLast } from "../memo.ts";
import { formatCost, formatCounted, formatSize, formatTokens, shortenHome } from "../text/format.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { cutText, cutTextStart, padText } from "../text/width.ts";
import type { Line } from "../view.ts";

/** Lines of one section; what is left is added up in a last one. */
const LONGEST = 12;
/** Parts of the width that a name and a bar get. */
const NAME_SHARE = 0.32;
const BAR_SHARE = 0.24;

/** What all sessions cost and weigh, with bars, in lines of `width` cells. */
export const statsLines = memoLast((stats: CatalogStats | undefined, home: string, width: number): readonly Line[] => {
	if (stats === undefined) return [[{ text: " Counting …", tone: "muted" }]];
	return [
		...summary(stats),
		...costs("By project", rest(stats.projects), (key) => shortenHome(key, home) || "(no directory)", width),
		...costs("By model", rest(stats.models), (key) => key, width),
		...costs("By month", stats.months, (key) => key || "(no date)", width),
		...section("Size by kind of entry"),
		...bars(
			stats.types.map(({ type, bytes }) => ({ name: type, value: bytes, right: formatSize(bytes) })),
			width,
		),
		...section("Largest sessions"),
		...bars(
			stats.largest.map((row) => ({ name: sessionTitle(row), value: row.size, right: formatSize(row.size) })),
			width,
		),
	];
});

function summary({ sessions, counted, bytes, tokens, cost, abandoned }: CatalogStats): Line[] {
	const share = cost === 0 ? 0 : Math.round((abandoned.cost / cost) * 100);
	const lines: Line[] = [
		[
			{ text: ` ${formatCounted(sessions, "session")} · ${formatSize(bytes)} · ${formatTokens(tokens)} · ` },
			{ text: formatCost(cost), bold: true },
		],
		[
			{
				text: ` on abandoned branches ${formatCost(abandoned.cost)}, ${share} % · ${formatTokens(abandoned.tokens)}`,
				tone: "muted",
			},
		],
	];
	if (counted < sessions) {
		lines.push([{ text: ` ${formatCounted(sessions - counted, "session")} not counted yet`, tone: "warning" }]);
	}
	return lines;
}

function section(title: string): Line[] {
	return [[{ text: "" }], [{ text: ` ${title}`, tone: "accent", bold: true }]];
}

function costs(title: string, lines: readonly StatsLine[], nameOf: (key: string) => string, width: number): Line[] {
	const rows = lines.map(({ key, cost, tokens, sessions }) => ({
		name: nameOf(key),
		value: cost,
		right: `${formatCost(cost).padStart(9)} ${formatTokens(tokens).padStart(13)} ${formatCounted(sessions, "session").padStart(14)}`,
	}));
	return [...section(title), ...bars(rows, width)];
}

/** One row each: name, bar as long as the value is large, numbers. */
function bars(
	rows: readonly { readonly name: string; readonly value: number; readonly right: string }[],
	width: number,
): Line[] {
	// The sum of the others may be larger than all that stand alone; their bars are what is compared.
	const most = Math.max(...rows.slice(0, LONGEST).map(({ value }) => value), 0);
	const nameWidth = Math.floor(width * NAME_SHARE);
	const barWidth = Math.floor(width * BAR_SHARE);
	return rows.map(({ name, value, right }) => {
		const length = most === 0 ? 0 : Math.min(barWidth, Math.round((value / most) * barWidth));
		const clean = sanitiseLine(name);
		const cut = clean.includes("/") ? cutTextStart(clean, nameWidth) : cutText(clean, nameWidth);
		return [
			{ text: `  ${padText(cut, nameWidth)} ` },
			{ text: padText("█".repeat(length), barWidth), tone: "accent" },
			{ text: ` ${right}`, tone: "muted" },
		];
	});
}

/** The first lines, and the sum of all others, so that nothing is left out. */
function rest(lines: readonly StatsLine[]): readonly StatsLine[] {
	const others = lines.slice(LONGEST);
	if (others.length < 2) return lines;
	const sum = (pick: (line: StatsLine) => number): number => others.reduce((total, line) => total + pick(line), 0);
	return [
		...lines.slice(0, LONGEST),
		{
			key: `${others.length} others`,
			sessions: sum((line) => line.sessions),
			bytes: sum((line) => line.bytes),
			tokens: sum((line) => line.tokens),
			cost: sum((line) => line.cost),
		},
	];
}
