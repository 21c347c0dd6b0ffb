import { change, type Key } from "../../world/key.ts";
import { closePage } from "../../world/page/open-page.ts";
import type { State } from "../../world/state.ts";
import { showInList } from "./show-in-list.ts";
import { moveWeeks, openStats } from "./stats-actions.ts";
import { selectedStatsRow } from "./stats-rows.ts";
import { targetOf } from "./stats-target.ts";

const STATS = ["stats"] as const;

// biome-ignore format: a table
export const STATS_KEYS: readonly Key[] = [
	{ id: "stats", keys: ["ctrl+t"], contexts: ["list"], short: "stats",
		help: "what the sessions cost and weigh, by day, project, model and month", run: change(openStats) },
	{ id: "show-in-list", keys: ["enter"], contexts: STATS, short: "show", needs: needsTarget,
		help: "the sessions of the project, model, month or day under the cursor in the list, or that session", run: change(showInList) },
	{ id: "earlier-week", keys: ["left"], contexts: STATS, short: "week before", needs: needsDay,
		help: "in the days: a week back", run: change((state) => moveWeeks(state, -1)) },
	{ id: "later-week", keys: ["right"], contexts: STATS, needs: needsDay,
		help: "in the days: a week on", run: change((state) => moveWeeks(state, 1)) },
	{ id: "cancel", keys: ["ctrl+t"], contexts: STATS, help: "back to the panes", run: change((state) => closePage(state, "stats")) },
];

function needsTarget(state: State): string | undefined {
	const target = targetOf(state);
	if (target === undefined) return "Nothing has been counted yet";
	return "why" in target ? target.why : undefined;
}

function needsDay(state: State): string | undefined {
	return selectedStatsRow(state)?.kind === "weekday" ? undefined : "The cursor is not in the days";
}
