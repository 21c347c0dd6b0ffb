import { hasUseFailed, type Use } from "../../catalog/uses/use.ts";
import { formatDuration } from "../../ui/text/format.ts";
import { type Span, span } from "../../ui/text/line.ts";

/** The outcome of a command: "✗ exit 1", "no match", "stopped"; "" if it succeeded, and for a prompt. */
function outcomeText(use: Use): string {
	if (use.kind === "prompt") return "";
	if (use.end === undefined) return "no result";
	if (use.end !== "failed") return use.end === "ok" ? "" : use.end;
	return use.ended === undefined ? `✗ exit ${use.exitCode}` : `✗ ${use.ended}`;
}

/** The outcome of a command and its duration; empty if there is neither. */
export function outcomeSpans(use: Use): Span[] {
	const outcome = outcomeText(use);
	const took = use.durationMs === undefined ? "" : formatDuration(use.durationMs);
	const spans = [
		...(outcome === "" ? [] : [span(outcome, hasUseFailed(use) ? "error" : "muted")]),
		...(took === "" ? [] : [span(took, "muted")]),
	];
	return spans.flatMap((one, index) => (index === 0 ? [one] : [span(" "), one]));
}
