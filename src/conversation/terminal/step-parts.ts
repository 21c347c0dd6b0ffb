import { numberOf, pathArgument } from "../../store/format/fields.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { formatDuration } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import type { BlockOf } from "../blocks/block.ts";
import type { FileEdit } from "../blocks/file-edit.ts";
import { NOTICE } from "../entries/output.ts";
import { isShell, type Step } from "../entries/step.ts";
import type { CallFacts } from "../entries/tool-call.ts";
import { languageOfPath } from "../render/code-lines.ts";
import type { DiffLine } from "../render/diff-lines.ts";
import { drawnRows } from "../render/render-diff.ts";
import { penAt, shellRows } from "../render/shell-lines.ts";
import { isOpen, type ReaderContext } from "./context.ts";
import { facts, ruleRow } from "./facts.ts";
import { foldedParts, moreRow, OF_FAILURE, unfoldedParts } from "./folded.ts";
import { cutLines, drawnPart, fileCodeParts, textParts } from "./parts.ts";
import type { FileLine, Part } from "./piece.ts";

/** The command as it was typed, on the ground of code. */
export function commandParts({ verb, text }: BlockOf<"command">): Part[] {
	return textParts(text, { bold: true, ground: "code", sign: `${verb} ` });
}

/** The output of a step; of a failed one more stays in sight. */
export function outputParts(
	{ text, isFailure, isSentence }: BlockOf<"output">,
	key: string,
	context: ReaderContext,
): readonly Part[] {
	const tone = isFailure ? "error" : "muted";
	const draw = (part: string) => (isSentence ? textParts(part, { tone }) : printedParts(part));
	return foldedParts(text, key, draw, context, isFailure ? OF_FAILURE : undefined);
}

/** What a program printed, in its own colors. */
function printedParts(text: string): Part[] {
	let next = 0;
	return cutLines(text).map((part) => {
		const start = next;
		next += part.length;
		const isContinued = start > 0 && text[start - 1] !== "\n";
		return drawnPart(part, (width) => shellRows(part, width, penAt(text, start), isContinued), { tone: "text" });
	});
}

/** UTF-16 units at the end of a text in which pi's note is searched. */
const LONGEST_NOTICE = 1000;

/** A file that was read; pi's note below a part of it is not code. */
export function fileParts(text: string, language: string | undefined, { args }: Pick<CallFacts, "args">): Part[] {
	const notice = NOTICE.exec(text.slice(-LONGEST_NOTICE))?.[0] ?? "";
	const from = Math.max(1, numberOf(args.offset) ?? 1);
	const code = fileCodeParts(text.slice(0, text.length - notice.length), language, pathArgument(args), from);
	return notice === "" ? code : [...code, ...textParts(notice.replace(/^\n/, "").trimEnd(), { tone: "muted" })];
}

/** Lines of a folded diff, and those that are drawn at a time. */
const FOLDED_LINES = 24;
const LINES_PER_PART = 100;

/** What was changed in a file, as its lines; a very large change is text. */
export function changeParts(edit: FileEdit, key: string, context: ReaderContext): Part[] {
	if (edit.isLarge) return textParts(edit.text);
	const lines = [...edit.lines(context.renderers)];
	// What is only new has nothing beside it.
	const isSplit = context.options.sideBySide && lines.some(({ kind }) => kind === "removed");
	const look = { language: languageOfPath(edit.path), isSplit };
	const open = isOpen(context, key, context.options.toolsOpen);
	const isLong = lines.length > FOLDED_LINES + 2;
	const drawn = isLong && !open ? lines.slice(0, FOLDED_LINES) : lines;
	const parts: Part[] = [];
	for (let from = 0; from < drawn.length; from += LINES_PER_PART) {
		const some = drawn.slice(from, from + LINES_PER_PART);
		parts.push({
			text: textOfLines(some),
			isCode: true,
			draw: (width, renderers) =>
				Array.from(drawnRows(some, width, look, renderers), ({ line, shows }) => ({
					line,
					file: fileLine(edit, shows),
				})),
		});
	}
	if (!isLong) return parts;
	if (open) return context.options.toolsOpen ? parts : unfoldedParts(parts, key);
	const hidden = lines.slice(FOLDED_LINES);
	const more: Part = { text: textOfLines(hidden), fold: key, draw: (width) => [moreRow(hidden.length, key, width)] };
	return [...parts, more];
}

/** The line of a file that a row shows; side by side, the new one if there is one. */
function fileLine({ path }: FileEdit, shows: readonly DiffLine[]): FileLine | undefined {
	const line = shows.findLast(({ kind }) => kind !== "gap" && kind !== "note");
	return line && { path, line };
}

function textOfLines(lines: readonly DiffLine[]): string {
	return lines.map(({ text }) => text).join("\n");
}

/** What the title of a step folds and unfolds. */
interface TitleFold {
	readonly key: string;
	readonly isFolded: boolean;
	/** Of what is folded away: "45 KB"; "" for a picture. */
	readonly size: string;
}

/** "── bash exit 0 · 4.1 s ──────── 05:29 ─", "── edit src/a.ts ───────── +2 −1 ── 05:28 ─". */
export function stepRule(step: Step, entry: SessionEntry, context: ReaderContext, fold?: TitleFold): Part {
	const failure: Line = step.end === "failed" ? [span("✗ ", "error")] : [];
	const sign: Line = fold === undefined ? failure : [span(fold.isFolded ? "▸ " : "▾ ", "muted")];
	const title = [...sign, ...(isShell(step) ? commandTitle(step) : callTitle(step))];
	const outcomes = isShell(step)
		? []
		: step.outcome.flatMap(({ text, tone }, index) => [...(index === 0 ? [] : [span(" ")]), span(text, tone)]);
	const outcome = fold === undefined || fold.size === "" ? outcomes : [...outcomes, span(` · ${fold.size}`, "muted")];
	const between: Line = outcome.length === 0 ? [] : [...outcome, span(" ── ", "frame")];
	return {
		text: step.argument,
		draw(width) {
			const right = [...between, ...facts(entry, context, width)];
			return [{ ...ruleRow(title, right, width, { isBare: context.options.page }), fold: fold?.key }];
		},
	};
}

/** "bash exit 0 · 4.1 s"; the command stands below it. */
function commandTitle({ name, end, durationMs, outcome }: Step): Line {
	const failed = end === "failed";
	const ended = end !== "ok" ? outcome.map(({ text }) => text.replace(/^✗ ?/, "")) : ["exit 0"];
	const took = durationMs === undefined ? "" : formatDuration(durationMs);
	const words = [...ended, took].filter((part) => part !== "").join(" · ");
	const tone = failed ? "error" : end === "ok" ? "muted" : (outcome[0]?.tone ?? "muted");
	return [span(name, failed ? "error" : "verb"), span(` ${words}`, tone)];
}

/** "edit src/a.ts" */
function callTitle({ verb, argument, end, durationMs }: Step): Line {
	const failed = end === "failed";
	const took = numberOf(durationMs) ?? 0;
	return [
		...[span(verb, failed ? "error" : "verb"), span(" "), { text: sanitizeLine(argument), bold: true }],
		// What takes no time worth waiting for is not measured out.
		...(took >= 1000 ? [span(` · ${formatDuration(took)}`, "muted")] : []),
	];
}
