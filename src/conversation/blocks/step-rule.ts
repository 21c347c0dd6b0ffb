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
	const left = isShell(step) ? commandTitle(step) : callTitle(step);
	const outcome = isShell(step) ? [] : outcomeOf(step);
	const known = facts(entry, context);
	const right = outcome.length === 0 ? known : [...outcome, span(" ── ", "frame"), ...known];
	return { text: step.argument, draw: (width) => [ruleRow(left, right, width, { isBare: context.options.page })] };
}

/** The title of a step in one line, as "edit src/a.ts" or "bash npm test". */
function stepTitle(step: Step): Line {
	const sign: Line = step.failed ? [span("✗ ", "error")] : [];
	return [...sign, span(step.verb, step.failed ? "error" : "verb"), span(" "), argument(step)];
}

function commandTitle(step: Step): Line {
	const { name, failed, durationMs } = step;
	const ended = failed
		? step.outcome
				.map(({ text }) => text.replace(/^✗ ?/, ""))
				.filter(Boolean)
				.join(" · ")
		: "exit 0";
	const took = durationMs === undefined ? "" : formatDuration(durationMs);
	const said = [ended, took].filter((part) => part !== "").join(" · ");
	return [
		...(failed ? [span("✗ ", "error")] : []),
		span(name, failed ? "error" : "verb"),
		span(` ${said}`, failed ? "error" : "muted"),
	];
}

function callTitle(step: Step): Line {
	const took = numberOf(step.durationMs) ?? 0;
	// What takes no time worth waiting for is not measured out.
	return [...stepTitle(step), ...(took >= 1000 ? [span(` · ${formatDuration(took)}`, "muted")] : [])];
}

function argument({ argument: text }: Step): Line[number] {
	return { text: sanitizeLine(text), bold: true };
}

function outcomeOf({ outcome }: Step): Line {
	return outcome.flatMap(({ text, tone }, index) => [...(index === 0 ? [] : [span(" ")]), span(text, tone)]);
}
