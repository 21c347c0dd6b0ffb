import type { SessionRow } from "../../../catalog/model/row.ts";
import { printTokens } from "../../../catalog/query/tokens.ts";
import type { CatalogStats } from "../../../catalog/stats/aggregate-stats.ts";
import { messageOf } from "../../../changes/reason.ts";
import type { Runners } from "../../world/effects/runners.ts";
import { change, type Key } from "../../world/keys/key.ts";
import { inAll, showSession, typeQuery } from "../../world/list/list-actions.ts";
import type { Feature } from "../../world/page/page.ts";
import { PANES } from "../../world/state/binding.ts";
import { closePage, openPage } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { STATS_PAGE } from "./stats-page.ts";
import { applyStats, STATS, type StatsTarget, selectedStatsRow, selectStats, targetOf, weekOf } from "./stats-rows.ts";

const HERE = ["statistics"] as const;

// biome-ignore format: a table
const STATS_KEYS: readonly Key[] = [
	{ id: "stats", name: "Statistics", synonyms: "cost, tokens, usage, money, spend", keys: [], contexts: PANES,
		help: "statistics: cost, tokens and sizes by day, project, model, agent and month", run: change(openStats) },
	{ id: "show-in-list", keys: ["enter"], contexts: HERE, short: "show", needs: needsTarget,
		help: "the sessions of the project, model, agent, month or day under the cursor in the list, or that session", run: change(showInList) },
	{ id: "earlier-week", keys: ["left"], contexts: HERE, short: "week before", needs: needsDay,
		help: "in the days: a week back", run: change((state) => moveWeeks(state, -1)) },
	{ id: "later-week", keys: ["right"], contexts: HERE, needs: needsDay,
		help: "in the days: a week on", run: change((state) => moveWeeks(state, 1)) },
];

function needsTarget(state: State): string | undefined {
	const target = targetOf(state);
	if (target === undefined) return "Nothing has been counted yet";
	return "why" in target ? target.why : undefined;
}

function needsDay(state: State): string | undefined {
	return selectedStatsRow(state)?.kind === "weekday" ? undefined : "The cursor is not in the days";
}

/** Closes the page; the list shows the sessions that the row or the day under the cursor is about. */
function showInList(state: State): State {
	const target = targetOf(state);
	return target === undefined || "why" in target ? state : showTarget(state, target);
}

function showTarget(state: State, target: Exclude<StatsTarget, { readonly why: string }>): State {
	const closed = closePage({ ...state, focus: "list" }, "statistics");
	if ("query" in target) return typeQuery(inAll(closed), printTokens([target.query]));
	return showSession(closed, target.path);
}

/** Opens the page as it was left; the sessions are counted again. */
function openStats(state: State): State {
	return openPage(STATS.with(state, { stale: true }), "statistics");
}

/** Moves by whole weeks, at most to the first or the last week in sight. */
function moveWeeks(state: State, weeks: number): State {
	const heatmap = selectStats(state)?.heatmap;
	if (heatmap === undefined || selectedStatsRow(state)?.kind !== "weekday") return state;
	const weeksAgo = Math.max(0, Math.min(weekOf(state, heatmap) - weeks, heatmap.weeks - 1));
	return STATS.with(state, { weeksAgo });
}

export const STATISTICS: Feature<StatisticsAction> = {
	page: STATS_PAGE,
	keys: { section: "Statistics", keys: STATS_KEYS },
	on: {
		stats: applyStats,
		// Sessions counted or deleted since are not in the sum.
		catalog: (state, { event }) =>
			event.type === "gone" || event.type === "counting" ? STATS.with(state, { stale: true }) : state,
	},
};

/** Results of its effects. */
type StatisticsAction =
	/** The sum over all sessions, or why counting failed. */
	{ readonly type: "stats"; readonly stats: CatalogStats } | { readonly type: "stats"; readonly error: string };

/** Effects that it requests. */
type StatisticsEffect =
	/** Sum up these sessions; `gently`: without slowing down the counting, which is still going on. */
	{ readonly type: "count"; readonly rows: readonly SessionRow[]; readonly gently: boolean };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly statistics: StatisticsAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly statistics: StatisticsEffect;
	}
}

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly statistics: true;
	}
}

/** Effects of the statistics. */
export const STATS_EFFECTS: Runners<StatisticsEffect["type"]> = {
	async count({ rows, gently }, { store }) {
		try {
			return { type: "stats", stats: await store.count(rows, gently) };
		} catch (error) {
			return { type: "stats", error: messageOf(error) };
		}
	},
};
