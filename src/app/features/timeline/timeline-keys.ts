import { hasEnded } from "../../../catalog/families/run-report.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { headOf } from "../../../catalog/model/session-links.ts";
import { memoFields } from "../../../shared/memo.ts";
import { cursorIndex, FIRST_CURSOR } from "../../../ui/page/page-rows.ts";
import { change, type Key, onChosen, openPage, PANES } from "../../world/keys/key.ts";
import { familiesOf, type RunSources, runCounts, runSources } from "../../world/list/families.ts";
import { areMarkedChosen } from "../../world/list/marked.ts";
import { selectedRow } from "../../world/list/select-list.ts";
import { goToTree } from "../../world/page/way-back.ts";
import { type State, transition } from "../../world/state/state.ts";
import { selectedTimelineRow, selectTimelineRows, TIMELINE } from "./timeline-rows.ts";

// biome-ignore format: a table
export const TIMELINE_KEYS: readonly Key[] = [
	{ id: "timeline", name: "Timeline of runs", synonyms: "bars, gantt, parallel, subagents, agents, family, duration, when", keys: ["alt+t"], contexts: PANES, when: hasRuns,
		help: "show when the session and its runs of subagents worked, as bars; in the list, also of all marked sessions",
		...onChosen("show the timeline of", (state, rows) => transition(openTimeline(state, rows))) },
	{ id: "go-to-run", keys: ["enter", "right"], contexts: ["timeline"], short: "open", acts: "cursor", needs: needsSession,
		help: "open the session's tree; back returns to this page", run: change(goToRun) },
	{ id: "next-failed", keys: [], contexts: ["timeline"], short: "next failed", needs: needsFailed,
		help: "to the next run that failed or was stopped", run: change((state) => goToFailed(state, 1)) },
	{ id: "previous-failed", keys: [], contexts: ["timeline"], needs: needsFailed,
		help: "to the previous run that failed or was stopped", run: change((state) => goToFailed(state, -1)) },
];

/** Whether a session that the page would be opened for has runs, or is one. */
function hasRuns(state: State): boolean {
	const { rows } = state.catalog;
	const sources = runSources(state.catalog);
	if (areMarkedChosen(state)) return hasMarkedRuns({ ...sources, rows, marked: state.list.marked });
	return isOfFamily(selectedRow(state), sources);
}

function isOfFamily(row: SessionRow | undefined, sources: RunSources): boolean {
	return row !== undefined && (row.run !== undefined || runCounts(row, sources).count > 0);
}

/** Cached because it is asked for with every key, and 30,000 sessions may be marked. */
const hasMarkedRuns = memoFields(({ marked, rows, ...sources }: MarkedRuns): boolean =>
	marked.values().some((path) => isOfFamily(rows.get(path), sources)),
);

interface MarkedRuns extends RunSources {
	readonly marked: ReadonlySet<string>;
	readonly rows: ReadonlyMap<string, SessionRow>;
}

/** Shows some sessions with their runs, or the whole family of a single run, with the cursor on that. */
function openTimeline(state: State, rows: readonly SessionRow[]): State {
	const [only] = rows;
	const isOne = rows.length === 1 && only !== undefined;
	const heads = isOne ? [headOf(only, familiesOf(state.catalog.rows))] : rows;
	const cursor = { ...FIRST_CURSOR, selected: isOne ? only.path : undefined };
	return openPage(TIMELINE.with(state, { shown: heads.map(({ path }) => path), cursor }), "timeline");
}

export function needsSession(state: State): string | undefined {
	const selected = selectedTimelineRow(state);
	if (selected === undefined) return "There is no session here";
	if (selected.row !== undefined) return undefined;
	return selected.run?.isGone === true ? "The session of this run is gone" : "This run has no session of its own";
}

function goToRun(state: State): State {
	const path = selectedTimelineRow(state)?.row?.path;
	return path === undefined ? state : goToTree(state, path);
}

function failedIndexes(state: State): readonly number[] {
	return selectTimelineRows(state).flatMap(({ run }, index) =>
		run?.state !== undefined && hasEnded(run.state) && run.state !== "done" ? [index] : [],
	);
}

function needsFailed(state: State): string | undefined {
	return failedIndexes(state).length > 0 ? undefined : "No run has failed";
}

/** Moves the cursor to the nearest run that failed, down or up, and beyond the last one to the first. */
function goToFailed(state: State, by: 1 | -1): State {
	const { cursor } = TIMELINE.of(state);
	const rows = selectTimelineRows(state);
	const from = cursorIndex(cursor, rows);
	const failed = failedIndexes(state);
	const index =
		by === 1 ? (failed.find((at) => at > from) ?? failed[0]) : (failed.findLast((at) => at < from) ?? failed.at(-1));
	return TIMELINE.with(state, { cursor: { ...cursor, selected: rows[index ?? from]?.key, index: index ?? from } });
}
