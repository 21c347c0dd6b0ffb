import type { SessionRow } from "../../../catalog/model/row.ts";
import { cursorIndex, FIRST_CURSOR } from "../../../ui/page/page-rows.ts";
import { change, type Key, onChosen } from "../../world/keys/key.ts";
import { familiesOf, headOf } from "../../world/list/families.ts";
import { showSession } from "../../world/list/list-actions.ts";
import { selectedRow } from "../../world/list/select-list.ts";
import { goToRelative } from "../../world/page/way-back.ts";
import { PANES } from "../../world/state/binding.ts";
import { openPage } from "../../world/state/overlays.ts";
import { type State, transition } from "../../world/state/state.ts";
import { selectedTimelineRow, selectTimelineRows, type TimelineRow } from "./timeline-rows.ts";
import { TIMELINE } from "./timeline-state.ts";

const HERE = ["timeline"] as const;

// biome-ignore format: a table
export const TIMELINE_KEYS: readonly Key[] = [
	{ id: "timeline", name: "Timeline of the runs", synonyms: "bars, gantt, parallel, subagents, agents, family, duration, when", keys: ["alt+t"], contexts: PANES,
		help: "when the session and its runs of subagents worked, as bars of time; on a run that of its family, in the list those of all marked sessions",
		...onChosen("show the timeline of", (state, rows) => transition(openTimeline(state, rows))) },
	{ id: "go-to-run", keys: ["enter", "right"], contexts: HERE, short: "open", acts: "cursor", needs: needsSession,
		help: "open the session's tree; the page stays as it is, for when you come back", run: change(goToRun) },
	{ id: "next-failed", keys: ["e"], contexts: HERE, short: "next failed", needs: needsFailed,
		help: "to the next run that failed, or was stopped", run: change((state) => goToFailed(state, 1)) },
	{ id: "previous-failed", keys: ["E"], contexts: HERE, needs: needsFailed,
		help: "to the previous one", run: change((state) => goToFailed(state, -1)) },
];

/** Shows some sessions with their runs, or the whole family of a single run, with the cursor on that. */
function openTimeline(state: State, rows: readonly SessionRow[]): State {
	const families = familiesOf(state.catalog.rows);
	const [only] = rows;
	const heads = rows.length === 1 && only !== undefined ? [headOf(only, families)] : rows;
	const shown = heads.map(({ path }) => path);
	const known = TIMELINE.of(state).turns;
	const turns = new Map(shown.flatMap((path) => [known.get(path)].flatMap((read) => (read ? [[path, read]] : []))));
	const cursor = { ...FIRST_CURSOR, selected: rows.length === 1 ? only?.path : undefined };
	return openPage(TIMELINE.with(state, { shown, turns, cursor }), "timeline");
}

function needsSession(state: State): string | undefined {
	const timed = selectedTimelineRow(state)?.timed;
	if (timed === undefined) return "There is no session here";
	if (timed.row !== undefined) return undefined;
	return timed.run?.isGone === true ? "The session of this run is gone" : "This run has no session of its own";
}

/** Closes the page and opens the tree of the session under the cursor. */
function goToRun(state: State): State {
	const path = selectedTimelineRow(state)?.timed.row?.path;
	if (path === undefined) return state;
	const from = selectedRow(state)?.path;
	// Back leads to the page, and from there to the session on which it was opened.
	if (from !== undefined && from !== path) return goToRelative(state, path);
	const shown = showSession({ ...state, overlays: [] }, path);
	return { ...shown, list: { ...shown.list, opensPending: true } };
}

function needsFailed(state: State): string | undefined {
	return selectTimelineRows(state).some(hasFailed) ? undefined : "No run has failed";
}

function hasFailed({ timed }: TimelineRow): boolean {
	return timed.run !== undefined && (timed.end === "failed" || timed.end === "stopped");
}

/** Moves the cursor to the nearest run that failed, down or up, and beyond the last one to the first. */
function goToFailed(state: State, by: 1 | -1): State {
	const rows = selectTimelineRows(state);
	const { cursor } = TIMELINE.of(state);
	const from = cursorIndex(cursor, rows);
	for (let steps = 1; steps <= rows.length; steps++) {
		const index = (from + by * steps + rows.length) % rows.length;
		const row = rows[index];
		if (row !== undefined && hasFailed(row))
			return TIMELINE.with(state, { cursor: { ...cursor, selected: row.key, index } });
	}
	return state;
}
