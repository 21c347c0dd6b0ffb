import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { memoLast } from "../../../shared/memo.ts";
import { formatClock, formatCounted, formatDay, formatDayTime, formatDuration } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { blanks } from "../../../ui/text/sanitize.ts";
import { cutText } from "../../../ui/text/width.ts";
import type { Box } from "../../../ui/view.ts";
import { definePage, type Notice } from "../../world/page/define-page.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import { drawTimelineRow, widestAgent, widestOutcome } from "./draw-timeline-row.ts";
import { lengthOf, unionOf } from "./period.ts";
import { stopReading, syncTimeline } from "./reconcile-timeline.ts";
import { drawAxis } from "./time-axis.ts";
import { timelineDetail } from "./timeline-detail.ts";
import { AXIS_ROWS, columnsOf, layoutOf, type TimelineColumns } from "./timeline-layout.ts";
import { selectScale, selectTimeline, selectTimelineRows, type TimelineRow } from "./timeline-rows.ts";
import { TIMELINE } from "./timeline-state.ts";

/** When a session and its runs worked, as bars of time. */
export const TIMELINE_PAGE = definePage<TimelineRow>({
	kind: "timeline",
	slice: TIMELINE,
	name: "timeline",
	title: titleOf,
	layout: layoutOf,
	rows: selectTimelineRows,
	draw(state) {
		const rows = selectTimelineRows(state);
		const columns = selectColumns(state, layoutOf(state).list);
		const scale = selectScale(state, columns.bar);
		const agentWidth = agentsIn(rows);
		return (row, { selected }) => drawTimelineRow(row, { columns, scale, agentWidth, selected });
	},
	notes,
	nothing,
	decorate: withAxis,
	second: timelineDetail,
	press: pressRow,
	sync: syncTimeline,
	whileClosed: stopReading,
});

const agentsIn = memoLast(widestAgent);
const contentsOf = memoLast((rows: readonly TimelineRow[]) => ({
	outcome: widestOutcome(rows),
	hasCost: rows.some(({ timed }) => timed.cost !== undefined),
}));

function selectColumns(state: State, box: Pick<Box, "width">): TimelineColumns {
	return columnsOf(box, contentsOf(selectTimelineRows(state)));
}

/** The part of the screen's width that the title of the session may take. */
const TITLE_PART = 4;

function titleOf(state: State): string {
	const heads = selectTimelineRows(state).filter(({ timed }) => timed.depth === 0);
	const row = heads[0]?.timed.row;
	if (row === undefined) return "timeline";
	if (heads.length > 1) return `timeline of ${formatCounted(heads.length, "session")}`;
	return `timeline of “${cutText(sessionTitle(row), Math.floor(state.size.columns / TITLE_PART))}”`;
}

/** When it was, how long something worked, and what is not known yet, the longest form first. */
function notes(state: State): readonly Line[] {
	const { reading } = TIMELINE.of(state);
	const { rows, busy } = selectTimeline(state);
	const isUncounted = rows.some(({ timed }) => timed.row !== undefined && timed.counts === undefined);
	const pending = [
		...(reading === undefined ? [] : [reading === 0 ? "reading …" : `reading ${Math.floor(100 * reading)} %`]),
		...(isUncounted ? ["counting …"] : []),
	];
	const columns = selectColumns(state, layoutOf(state).list);
	const leftOut = selectScale(state, columns.bar)?.leftOutMs ?? 0;
	const gap = leftOut === 0 ? [] : [`≈ ${formatDuration(leftOut)} idle, left out`];
	const forms = [
		[...pending, ...whenOf(busy, state.now), ...gap],
		[...pending, ...gap],
		[...pending, ...(leftOut === 0 ? [] : [`≈ ${formatDuration(leftOut)}`])],
		pending,
	];
	return forms.map((form) => [span(form.join(" · "), "muted")]);
}

function whenOf(busy: Parameters<typeof unionOf>[0], now: number): readonly string[] {
	const all = unionOf(busy);
	const [first] = all;
	const last = all.at(-1);
	if (first === undefined || last === undefined) return [];
	const from = formatDayTime(first.startMs, now);
	const isOneDay = formatDay(first.startMs) === formatDay(last.endMs);
	const to = isOneDay ? formatClock(last.endMs) : formatDayTime(last.endMs, now);
	return [from.endsWith(to) ? from : `${from} – ${to}`, `busy ${formatDuration(lengthOf(all))}`];
}

function nothing(state: State): Notice {
	return TIMELINE.of(state).shown.length === 0
		? ["No session was chosen."]
		: ["The session is not in the list any more.", "warning"];
}

/** The pane with the times above the bars. */
function withAxis(state: State, pane: AppPane): AppPane {
	const columns = selectColumns(state, pane);
	const scale = selectScale(state, columns.bar);
	const line: Line =
		scale === undefined
			? [span("  when is not known", "muted")]
			: [{ text: blanks(columns.name + 1) }, ...drawAxis(scale, state.now)];
	const axis = { key: "axis", line, selected: false };
	return { ...pane, y: pane.y - AXIS_ROWS, height: pane.height + AXIS_ROWS, rows: [axis, ...pane.rows] };
}

/** Puts the cursor on the row that is pressed; the times above the bars are not a row. */
function pressRow(state: State, row: number): State {
	const { cursor } = TIMELINE.of(state);
	const index = cursor.top + row - AXIS_ROWS;
	const pressed = row < AXIS_ROWS ? undefined : selectTimelineRows(state)[index];
	return pressed === undefined ? state : TIMELINE.with(state, { cursor: { ...cursor, selected: pressed.key, index } });
}
