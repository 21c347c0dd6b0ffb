import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { formatCost, formatDuration } from "../../../ui/text/format.ts";
import { type Line, type Span, span, strong, type Tone } from "../../../ui/text/line.ts";
import { blanks, type CleanText, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText, joinEnds, lineWidth, padText, textWidth } from "../../../ui/text/width.ts";
import { drawBar, END_SIGNS } from "./draw-bar.ts";
import type { TimedSession } from "./family-times.ts";
import type { TimeScale } from "./time-scale.ts";
import type { TimelineColumns } from "./timeline-layout.ts";
import type { TimelineRow } from "./timeline-rows.ts";

interface RowDrawing {
	readonly columns: TimelineColumns;
	/** Undefined if no time is known. */
	readonly scale: TimeScale | undefined;
	/** Cells for the name of an agent. */
	readonly agentWidth: number;
	readonly selected: boolean;
}

/** Cells by which a run is indented below the session that asked for it, and the share of the column that this may take. */
const INDENT = 2;
const INDENT_SHARE = 0.4;

/** One session or run: its name, its bar, how long it took, how it ended, what it cost. */
export function drawTimelineRow(row: TimelineRow, { columns, scale, agentWidth, selected }: RowDrawing): Line {
	const { timed, bar, tookMs } = row;
	const [sign, words, tone] = outcomeOf(timed);
	const outcome = columns.outcome === 1 ? sign : [sign, words].filter((part) => part !== "").join(" ");
	const took = tookMs === undefined ? "" : formatDuration(tookMs);
	const cost = timed.cost === undefined ? "" : formatCost(timed.cost);
	const isWide = columns.name >= WIDE_NAME;
	const indent = Math.min(timed.depth * (isWide ? INDENT : 1), Math.floor(columns.name * INDENT_SHARE));
	const name: Line = [
		span(selected ? "› " : "  ", "accent"),
		{ text: blanks(indent) },
		...nameOf(timed, isWide ? agentWidth : 0, columns.name - indent - INDENT),
	];
	return [
		...joinEnds(name, [], columns.name),
		span(" "),
		...(scale === undefined ? [{ text: blanks(columns.bar) }] : drawBar(bar, scale)),
		span(" "),
		right(took, columns.took, "muted"),
		span(" "),
		{ text: padText(cutText(cleanText(outcome), columns.outcome), columns.outcome), tone },
		...(columns.cost === 0 ? [] : [span(" "), right(cost, columns.cost, "muted")]),
	];
}

/** Cells of the column from which agents and tasks are in columns of their own. */
const WIDE_NAME = 30;

function right(text: string, width: number, tone: Tone): Span {
	const cut = cutText(cleanText(text), width);
	return { text: cleanText(" ".repeat(width - textWidth(cut)) + cut), tone };
}

/** The title of a session; the agent of a run, and its task, if so many cells have room. `agentWidth`: cells that agents have in common. */
function nameOf({ row, run }: TimedSession, agentWidth: number, width: number): Line {
	const title: CleanText = row === undefined ? cleanText("a subagent") : sessionTitle(row);
	if (run === undefined) return [strong(title)];
	const agent = sanitizeLine(run.agent);
	const task = sanitizeLine(run.task);
	if (agent === "") return [span(task === "" ? title : task)];
	const hasRoom = task !== "" && textWidth(agent) + LEAST_TASK <= width;
	return [strong(padText(agent, agentWidth)), span(hasRoom ? `  ${task}` : "", "muted")];
}

/** Cells of a task, with the gap before it, below which it says nothing. */
const LEAST_TASK = 8;

/** Cells of the longest name of an agent, as far as they are padded. */
export function widestAgent(rows: readonly TimelineRow[]): number {
	const widest = rows.reduce((most, { timed }) => Math.max(most, textWidth(sanitizeLine(timed.run?.agent ?? ""))), 0);
	return Math.min(widest, MOST_AGENT);
}

const MOST_AGENT = 14;

/** Cells of the longest outcome in words. */
export function widestOutcome(rows: readonly TimelineRow[]): number {
	return rows.reduce((most, { timed }) => {
		const [sign, words] = outcomeOf(timed);
		return Math.max(most, lineWidth([span(`${sign} ${words}`)]));
	}, 1);
}

const ENDINGS = {
	"": "",
	asks: "asks",
	failed: "failed",
	aborted: "aborted",
	"open-call": "no result",
	unanswered: "no answer",
} as const;

/** How it ended: a sign, and words where the sign does not say it all. */
export function outcomeOf({
	end,
	run,
	counts,
	grows,
}: TimedSession): readonly [sign: string, words: string, tone: Tone] {
	if (run === undefined) {
		if (grows) return ["▸", "works", "current"];
		const ending = counts?.ending ?? "";
		if (ending === "asks") return ["◐", "asks", "accent"];
		const [sign, tone] = END_SIGNS[end];
		return [sign, ENDINGS[ending], tone];
	}
	const gone = run.isGone ? "gone" : "";
	if (run.state === "queued") return ["·", "queued", "muted"];
	if (run.state === "running") return ["▸", "works", "current"];
	if (run.state === "done") return ["✓", gone, "current"];
	if (run.state === undefined) return ["?", gone, "muted"];
	const [sign, tone] = END_SIGNS[end];
	return [sign, run.state === "failed" && run.isGone ? "gone" : run.state, tone];
}
