import { type SessionRow, saidFirst } from "../../catalog/model/row.ts";
import { byCost, type CatalogStats, type StatsLine } from "../../catalog/stats/aggregate-stats.ts";
import type { AgentLine } from "../../catalog/stats/run-stats.ts";
import { largest } from "../../shared/columns.ts";
import {
	formatCost,
	formatCount,
	formatDate,
	formatDayTime,
	formatDuration,
	formatShort,
	formatSize,
	formatTokens,
	MONTHS,
	shortenHome,
} from "../../ui/text/format.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { sessionTitle } from "../entries/session-title.ts";

/** The head of a column of numbers, which says what they are. */
interface Column {
	readonly id: string;
	/** In cells; enough for any number, so that nothing moves while sessions are being counted. */
	readonly width: number;
	/** Lines of at least this many cells show it. */
	readonly from: number;
}

interface NumberColumn<Line> extends Column {
	readonly of: (line: Line) => string;
}

/** A row of a table; its numbers are in the order of the columns. */
export interface TableLine {
	readonly name: CleanText;
	/** The length of its bar, and how much of that was on branches that were left. */
	readonly value: number;
	readonly part: number;
	readonly numbers: readonly string[];
}

type TableId = "day" | "place" | "project" | "session" | "model" | "agent" | "month";

/** A section of the statistics. There can be any number of lines, so each is created only when it is needed. */
export interface StatsTable {
	readonly id: TableId;
	readonly title: string;
	/** Shown behind the title, where there is room. */
	readonly note?: string | undefined;
	readonly columns: readonly Column[];
	readonly count: number;
	/** The day, the place, the project, the path of the session, the model, the agent or the month. */
	valueAt(index: number): string;
	at(index: number): TableLine;
	readonly most: number;
}

/** Cells of the longest number of tokens, size and time: "999k", "99.9 MB", "999h 59m". */
const TOKENS_WIDTH = 6;
const SIZE_WIDTH = 7;
const TIME_WIDTH = 8;
const LEAST_COST_WIDTH = 7;
/** Widths of a line from which on it shows these columns; the cost is always shown. */
const SESSIONS_FROM = 56;
const TOKENS_FROM = 64;
const LEFT_FROM = 76;
const SIZE_FROM = 100;
const TIME_FROM = 110;

/** What no model is named for is spent by a type of entry: "(branch summary)". */
function modelName(model: string): string {
	return model.startsWith("(") ? model.replaceAll("_", " ") : model;
}

/** "2026-07" → "Jul 2026". */
export function monthName(month: string): string {
	const [year, number] = month.split("-");
	return month === "" ? "(no date)" : `${MONTHS[Number(number) - 1]} ${year}`;
}

/** "2026-11-25" → "Wed 25 Nov". */
export function dayName(day: string): string {
	return formatDate(new Date(`${day}T12:00`).getTime());
}

/** "highest: Wed 25 Nov $0.97": the day that cost most; undefined if nothing was spent. */
export function highestDay(days: readonly StatsLine[], stats: CatalogStats): string | undefined {
	const [first] = days.toSorted((one, other) => spentOf(other, stats) - spentOf(one, stats));
	if (first === undefined || spentOf(first, stats) <= 0) return undefined;
	return `highest: ${dayName(first.key)} ${isFree(stats) ? formatTokens(first.tokens) : formatCost(first.cost)}`;
}

/** Cells of a title: longer ones do not move all numbers to the right. */
export const WIDEST_TITLE = 40;

/**
 * The titles of the most expensive sessions, in their order; of those that begin in the same way, after the time of their beginning, and the
 * number of all sessions with that title.
 */
export function costlyTitles(
	{ mostExpensive }: CatalogStats,
	rows: ReadonlyMap<string, SessionRow>,
): readonly string[] {
	const sessions = mostExpensive.map(({ key }) => {
		const row = rows.get(key);
		return { row, title: row === undefined ? key : sessionTitle(row) };
	});
	const beginning = ({ title }: (typeof sessions)[number]): string => title.slice(0, WIDEST_TITLE);
	const counts = Map.groupBy(sessions, beginning);
	return sessions.map((one) => {
		const isOnly = counts.get(beginning(one))?.length === 1;
		if (isOnly || one.row === undefined) return one.title;
		const text = rawTitle(one.row);
		const same = rows.values().reduce((sum, row) => (rawTitle(row) === text ? sum + 1 : sum), 0);
		return `${formatDayTime(one.row.created.getTime())} · ${same === 1 ? "" : `×${formatCount(same)} · `}${one.title}`;
	});
}

function rawTitle(row: SessionRow): string {
	return row.name ?? saidFirst(row);
}

/** The tables with at least one line. `titles`: of the most expensive sessions, in their order. */
export function statsTables(stats: CatalogStats, home: string, titles: readonly string[]): StatsTable[] {
	const project = (cwd: string): string => shortenHome(cwd, home) || "(no directory)";
	const { places = [] } = stats;
	// One place is everything, which is said already.
	const byPlace = places.length > 1 ? places.map(({ name, ...line }) => ({ key: name, ...line })).sort(byCost) : [];
	const spent = (line: StatsLine): number => spentOf(line, stats);
	const abandoned = (line: StatsLine): number => spentOf(line.abandoned, stats);
	const size = { id: "size", width: SIZE_WIDTH, from: SIZE_FROM, of: ({ bytes }: StatsLine) => formatSize(bytes) };
	const time = {
		id: "time",
		width: TIME_WIDTH,
		from: TIME_FROM,
		of: (line: StatsLine) => durationWords(line.workedMs),
	};
	const columns = (lines: readonly StatsLine[]): readonly NumberColumn<StatsLine>[] => [
		...spendingColumns(lines),
		{
			id: "left",
			width: "100 %".length,
			from: LEFT_FROM,
			of: (line) => (abandoned(line) > 0 ? percentage(abandoned(line), spent(line)) : ""),
		},
		...(lines.some(({ workedMs }) => workedMs > 0) ? [time] : []),
	];
	const table = (
		id: TableId,
		lines: readonly StatsLine[],
		nameOf: (key: string, index: number) => string,
		note?: string,
	): StatsTable => {
		const hasSizes = id === "project" || id === "place";
		const sessions = id === "session" ? [] : [countColumn("sessions", lines, (line: StatsLine) => line.sessions)];
		const all = [...columns(lines), ...sessions, ...(hasSizes ? [size] : [])];
		return tableOf({ id, note, lines, nameOf, columns: all, valueIn: spent, partIn: abandoned });
	};
	const [months, days] = stats.months.length > 1 ? [stats.months, []] : [[], stats.days];
	const tables: readonly StatsTable[] = [
		// What one day comes to is said already.
		table("day", days.length > 1 ? days : [], dayName, highestDay(days, stats)),
		table("place", byPlace, (name) => name),
		table("project", stats.projects, project),
		table("session", stats.mostExpensive, (path, index) => titles[index] ?? path),
		table("model", stats.models, modelName),
		tableOf({
			id: "agent",
			lines: stats.agents,
			nameOf: (agent) => agent || "(not named)",
			columns: agentColumns(stats.agents),
			valueIn: (line) => spentOf(line, stats),
			partIn: () => 0,
		}),
		table("month", months, monthName),
	];
	return tables.filter(({ count }) => count > 0);
}

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

type Spending = Pick<StatsLine, "key" | "cost" | "tokens">;

function spendingColumns(lines: readonly Spending[]): readonly NumberColumn<Spending>[] {
	const most = formatCost(largest(lines.map(({ cost }) => cost)));
	return [
		{ id: "cost", width: Math.max(LEAST_COST_WIDTH, most.length), from: 0, of: ({ cost }) => formatCost(cost) },
		{ id: "tokens", width: TOKENS_WIDTH, from: TOKENS_FROM, of: ({ tokens }) => formatShort(tokens) },
	];
}

function countColumn<Line>(id: string, lines: readonly Line[], of: (line: Line) => number): NumberColumn<Line> {
	const width = Math.max(id.length, formatCount(largest(lines.map(of))).length);
	return { id, width, from: SESSIONS_FROM, of: (line) => formatCount(of(line)) };
}

function durationWords(ms: number): string {
	return ms === 0 ? "" : formatDuration(ms);
}

function agentColumns(agents: readonly AgentLine[]): readonly NumberColumn<AgentLine>[] {
	return [
		...spendingColumns(agents),
		{ id: "time", width: TIME_WIDTH, from: LEFT_FROM, of: ({ ms }) => durationWords(ms) },
		{
			id: "failed",
			width: "failed".length,
			from: SESSIONS_FROM,
			of: ({ failures }) => (failures === 0 ? "" : formatCount(failures)),
		},
		countColumn("runs", agents, ({ runs }) => runs),
	];
}

function tableOf<Line extends Spending>({
	id,
	note,
	lines,
	nameOf,
	columns,
	valueIn,
	partIn,
}: {
	readonly id: TableId;
	readonly note?: string | undefined;
	readonly lines: readonly Line[];
	readonly nameOf: (key: string, index: number) => string;
	readonly columns: readonly NumberColumn<Line>[];
	readonly valueIn: (line: Line) => number;
	readonly partIn: (line: Line) => number;
}): StatsTable {
	return {
		id,
		title: id === "session" ? "Most expensive sessions" : `By ${id}`,
		note,
		columns,
		count: lines.length,
		most: largest(lines.map(valueIn)),
		valueAt: (index) => lines[index]?.key ?? "",
		at(index) {
			const line = lines[index];
			if (line === undefined) return { name: cleanText(""), value: 0, part: 0, numbers: [] };
			const numbers = columns.map((column) => column.of(line));
			return { name: sanitizeLine(nameOf(line.key, index)), value: valueIn(line), part: partIn(line), numbers };
		},
	};
}
