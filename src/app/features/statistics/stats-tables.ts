import { byCost, type CatalogStats, type StatsLine } from "../../../catalog/stats/aggregate-stats.ts";
import type { AgentLine } from "../../../catalog/stats/run-stats.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { largest } from "../../../shared/columns.ts";
import {
	formatCost,
	formatCount,
	formatDuration,
	formatShort,
	formatSize,
	shortenHome,
} from "../../../ui/text/format.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText } from "../../../ui/text/width.ts";

/** The head of a column of numbers, which says what they are. */
type ColumnId = "cost" | "tokens" | "abandoned" | "sessions" | "size" | "share" | "time" | "failed" | "runs";

interface Column {
	readonly id: ColumnId;
	/** In cells; enough for any number, so that nothing moves while sessions are being counted. */
	readonly width: number;
	/** Lines of at least this many cells show it. */
	readonly from: number;
}

/** A row of a table; its numbers are in the order of the columns. */
export interface TableLine {
	readonly name: string;
	/** The length of its bar, and how much of that was on abandoned branches. */
	readonly value: number;
	readonly part: number;
	readonly numbers: readonly string[];
	/** Text after the numbers. */
	readonly remark: string;
}

type TableId = "place" | "project" | "model" | "agent" | "month" | "type" | "session";

/** A section of the statistics. A file can produce any number of lines, so each is created only when it is needed. */
export interface StatsTable {
	readonly id: TableId;
	readonly title: string;
	/** How its lines are found in the list, if that is not obvious. */
	readonly note: string;
	readonly columns: readonly Column[];
	readonly count: number;
	/** The place, the project, the model, the agent, the month, the type, or the path of the session. */
	valueAt(index: number): string;
	at(index: number): TableLine;
	/** The largest of its values. */
	readonly most: number;
}

/** Titles are cut to this width, in cells: most are first messages. */
const TITLE_WIDTH = 60;
/** Cells of the longest number of tokens, size and share: "999k", "99.9 MB", "100 %". */
const TOKENS_WIDTH = 6;
const SIZE_WIDTH = 7;
const SHARE_WIDTH = 5;
const LEAST_COST_WIDTH = 7;
/** "999h 59m" */
const TIME_WIDTH = 8;
/** Widths of a line from which on it shows these columns; the cost is always shown. */
const SESSIONS_FROM = 56;
const TOKENS_FROM = 64;
const ABANDONED_FROM = 76;
const SIZE_FROM = 100;

/** What no model is named for is spent by a type of entry: "(branch summary)". */
function modelName(model: string): string {
	return model.startsWith("(") ? model.replaceAll("_", " ") : model;
}

/** The tables with at least one line. `withPaths`: the largest sessions have their paths, else their projects. */
export function statsTables(stats: CatalogStats, home: string, withPaths: boolean): StatsTable[] {
	const project = (cwd: string): string => shortenHome(cwd, home) || "(no directory)";
	const { places = [] } = stats;
	// One place is everything, which is said already.
	const byPlace = places.length > 1 ? places.map(({ name, ...line }) => ({ key: name, ...line })).sort(byCost) : [];
	const tables: readonly StatsTable[] = [
		spendingTable("place", "By place", byPlace, stats, (name) => name),
		spendingTable("project", "By project", stats.projects, stats, project),
		spendingTable("model", "By model", stats.models, stats, modelName),
		agentTable(stats),
		spendingTable("month", "By month", stats.months, stats, (month) => month || "(no date)"),
		{
			id: "type",
			title: "By type of entry",
			note: "",
			columns: [
				{ id: "size", width: SIZE_WIDTH, from: 0 },
				{ id: "share", width: SHARE_WIDTH, from: SESSIONS_FROM },
			],
			count: stats.types.length,
			most: largest(stats.types.map(({ bytes }) => bytes)),
			valueAt: (index) => stats.types[index]?.type ?? "",
			at(index) {
				const { type, bytes } = stats.types[index] ?? { type: "", bytes: 0 };
				const numbers = [formatSize(bytes), percentage(bytes, stats.bytes)];
				return { name: type, value: bytes, part: 0, numbers, remark: "" };
			},
		},
		{
			id: "session",
			title: "Largest sessions",
			note: "",
			columns: [{ id: "size", width: SIZE_WIDTH, from: 0 }],
			count: stats.largest.length,
			most: largest(stats.largest.map(({ size }) => size)),
			valueAt: (index) => stats.largest[index]?.path ?? "",
			at(index) {
				const row = stats.largest[index];
				if (row === undefined) return NO_LINE;
				const { path, size, cwd } = row;
				const name = cutText(sessionTitle(row), TITLE_WIDTH);
				const remark = withPaths ? path : project(cwd);
				return { name, value: size, part: 0, numbers: [formatSize(size)], remark };
			},
		},
	];
	return tables.filter(({ count }) => count > 0);
}

/** A session can span months; the list shows it by its last message. */
const BY_LAST_MESSAGE = "found by their last message";

const NO_LINE: TableLine = { name: "", value: 0, part: 0, numbers: [], remark: "" };

/** A share as whole percents: "12 %". */
export function percentage(part: number, whole: number): string {
	return `${whole === 0 ? 0 : Math.round((part / whole) * 100)} %`;
}

/** Whether all sessions together cost nothing, so that tokens are compared. */
export function isFree({ cost }: Pick<CatalogStats, "cost">): boolean {
	return cost <= 0;
}

/** The value that bars and shades compare: the cost, or the tokens if all sessions together cost nothing. */
export function spentOf({ cost, tokens }: Pick<StatsLine, "cost" | "tokens">, { cost: all }: CatalogStats): number {
	return isFree({ cost: all }) ? tokens : cost;
}

function spendingTable(
	id: TableId,
	title: string,
	lines: readonly StatsLine[],
	stats: CatalogStats,
	nameOf: (key: string) => string,
): StatsTable {
	const hasSizes = id === "project" || id === "place";
	const note = id === "month" ? BY_LAST_MESSAGE : id === "model" ? "found where it is named, in forks too" : "";
	const most = (of: (line: StatsLine) => number): number => largest(lines.map(of));
	return {
		id,
		title,
		note,
		columns: [
			{ id: "cost", width: Math.max(LEAST_COST_WIDTH, formatCost(most(({ cost }) => cost)).length), from: 0 },
			{ id: "tokens", width: TOKENS_WIDTH, from: TOKENS_FROM },
			{ id: "abandoned", width: "abandoned".length, from: ABANDONED_FROM },
			{
				id: "sessions",
				width: Math.max("sessions".length, formatCount(most((line) => line.sessions)).length),
				from: SESSIONS_FROM,
			},
			...(hasSizes ? [{ id: "size", width: SIZE_WIDTH, from: SIZE_FROM } as const] : []),
		],
		count: lines.length,
		most: most((line) => spentOf(line, stats)),
		valueAt: (index) => lines[index]?.key ?? "",
		at(index) {
			const line = lines[index];
			if (line === undefined) return NO_LINE;
			const value = spentOf(line, stats);
			const part = spentOf(line.abandoned, stats);
			const numbers = [
				formatCost(line.cost),
				formatShort(line.tokens),
				part > 0 ? percentage(part, value) : "",
				formatCount(line.sessions),
				...(hasSizes ? [formatSize(line.bytes)] : []),
			];
			return { name: sanitizeLine(nameOf(line.key)), value, part, numbers, remark: "" };
		},
	};
}

function agentTable(stats: CatalogStats): StatsTable {
	const { agents } = stats;
	const most = (of: (line: AgentLine) => number): number => largest(agents.map(of));
	return {
		id: "agent",
		title: "By agent",
		note: "",
		columns: [
			{ id: "cost", width: Math.max(LEAST_COST_WIDTH, formatCost(most(({ cost }) => cost)).length), from: 0 },
			{ id: "tokens", width: TOKENS_WIDTH, from: TOKENS_FROM },
			{ id: "time", width: TIME_WIDTH, from: ABANDONED_FROM },
			{ id: "failed", width: "failed".length, from: SESSIONS_FROM },
			{
				id: "runs",
				width: Math.max("runs".length, formatCount(most(({ runs }) => runs)).length),
				from: SESSIONS_FROM,
			},
		],
		count: agents.length,
		most: most((line) => spentOf(line, stats)),
		valueAt: (index) => agents[index]?.key ?? "",
		at(index) {
			const line = agents[index];
			if (line === undefined) return NO_LINE;
			const { key, cost, tokens, ms, failures, runs } = line;
			const numbers = [
				formatCost(cost),
				formatShort(tokens),
				ms === 0 ? "" : formatDuration(ms),
				failures === 0 ? "" : formatCount(failures),
				formatCount(runs),
			];
			const name = sanitizeLine(key) || "(not named)";
			return { name, value: spentOf(line, stats), part: 0, numbers, remark: "" };
		},
	};
}
