import type { RunState } from "../../../catalog/families/run-report.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import {
	capital,
	formatCost,
	formatCounted,
	formatDay,
	formatDayTime,
	formatDuration,
} from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { blanks, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine } from "../../../ui/text/width.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import type { Box } from "../../../ui/view.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import { type Phase, STROKES } from "./draw-bar.ts";
import { outcomeOf } from "./draw-timeline-row.ts";
import type { TimedSession } from "./family-times.ts";
import { selectedTimelineRow, type TimelineRow } from "./timeline-rows.ts";

/** The lines about the session or the run under the cursor. */
export function timelineDetail(state: State, box: Box): AppPane {
	const row = selectedTimelineRow(state);
	const lines = row === undefined ? [] : detailOf(row, state.now, box.width - 2);
	return {
		id: "reader",
		...box,
		title: [span(row?.timed.run === undefined ? "this session" : "this run")],
		settings: [],
		position: blanks(0),
		focused: false,
		rows: lines
			.slice(0, box.height)
			.map((line, index) => ({ key: String(index), line: [span(" "), ...line], selected: false })),
	};
}

/** Rows for the task at most, so that what follows is in sight. */
const TASK_ROWS = 2;

function detailOf(row: TimelineRow, now: number, width: number): readonly Line[] {
	const { timed } = row;
	const facts = cutLine([span(factsOf(row, now))], width);
	const words = wrapText(sanitizeLine(endWords(timed)), width).map((text): Line => [span(text, "muted")]);
	return [...headOf(timed, width), facts, ...phasesOf(row, width), ...words];
}

function headOf({ row, run }: TimedSession, width: number): readonly Line[] {
	if (run === undefined) return row === undefined ? [] : [cutLine([strong(sessionTitle(row))], width)];
	const agent = sanitizeLine(run.agent);
	const lines = wrapText(sanitizeLine([agent, run.task].filter((text) => text !== "").join("  ")), width);
	return lines.slice(0, TASK_ROWS).map((text, index): Line => {
		const isCut = index === TASK_ROWS - 1 && lines.length > TASK_ROWS;
		const shown = isCut ? cutLine([span(text), span(" …")], width) : [span(text)];
		return index === 0 && agent !== "" && text.startsWith(agent)
			? [strong(agent), span(text.slice(agent.length))]
			: shown;
	});
}

/** "9:00:12 – 9:14:20 · took 14m 3s · $1.91 with its runs · 3 turns · 2 runs · claude-sonnet-4-5". */
function factsOf({ timed, tookMs }: TimelineRow, now: number): string {
	const { startMs, endMs, grows, run, counts, cost } = timed;
	const from = startMs === undefined ? "" : secondsOf(startMs, now, undefined);
	const to = endMs === undefined ? (grows && from !== "" ? "now" : "") : secondsOf(endMs, now, startMs);
	const when = from === "" ? "time unknown" : timed.isDoubtful || to === "" ? from : `${from} – ${to}`;
	const took = tookMs === undefined ? "" : `${run === undefined ? "worked" : "took"} ${formatDuration(tookMs)}`;
	// Nearly every run is one turn.
	const turns =
		run !== undefined || counts === undefined || counts.turns === 0 ? "" : formatCounted(counts.turns, "turn");
	const model = run?.model || (counts?.model ?? "");
	const runs = timed.runCount === 0 ? "" : formatCounted(timed.runCount, "run");
	const dollars = cost === undefined ? "" : `${formatCost(cost)}${runs === "" ? "" : " with its runs"}`;
	const parts = [when, took, dollars, turns, runs, sanitizeLine(model)];
	return parts.filter((part) => part !== "").join(" · ");
}

/** A time with seconds; its day only if that is not the one of `before`. */
function secondsOf(time: number, now: number, before: number | undefined): string {
	const at = new Date(time);
	const seconds = String(at.getSeconds()).padStart(2, "0");
	const clock = `${at.getHours()}:${String(at.getMinutes()).padStart(2, "0")}:${seconds}`;
	const isSameDay = before !== undefined && formatDay(before) === formatDay(time);
	return isSameDay ? clock : `${formatDayTime(time, now)}:${seconds}`;
}

/** What the strokes of the bar mean, and how long each was. */
function phasesOf({ timed, phases }: TimelineRow, width: number): readonly Line[] {
	const waitsForRuns = phases["waits for runs"] > 0;
	if (timed.run !== undefined && !waitsForRuns) return [];
	const parts: readonly (readonly [Phase, string])[] = [
		["works", "worked"],
		["waits for runs", "waited for its runs"],
		["waits for you", "waited for you"],
	];
	const shown = parts.filter(([phase]) => phases[phase] > 0 && (timed.run !== undefined || timed.turns !== undefined));
	const line = shown.flatMap(([phase, words], index): Line => {
		const { whole, tone } = STROKES[phase];
		const gap = index === 0 ? "" : "   ";
		return [span(`${gap}${whole.repeat(2)} `, tone), span(`${words} ${formatDuration(phases[phase])}`, "muted")];
	});
	return line.length === 0 ? [] : [cutLine(line, width)];
}

/** How it ended, and what is not known, in sentences. */
function endWords(timed: TimedSession): string {
	const { run, why, isDoubtful, row, grows } = timed;
	const [, words] = outcomeOf(timed);
	const sentences = [
		...(run === undefined ? [capital(grows ? "" : words)] : failureWords(run.state, run.error)),
		run?.isGone === true
			? "Its session is gone"
			: run !== undefined && row === undefined
				? "It has no session of its own"
				: "",
		isDoubtful ? "Its times are not all known, or cannot be true" : "",
		why === undefined ? "" : `When it worked cannot be read: ${why}`,
	];
	return cleanText(
		sentences
			.filter((text) => text !== "")
			.map((text) => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`))
			.join(" "),
	);
}

/** How a run ended, and why, in sentences; only why, if that says how, too: "timed out after 160 s". */
function failureWords(state: RunState | undefined, error = ""): readonly string[] {
	const how = stateWords(state);
	const why = capital(error.trim());
	return why.toLowerCase().startsWith(how.toLowerCase()) ? [why] : [how, why];
}

function stateWords(state: RunState | undefined): string {
	if (state === undefined) return "How it ended is not known";
	return state === "done" || state === "running" ? "" : capital(state);
}
