import { type Line, type Span, span, type Tone } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import type { Period } from "./period.ts";
import { cellAt, type TimeScale } from "./time-scale.ts";

/** What a session does in a period: it works, waits for its runs, waits for the person, or has not begun yet. */
export type Phase = "works" | "waits for runs" | "waits for you" | "queued";

/** A part of a bar. */
export interface Segment extends Period {
	readonly phase: Phase;
}

/** How a bar ends: without a sign, with that of a failure, a stop, of work that goes on, or of an unknown end. */
export type BarEnd = "done" | "failed" | "stopped" | "works" | "unknown";

/** What is drawn of a session or a run in a row. */
export interface Bar {
	/** None if no time is known. */
	readonly segments: readonly Segment[];
	readonly end: BarEnd;
	/** Where the sign is if no time is known, Unix ms. */
	readonly around: number | undefined;
	/** Whether nothing is left of its session. */
	readonly isGone: boolean;
}

/** The forms of a phase: a whole cell, its left and its right half. */
interface Strokes {
	readonly whole: string;
	readonly left: string;
	readonly right: string;
	readonly tone: Tone;
}

/** Strokes that are distinguishable without color, from the least to the most important: where two share half a cell, the latter is drawn. */
export const STROKES: Readonly<Record<Phase, Strokes>> = {
	"waits for you": { whole: "┈", left: "┈", right: "┈", tone: "frame" },
	queued: { whole: "·", left: "·", right: "·", tone: "muted" },
	"waits for runs": { whole: "─", left: "╴", right: "╶", tone: "muted" },
	works: { whole: "━", left: "╸", right: "╺", tone: "verb" },
};
const PHASES = Object.keys(STROKES) as readonly Phase[];
/** A cell of both. */
const WORK_THEN_WAIT = "╾";
const WAIT_THEN_WORK = "╼";
/** The work of a run whose session is gone. */
const GONE = "╍";

/** The signs at the ends of bars; none for what is done. */
export const END_SIGNS: Readonly<Record<BarEnd, readonly [sign: string, tone: Tone]>> = {
	done: ["", "current"],
	failed: ["✗", "error"],
	stopped: ["■", "warning"],
	works: ["▸", "current"],
	unknown: ["?", "warning"],
};

/** Draws a bar in exactly the cells of the scale. Whatever it is, at least one of them is not blank. */
export function drawBar({ segments, end, around, isGone }: Bar, scale: TimeScale): Line {
	const halves = paintHalves(segments, scale);
	const cells: (Omit<Strokes, "left" | "right"> | undefined)[] = [];
	for (let cell = 0; cell < scale.width; cell++)
		cells.push(cellOf(halves[2 * cell], halves[2 * cell + 1], isGone, end));
	const [sign, tone] = END_SIGNS[end];
	const last = cells.findLastIndex((cell) => cell !== undefined);
	const at = last === -1 ? Math.min(scale.width - 1, Math.floor(cellAt(scale, around ?? 0))) : last;
	if (sign !== "") cells[at] = { whole: sign, tone };
	else if (last === -1) cells[at] = { whole: "?", tone: "warning" };
	return joined(cells.map((cell) => (cell === undefined ? span(" ") : span(cell.whole, cell.tone))));
}

/** The phase of each half of a cell. */
function paintHalves(segments: readonly Segment[], scale: TimeScale): readonly (Phase | undefined)[] {
	const halves = Array.from<Phase | undefined>({ length: 2 * scale.width });
	for (const phase of PHASES) {
		for (const { startMs, endMs, phase: other } of segments) {
			if (other !== phase) continue;
			const from = Math.min(halves.length - 1, Math.round(2 * cellAt(scale, startMs)));
			const to = Math.min(halves.length, Math.max(from + 1, Math.round(2 * cellAt(scale, endMs))));
			halves.fill(phase, from, to);
		}
	}
	return halves;
}

function cellOf(
	left: Phase | undefined,
	right: Phase | undefined,
	isGone: boolean,
	end: BarEnd,
): Pick<Strokes, "whole" | "tone"> | undefined {
	const phase = PHASES.findLast((each) => each === left || each === right);
	if (phase === undefined) return undefined;
	const { whole, left: leftHalf, right: rightHalf, tone } = STROKES[phase];
	const shown = phase === "works" ? toneOfWork(end, tone) : tone;
	if (isGone && phase === "works") return { whole: GONE, tone: shown };
	if (left === right) return { whole, tone: shown };
	const other = left === phase ? right : left;
	if (phase === "works" && other === "waits for runs")
		return { whole: left === phase ? WORK_THEN_WAIT : WAIT_THEN_WORK, tone: shown };
	return { whole: left === phase ? leftHalf : rightHalf, tone: shown };
}

function toneOfWork(end: BarEnd, tone: Tone): Tone {
	return end === "done" || end === "unknown" ? tone : END_SIGNS[end][1];
}

/** Joins adjacent spans of the same tone. */
function joined(spans: readonly Span[]): Line {
	const all: Span[] = [];
	for (const each of spans) {
		const last = all.at(-1);
		if (last !== undefined && last.tone === each.tone)
			all[all.length - 1] = { ...last, text: cleanText(last.text + each.text) };
		else all.push(each);
	}
	return all;
}
