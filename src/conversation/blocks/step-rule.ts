import type { SessionEntry } from "../../store/format/schema.ts";
import { formatDuration } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { numberOf } from "../entries/fields.ts";
import type { Step } from "../entries/step.ts";
import type { BlockContext } from "./context.ts";
import { facts, ruleRow } from "./facts.ts";
import type { Part } from "./piece.ts";

const SHELLS: ReadonlySet<string> = new Set(["$", "PS>", "!", "!!"]);

/** Whether a step is a command, which stands on rows of its own. */
export function isShell({ verb }: Step): boolean {
	return SHELLS.has(verb);
}

/** "── bash exit 0 · 4.1 s ──────── 05:29 ─", "── edit src/a.ts ───────── +2 −1 ── 05:28 ─". */
export function stepRule(step: Step, entry: SessionEntry, context: BlockContext): Part {
	const sign: Line = step.failed ? [span("✗ ", "error")] : [];
	const left = [...sign, ...(isShell(step) ? commandTitle(step) : callTitle(step))];
	const outcome = isShell(step)
		? []
		: step.outcome.flatMap(({ text, tone }, index) => [...(index === 0 ? [] : [span(" ")]), span(text, tone)]);
	const known = facts(entry, context);
	const right = outcome.length === 0 ? known : [...outcome, span(" ── ", "frame"), ...known];
	return { text: step.argument, draw: (width) => [ruleRow(left, right, width, { isBare: context.options.page })] };
}

/** "bash exit 0 · 4.1 s"; the command stands below it. */
function commandTitle({ name, failed, durationMs, outcome }: Step): Line {
	const ended = failed ? outcome.map(({ text }) => text.replace(/^✗ ?/, "")) : ["exit 0"];
	const took = durationMs === undefined ? "" : formatDuration(durationMs);
	const said = [...ended, took].filter((part) => part !== "").join(" · ");
	return [span(name, failed ? "error" : "verb"), span(` ${said}`, failed ? "error" : "muted")];
}

/** "edit src/a.ts" */
function callTitle({ verb, argument, failed, durationMs }: Step): Line {
	const took = numberOf(durationMs) ?? 0;
	return [
		...[span(verb, failed ? "error" : "verb"), span(" "), { text: sanitizeLine(argument), bold: true }],
		// What takes no time worth waiting for is not measured out.
		...(took >= 1000 ? [span(` · ${formatDuration(took)}`, "muted")] : []),
	];
}
