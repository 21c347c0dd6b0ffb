import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { formatCounted, formatDuration } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { blanks } from "../../../ui/text/sanitize.ts";
import { cutText } from "../../../ui/text/width.ts";
import { definePage } from "../../world/page/define-page.ts";
import { type Feature, type PageLayout, wholePage } from "../../world/page/page.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import { drawTimelineRow, textOfRow, timelineColumns, timelineFacts } from "./draw-row.ts";
import { drawAxis } from "./time-axis.ts";
import { lengthOf, type TimeScale, type TimeSpan, timeScale, unionOf } from "./time-scale.ts";
import { needsSession, TIMELINE_KEYS } from "./timeline-keys.ts";
import { grows, selectedTimelineRow, selectTimelineRows, TIMELINE, type TimelineRow } from "./timeline-rows.ts";

/** When a session and its runs worked, as bars of time; below them what the one under the cursor did. */
const TIMELINE_PAGE = definePage<TimelineRow>({
	kind: "timeline",
	slice: TIMELINE,
	name: "timeline",
	title: titleOf,
	layout: layoutOf,
	rows: selectTimelineRows,
	draw(state) {
		const { scale } = selectTimes(state);
		return (row, { selected, width }) => drawTimelineRow(row, selected, width, scale);
	},
	notes,
	nothing: () => ["The session is no longer in the list.", "warning"],
	finding: { textOf: () => textOfRow },
	decorate: withAxis,
	preview(state) {
		const selected = selectedTimelineRow(state);
		const why = selected && needsSession(state);
		return {
			row: selected?.row,
			title: selected ? timelineFacts(selected, state) : blanks(0),
			instead: why && `${why}.`,
		};
	},
});

const AXIS_ROWS = 1;
/** From this many screen rows on, what the one under the cursor did is below the bars. */
const TREE_FROM_ROWS = 16;

/** The bars below their times, and the tree of the session under the cursor, which gets the room that the bars leave. */
function layoutOf(state: State): PageLayout {
	const whole = wholePage(state.size);
	const hasTree = state.size.rows >= TREE_FROM_ROWS;
	const cells = hasTree
		? Math.min(Math.floor(whole.height / 2), selectTimelineRows(state).length + AXIS_ROWS)
		: whole.height;
	const list = { ...whole, y: whole.y + AXIS_ROWS, height: Math.max(1, cells - AXIS_ROWS) };
	const tree = { ...whole, y: whole.y + cells + 1, height: whole.height - cells - 1 };
	return { list, second: hasTree ? tree : undefined };
}

function titleOf(state: State): string {
	const { shown } = TIMELINE.of(state);
	const row = state.catalog.rows.get(shown[0] ?? "");
	if (row === undefined || shown.length > 1) return `timeline of ${formatCounted(shown.length, "session")}`;
	return `timeline of “${cutText(sessionTitle(row), Math.floor(state.size.columns / 4))}”`;
}

/** How long runs worked, and how much time is left out. */
function notes(state: State): readonly Line[] {
	const { busyMs, scale } = selectTimes(state);
	const isUncounted = selectTimelineRows(state).some(({ row }) => row && !state.catalog.counts.has(row.path));
	const pending = isUncounted ? ["counting …"] : [];
	const worked = busyMs === 0 ? [] : [`runs worked ${formatDuration(busyMs)}`];
	const leftOutMs = lengthOf(scale?.gaps ?? []);
	const gap = leftOutMs === 0 ? [] : [`≈ ${formatDuration(leftOutMs)} left out`];
	return [[...pending, ...worked, ...gap], pending].map((form) => [span(form.join(" · "), "muted")]);
}

/** For how long any run worked, and the scale on which all of them are in sight, and where each session begins and ends. */
function selectTimes(state: State): { readonly busyMs: number; readonly scale: TimeScale | undefined } {
	const rows = selectTimelineRows(state);
	const busy = unionOf(rows.flatMap(({ bar: { period, isRun } }) => (isRun ? (period ?? []) : [])));
	const edges = rows.flatMap(({ bar }): TimeSpan[] => {
		const { startMs, endMs } = bar.period ?? {};
		if (startMs === undefined || endMs === undefined) return [];
		// The scale ends with the present minute, so that meanwhile only the bars that grow change.
		const last = { startMs: endMs, endMs: grows(bar) ? Math.ceil(endMs / 60_000) * 60_000 : endMs };
		return [{ startMs, endMs: startMs }, last];
	});
	return { busyMs: lengthOf(busy), scale: timeScale([...busy, ...edges], timelineColumns(state.size.columns).bar) };
}

function withAxis(state: State, pane: AppPane): AppPane {
	const { scale } = selectTimes(state);
	const { name } = timelineColumns(pane.width);
	const times = scale === undefined ? [span("time unknown", "muted")] : drawAxis(scale, state.now);
	const axis = { key: "axis", line: [{ text: blanks(name + 1) }, ...times], selected: false };
	return { ...pane, y: pane.y - AXIS_ROWS, height: pane.height + AXIS_ROWS, rows: [axis, ...pane.rows] };
}

/** The timeline has no actions: all its data are in the rows of the catalog. */
export const TIMELINE_FEATURE: Feature = {
	page: TIMELINE_PAGE,
	keys: { section: "Timeline", keys: TIMELINE_KEYS },
	on: {},
};

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly timeline: true;
	}
}
