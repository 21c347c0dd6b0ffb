import type { SessionRow } from "../../../catalog/model/row.ts";
import { periodOf } from "../../../catalog/query/dates.ts";
import { printTokens } from "../../../catalog/query/tokens.ts";
import { localDay } from "../../../catalog/stats/usage.ts";
import { drawTableHeads, drawTableLine, INDENT } from "../../../conversation/statistics/draw-table.ts";
import { dayName, monthName } from "../../../conversation/statistics/stats-tables.ts";
import { cursorIndex, FIRST_CURSOR, type PageCursor } from "../../../ui/page/page-rows.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { chip, type Line, span } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { change, type Key, onSelected, openPage, PANES } from "../../world/keys/key.ts";
import { addToQuery, inAll, showSession, typeQuery } from "../../world/list/list-actions.ts";
import { isNarrowed } from "../../world/list/list-view.ts";
import { listedFamilies } from "../../world/list/listed-sum.ts";
import { archivedCount } from "../../world/list/scope.ts";
import { definePage } from "../../world/page/define-page.ts";
import { type Feature, wholePage } from "../../world/page/page.ts";
import { withoutFind } from "../../world/page/page-find.ts";
import { askToChange } from "../../world/questions/ask.ts";
import { shareMenu } from "../../world/questions/share-menu.ts";
import { closePage, withOverlay } from "../../world/state/overlays.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import { drawDayNote, drawLegend, drawMonths, drawWeekday, weekAt } from "./heatmap.ts";
import {
	lastIn,
	STATS,
	STATS_SUM,
	type StatsPage,
	type StatsRow,
	selectedDay,
	selectedPeriod,
	selectedSessions,
	selectedStatsRow,
	selectStats,
	statsCursor,
	targetOf,
	weekOf,
} from "./stats-rows.ts";

/** The sizes and costs of all sessions, or of those that the list shows. */
const STATS_PAGE = definePage<StatsRow>({
	kind: "statistics",
	slice: STATS,
	name: "statistics",
	command: "stats",
	title(state) {
		const page = selectStats(state);
		return page === undefined
			? "statistics"
			: `statistics of ${formatCounted(page.sum.sessions - page.sum.runs, "session")}`;
	},
	decorate: (state, pane) => ({ ...pane, title: [...pane.title, ...chipsOf(state)] }),
	layout: ({ size }) => ({ list: wholePage(size), second: undefined }),
	rows: (state) => selectStats(state)?.rows ?? [],
	cursor: statsCursor,
	start(state, rows) {
		const cursor = statsCursor(state, rows);
		return cursor === STATS.of(state).cursor ? follow(cursor, rows) : { ...cursor, top: 0 };
	},
	settle(cursor, rows, height, lastCursor) {
		const { top, index } = withHeading(cursor, rows, height);
		return { ...lastCursor, top, index };
	},
	draw(state) {
		const page = selectStats(state);
		return (row, { selected, width }) => (page === undefined ? [] : drawRow(state, page, row, selected, width));
	},
	// In the heatmap the cursor is on a day, not on the row.
	isUnlit: ({ kind }) => kind !== "line",
	notes: countedNotes,
	position(state, rows, index) {
		if (index === -1) return "";
		const number = rows.slice(0, index + 1).filter(({ isSkipped }) => isSkipped !== true).length;
		return `${formatCount(number)}/${formatCount(selectStats(state)?.selectable ?? 0)}`;
	},
	nothing: () => ["Counting …"],
	finding: {
		textOf: () => (row) => (row.kind === "line" ? row.table.at(row.index).name : ""),
	},
	press,
	queries: [STATS_SUM],
});

const MONTH_LENGTH = "2026-11".length;

function isDay(period: string): boolean {
	return period.length > MONTH_LENGTH;
}

/** A period as its chip says it, and as the list is asked for it. */
function periodWords(period: string, now: number): { readonly name: string; readonly since: string } {
	const today = localDay(now);
	if (period === today) return { name: "today", since: "today" };
	if (today.startsWith(period)) return { name: "this month", since: "this-month" };
	return { name: isDay(period) ? dayName(period) : monthName(period), since: period };
}

/** " [listed ×] [today ×]": what narrows the sums. */
function chipsOf(state: State): Line {
	const { isListed, period } = STATS.of(state);
	const { name } = periodWords(period, state.now);
	return [
		...(isListed ? [span(" "), ...chip(cleanText("listed"), "stats-listed")] : []),
		...(period === "" ? [] : [span(" "), ...chip(cleanText(name), "previous-pane")]),
	];
}

/** Keeps the line under the cursor in its place on the screen when more has been counted and lines have moved. */
function follow(cursor: PageCursor, rows: readonly StatsRow[]): PageCursor {
	const moved = cursorIndex(cursor, rows) - cursor.index;
	return moved === 0 ? cursor : { ...cursor, top: Math.max(0, cursor.top + moved) };
}

/** Scrolls so that the heading above the first line of a section is in sight, where there is room. */
function withHeading(cursor: PageCursor, rows: readonly StatsRow[], height: number): PageCursor {
	let first = cursor.index;
	while (rows[first - 1]?.isSkipped === true) first -= 1;
	return first < cursor.top && cursor.index - first < height ? { ...cursor, top: first } : cursor;
}

/** A press puts the cursor on the row, or on the day in the heatmap; `row` and `column` are relative to the box of the page. */
function press(state: State, row: number, column: number): State {
	const page = selectStats(state);
	const pressed = page?.rows[STATS.of(state).cursor.top + row];
	if (page === undefined || pressed === undefined) return state;
	const week = page.heatmap && weekAt(column, INDENT, page.heatmap.weeks);
	const isDay = pressed.kind === "weekday" && week !== undefined && page.heatmap?.at(pressed.weekday, week).isPast;
	if (pressed.kind === "weekday" ? !isDay : pressed.isSkipped === true) return state;
	const cursor = { ...STATS.of(state).cursor, selected: pressed.key, index: STATS.of(state).cursor.top + row };
	return STATS.with(state, { cursor, weeksAgo: pressed.kind === "weekday" ? (week ?? 0) : STATS.of(state).weeksAgo });
}

/** The progress of the counting, longest form first; once all is counted, and nothing narrows the sums, the number of archived sessions. */
function countedNotes(state: State): readonly Line[] {
	const page = selectStats(state);
	if (page === undefined) return [];
	const { counted, sessions } = page.sum;
	const { isListed, period } = STATS.of(state);
	const archived = isListed || period !== "" ? 0 : archivedCount(state.catalog.rows);
	if (counted === sessions) return archived === 0 ? [] : [[span(`${formatCount(archived)} of them archived`, "muted")]];
	const text = `${formatCount(counted)} of ${formatCount(sessions)}`;
	return [[span(`${text} counted`, "warning")], [span(text, "warning")]];
}

function drawRow(
	state: State,
	{ sum, layout, heatmap }: StatsPage,
	row: StatsRow,
	selected: boolean,
	width: number,
): Line {
	const sign = [span((selected ? "›" : "").padEnd(INDENT), "accent")];
	const indent = span(" ".repeat(INDENT));
	switch (row.kind) {
		case "text":
			return row.line;
		case "months":
			return heatmap === undefined ? [] : drawMonths(heatmap, INDENT);
		case "weekday":
			if (heatmap === undefined) return [];
			return drawWeekday(heatmap, row.weekday, selected ? weekOf(state, heatmap) : undefined, sign);
		case "legend":
			return heatmap === undefined ? [] : [indent, ...drawLegend(heatmap, sum, width - INDENT - 1)];
		case "day-note": {
			const day = selectedDay(state);
			return day === undefined ? [] : [indent, ...drawDayNote(day, lastIn(state, day.day), width - INDENT - 1)];
		}
		case "heads":
			return drawTableHeads(row.table, layout, 1);
		case "line":
			return drawTableLine(row.table, row.table.at(row.index), sign, layout);
	}
}

const HERE = ["statistics"] as const;

// biome-ignore format: a table
const STATS_KEYS: readonly Key[] = [
	{ id: "stats", name: "Statistics", synonyms: "stats, cost, tokens, usage, money, spend, project, expensive", keys: [], contexts: PANES,
		help: "statistics: cost, tokens and sizes by day, project, model, agent and month", run: change(openStats) },
	{ id: "next-period", name: "All time, this month, or today", synonyms: "period, day, everything", keys: ["ctrl+o"], contexts: HERE, short: "period", help: "next period: all time, this month, today", run: change(toNextPeriod) },
	{ id: "open-month", keys: ["right"], contexts: HERE, short: "its days", when: (state) => selectedMonth(state) !== undefined,
		help: "only this month, by day", condition: "on a month", run: change(openMonth) },
	{ id: "previous-pane", keys: ["escape", "left"], contexts: HERE, short: (state) => lastPeriod(state) === "" ? "all time" : "back", when: (state) => STATS.of(state).period !== "",
		help: "the period before again", condition: "in a month or today", run: change((state) => withPeriod(state, lastPeriod(state))) },
	{ id: "stats-listed", name: "Only listed sessions, or all sessions", isOn: (state) => STATS.of(state).isListed, synonyms: "filter, query", keys: [], contexts: HERE, needs: needsListed, help: "only the sessions that the list shows, or all",
		run: change((state) => STATS.with(state, { isListed: !STATS.of(state).isListed })) },
	{ id: "show-in-list", keys: ["enter"], contexts: HERE, short: "show", needs: needsTarget,
		help: "list the sessions of the project, model, agent, month or day under the cursor", run: change(showInList) },
	{ id: "delete", keys: ["ctrl+d"], contexts: HERE, pi: "app.session.delete", help: "move the sessions of the day or the month under the cursor to the trash, after asking",
		...onTime((state, rows) => askToChange(state, { type: "trash" }, rows)) },
	{ id: "export", keys: [], contexts: HERE, help: "save the sessions of the day or the month under the cursor",
		...onTime((state, rows) => withOverlay(state, shareMenu(state, rows))) },
	{ id: "standup", keys: [], contexts: HERE, help: "what was done on the day or in the month under the cursor, to read and to copy",
		...onSelected(selectedPeriod, "Move to a day or a month", readStandup) },
	{ id: "earlier-week", keys: ["left"], contexts: HERE, short: "week before", when: isOnDay,
		help: "one week back", condition: "on a day", run: change((state) => moveWeeks(state, -1)) },
	{ id: "later-week", keys: ["right"], contexts: HERE, when: isOnDay,
		help: "one week forward", condition: "on a day", run: change((state) => moveWeeks(state, 1)) },
];

/** A key that acts on the sessions that were used last on the day, or in the month, under the cursor. */
function onTime(run: (state: State, rows: readonly SessionRow[]) => Transition): Pick<Key, "needs" | "run"> {
	return onSelected(selectedSessions, "Move to a day or a month on which a session was used last", run);
}

function readStandup(state: State, period: string): Transition {
	const { rows } = state.catalog;
	const time = periodOf(period, state.now);
	const title = isDay(period) ? dayName(period) : monthName(period);
	const here = [...rows.values()].filter(({ place }) => place === undefined);
	return time === undefined
		? transition(state)
		: transition(state, { type: "read-standup", title, ...time, rows: here });
}

/** Opens the page: of what the list shows, if that is only a part of the sessions; another set at its top. */
function openStats(state: State): State {
	const { isListed: wasListed, period } = STATS.of(state);
	const isListed = listsPart(state);
	const isOther = wasListed || isListed || period !== "";
	const set = { isListed, period: "", before: [], ...(isOther && { cursor: FIRST_CURSOR, weeksAgo: 0 }) };
	const next = STATS.with(withoutFind(state, "statistics"), set);
	return openPage(STATS_SUM.renew(next), "statistics");
}

function listsPart(state: State): boolean {
	return isNarrowed(state) && listedFamilies(state).length > 0;
}

function toNextPeriod(state: State): State {
	const { period } = STATS.of(state);
	const today = localDay(state.now);
	return withPeriod(state, period === "" ? today.slice(0, MONTH_LENGTH) : isDay(period) ? "" : today);
}

function selectedMonth(state: State): string | undefined {
	const row = selectedStatsRow(state);
	const month = row?.kind === "line" && row.table.id === "month" ? row.table.valueAt(row.index) : "";
	return month === "" ? undefined : month;
}

function openMonth(state: State): State {
	return STATS.with(withPeriod(state, selectedMonth(state) ?? ""), { cursor: FIRST_CURSOR });
}

/** Another period; one from which this one was chosen is that again, with the cursor where it was. */
function withPeriod(state: State, period: string): State {
	const { period: last, cursor, before } = STATS.of(state);
	const at = before.findIndex((one) => one.period === period);
	if (at !== -1) return STATS.with(state, { ...before[at], before: before.slice(0, at) });
	return STATS.with(state, { period, before: [...before, { period: last, cursor }] });
}

function lastPeriod(state: State): string {
	return STATS.of(state).before.at(-1)?.period ?? "";
}

function needsListed(state: State): string | undefined {
	if (STATS.of(state).isListed || listsPart(state)) return undefined;
	return isNarrowed(state) ? "The list shows no session" : "The list shows all sessions";
}

function needsTarget(state: State): string | undefined {
	const target = targetOf(state);
	if (target === undefined) return "Nothing has been counted yet";
	return "why" in target ? target.why : undefined;
}

function isOnDay(state: State): boolean {
	return selectedStatsRow(state)?.kind === "weekday";
}

/** Closes the page; the list shows the sessions that the row or the day under the cursor is about, of those that were summed up. */
function showInList(state: State): State {
	const target = targetOf(state);
	if (target === undefined || "why" in target) return state;
	const { isListed, period } = STATS.of(state);
	const closed = closePage({ ...state, focus: "list" }, "statistics");
	if ("path" in target) return showSession(closed, target.path);
	// What was spent in a time was spent by sessions that were active then or later.
	const { since: value } = periodWords(period, state.now);
	const since = period === "" ? [] : [{ field: "since", value, quoted: false, not: false }];
	const tokens = printTokens([target.query, ...since]);
	return isListed ? addToQuery(closed, tokens) : typeQuery(inAll(closed), tokens);
}

/** Moves by whole weeks, at most to the first or the last week in sight. */
function moveWeeks(state: State, weeks: number): State {
	const heatmap = selectStats(state)?.heatmap;
	const row = selectedStatsRow(state);
	if (heatmap === undefined || row?.kind !== "weekday") return state;
	const least = row.weekday > heatmap.today ? 1 : 0;
	const weeksAgo = Math.max(least, Math.min(weekOf(state, heatmap) - weeks, heatmap.weeks - 1));
	return STATS.with(state, { weeksAgo });
}

export const STATISTICS: Feature = {
	page: STATS_PAGE,
	keys: { section: "Statistics", keys: STATS_KEYS },
	on: {
		// Sessions counted or deleted since are not in the sum.
		catalog: (state, { event }) =>
			event.type === "gone" || event.type === "counting" ? STATS_SUM.renew(state) : state,
	},
};

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly statistics: true;
	}
}
