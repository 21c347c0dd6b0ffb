import { hasEnded, hasFailed, type RunState } from "../../catalog/families/run-report.ts";
import { formatDuration } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";

export const RUN_SIGN = "◫";

interface Standing {
	/** Undefined where nothing has said it. */
	readonly state: RunState | undefined;
	/** How long it took, or has been working, in milliseconds. */
	readonly tookMs: number | undefined;
}

/** "✓ 14m", "✗ timed out 40s", "● running 2m 10s"; nothing where nothing is known. */
export function runOutcome({ state, tookMs }: Standing): Line {
	if (state === undefined) return [];
	const took = tookMs === undefined || tookMs < 0 ? [] : [span(` ${formatDuration(tookMs)}`, "muted")];
	if (state === "done") return [span("✓", "current"), ...took];
	if (state === "queued") return [span(state, "muted"), ...took];
	if (!hasEnded(state)) return [span(`● ${state}`, "current"), ...took];
	return [span(state === "failed" ? "✗" : `✗ ${state}`, hasFailed(state) ? "error" : "warning"), ...took];
}
