import { formatDuration } from "../../ui/text/format.ts";
import type { Step } from "./step.ts";

/** Tools that are done at once: how long they took says nothing. */
const QUICK: ReadonlySet<string> = new Set(["read", "write", "edit", "grep", "find", "ls"]);
/** The same for anything this short. */
const QUICK_MS = 50;
/** But a quick tool that took this long is worth a word. */
const SLOW_MS = 10_000;

/** How long a step took, where that is worth a word; else "". */
export function stepDuration({ name, durationMs }: Step): string {
	if (durationMs === undefined || durationMs < (QUICK.has(name) ? SLOW_MS : QUICK_MS)) return "";
	return formatDuration(Math.max(100, durationMs));
}
