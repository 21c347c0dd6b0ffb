import type { RunFacts } from "../../catalog/families/run.ts";
import { hasEnded, hasFailed } from "../../catalog/families/run-report.ts";
import { formatDuration } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { cleanText } from "../../ui/text/sanitize.ts";

/** "✓ 1m 12s", "✗ timed out 40s", "running": how a run stands, and how long it took, as the browser's list shows it; "?" if unknown. */
export function outcomeSpans({ state, startedMs, endedMs }: Pick<RunFacts, "state" | "startedMs" | "endedMs">): Line {
	if (state === undefined) return [span("?", "muted")];
	if (!hasEnded(state)) return [span(cleanText(state), "muted")];
	const isTimed = startedMs !== undefined && endedMs !== undefined && endedMs >= startedMs;
	const took = isTimed ? cleanText(` ${formatDuration(endedMs - startedMs)}`) : cleanText("");
	if (state === "done") return [span("✓", "current"), span(took, "muted")];
	const sign = state === "failed" ? "✗" : cleanText(`✗ ${state}`);
	return [span(sign, hasFailed(state) ? "error" : "warning"), span(took, "muted")];
}
