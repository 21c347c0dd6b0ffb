import { runOutcome } from "../../../conversation/entries/run-outcome.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { formatClock, formatCost, formatDay, formatDayTime, formatDuration } from "../../../ui/text/format.ts";
import { type Line, lineText, span, strong } from "../../../ui/text/line.ts";
import { blanks, type CleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { joinEnds, padText } from "../../../ui/text/width.ts";
import type { State } from "../../world/state/state.ts";
import { drawBar } from "./draw-bar.ts";
import { lengthOf, type TimeScale, unionOf } from "./time-scale.ts";
import type { TimelineRow } from "./timeline-rows.ts";

/** Cells of the columns, with a blank between them: a name, a bar, how it ended and how long it took, what it cost. */
export function timelineColumns(width: number): Readonly<Record<"name" | "bar" | "outcome" | "cost", number>> {
	const name = Math.max(14, Math.min(48, Math.floor(width * 0.3)));
	const outcome = width >= 70 ? "✗ interrupted 14m 3s".length : "✗ inter".length;
	const cost = width >= 70 ? "$1,204.50".length : 0;
	return { name, outcome, cost, bar: Math.max(1, width - name - outcome - cost - 4) };
}

/** Cells by which a run is indented below the session that started it, at most `MOST_INDENT` in all. */
const INDENT = 2;
const MOST_INDENT = 10;

/** One session or run in a row of `width` cells. `scale`: undefined if no time is known. */
export function drawTimelineRow(
	row: TimelineRow,
	selected: boolean,
	width: number,
	scale: TimeScale | undefined,
): Line {
	const columns = timelineColumns(width);
	const indent = blanks(Math.min(row.depth * INDENT, MOST_INDENT));
	return [
		...joinEnds([span(selected ? "› " : "  ", "accent"), { text: indent }, ...nameOf(row)], [], columns.name),
		span(" "),
		...(scale === undefined ? [{ text: blanks(columns.bar) }] : drawBar(row.bar, scale)),
		span(" "),
		...joinEnds(outcomeOf(row), [], columns.outcome),
		...joinEnds([], [span(row.cost > 0 ? ` ${formatCost(row.cost)}` : "", "muted")], columns.cost),
	];
}

/** Cells in which the names of agents end at the same place. */
const AGENT = 9;

function nameOf({ row, run }: TimelineRow): Line {
	if (run === undefined) return row === undefined ? [] : [strong(sessionTitle(row))];
	const agent = sanitizeLine(run.agent);
	const task = sanitizeLine(run.task);
	if (agent === "") return [span(task === "" ? "a subagent" : task)];
	return [strong(padText(agent, AGENT)), span(` ${task}`, "muted")];
}

/** What `/` finds in a row: its name and how it ended. */
export function textOfRow(row: TimelineRow): string {
	return lineText([...nameOf(row), span(" "), ...outcomeOf(row)]);
}

/** How a run ended, and how long it took, or how long a session has been open. */
function outcomeOf({ run, bar: { period, state } }: TimelineRow): Line {
	const tookMs = period === undefined || state === "queued" ? undefined : lengthOf([period]);
	if (run !== undefined) return [...runOutcome({ state, tookMs }), span(run.isGone ? " gone" : "", "muted")];
	return [span(tookMs === undefined ? "" : `open ${formatDuration(tookMs)}`, "muted")];
}

/** What is known of a session or a run besides its row: why it failed, when it was, its model. */
export function timelineFacts({ run, row, bar }: TimelineRow, { catalog, now }: State): CleanText {
	const { period, waits } = bar;
	const { startMs = 0, endMs = 0 } = period ?? {};
	const to = formatDay(startMs) === formatDay(endMs) ? formatClock(endMs) : formatDayTime(endMs, now);
	const facts = [
		run === undefined ? "this session" : run.agent || "a subagent",
		run?.error ?? "",
		period === undefined ? "its times are incomplete or implausible" : `${formatDayTime(startMs, now)} – ${to}`,
		waits.length === 0 ? "" : `waited for its runs ${formatDuration(lengthOf(unionOf(waits)))}`,
		run?.model || (catalog.counts.get(row?.path ?? "")?.model ?? ""),
	];
	return sanitizeLine(facts.filter((fact) => fact !== "").join(" · "));
}
