import { hasFailed, type RunState } from "../../../catalog/families/run-report.ts";
import { type Line, type Span, span, type Tone } from "../../../ui/text/line.ts";
import { cellAt, type TimeScale, type TimeSpan } from "./time-scale.ts";

export interface Bar {
	/** From the beginning to the end, or to now; undefined where these are not known, or cannot be true. */
	readonly period: TimeSpan | undefined;
	/** When its runs work, for which it waits as long as it works itself. */
	readonly waits: readonly TimeSpan[];
	/** How a run stands, or a session that works or is done; undefined where that is not known. */
	readonly state: RunState | undefined;
	/** Whether a run works, or a session is open, which says nothing about when it worked. */
	readonly isRun: boolean;
	/** Whether nothing is left of its session. */
	readonly isGone: boolean;
}

/** The strokes of two halves of a cell: it works, waits for its runs, is open or queued; distinguishable without color. */
const STROKES: Readonly<Record<string, string>> = {
	...{ "work work": "━", "work ": "╸", " work": "╺", "work wait": "╾", "wait work": "╼" },
	...{ "wait wait": "─", "wait ": "╴", " wait": "╶", "wait open": "─", "open wait": "─" },
	...{ "open open": "┈", "open ": "┈", " open": "┈" },
};
/** The work of a run whose session is gone. */
const GONE = "╍";

/** The sign at the end of a bar, empty for a finished run, and the tone of its work. */
function endOf(state: RunState): readonly [sign: string, tone: Tone] {
	if (state === "running") return ["▸", "current"];
	if (state === "done" || state === "queued") return ["", "verb"];
	return hasFailed(state) ? ["✗", "error"] : ["■", "warning"];
}

/** Draws a bar in exactly the cells of the scale. Whatever it is, at least one of them is not blank. */
export function drawBar({ period, waits, state = "done", isRun, isGone }: Bar, scale: TimeScale): Line {
	const halves = Array.from({ length: 2 * scale.width }, () => "");
	const half = (time: number): number => 2 * cellAt(scale, time);
	if (period !== undefined) {
		const from = Math.min(halves.length - 1, Math.round(half(period.startMs)));
		const to = Math.max(from + 1, Math.round(half(period.endMs)));
		halves.fill(isRun && state !== "queued" ? "work" : "open", from, to);
		// However short the work between two runs is, its half cell shows it.
		for (const { startMs, endMs } of waits)
			halves.fill("wait", Math.max(from, Math.ceil(half(startMs))), Math.min(to, Math.floor(half(endMs))));
	}
	const [sign, tone] = endOf(state);
	const cells = Array.from({ length: scale.width }, (_, cell): Span => {
		const pair = `${halves[2 * cell]} ${halves[2 * cell + 1]}`;
		if (pair.includes("work")) return span(isGone ? GONE : (STROKES[pair] ?? ""), tone);
		return span(STROKES[pair] ?? " ", pair.includes("open") ? "frame" : "muted");
	});
	const last = cells.findLastIndex(({ text }) => text !== " ");
	if (last === -1) cells[0] = sign === "" ? span("?", "warning") : span(sign, tone);
	else if (sign !== "") cells[last] = span(sign, tone);
	return cells;
}
