import { numberOf, pathArgument } from "../../store/format/fields.ts";
import { formatDuration } from "../../ui/text/format.ts";
import { type Line, span, strong } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine } from "../../ui/text/width.ts";
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
import { withRight } from "./facts.ts";
import { foldedParts, moreRow, OF_FAILURE, unfoldedParts } from "./folded.ts";
import { cutLines, drawnPart, fileCodeParts, textParts } from "./parts.ts";
import { type Block, FOLDED, type Part, type ShownFileLine, UNFOLDED } from "./piece.ts";

/** The command as it was typed, on the ground of code, and at the right end how it ended. */
export function commandBlock({ verb, text }: BlockOf<"command">, step: Step): Block {
	const [first, ...rest] = textParts(text, { bold: true, ground: "code" });
	const outcome = stepOutcome(step);
	const parts = first === undefined ? [] : [withRight(first, () => outcome), ...rest];
	const sign = strong(`${verb.slice(-1)} `, step.end === "failed" ? "error" : "verb");
	return { parts, sign, gap: false };
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
function fileLine({ path }: FileEdit, shows: readonly DiffLine[]): ShownFileLine | undefined {
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

/** "▸ edit src/a.ts                +2 −1". */
export function stepTitle(step: Step, fold?: TitleFold): Block {
	const { verb, argument, end } = step;
	const title: Line = [
		...[span(verb, end === "failed" ? "error" : "verb"), span(" "), { text: sanitizeLine(argument), bold: true }],
	];
	const draw: Part["draw"] = (width) => [{ line: cutLine(title, width), fold: fold?.key }];
	const right = stepOutcome(step, fold?.size ?? "");
	return {
		parts: [withRight({ text: argument, draw }, () => right)],
		sign: fold?.isFolded === false ? UNFOLDED : FOLDED,
		gap: false,
	};
}

/** How a step ended and how long that took: "✗ exit 1 · 4.1s", "+2 −1"; `size`: of what it has read. */
function stepOutcome(step: Step, size = ""): Line {
	const { end, outcome, durationMs = 0 } = step;
	const isCommand = isShell(step);
	// How much a command has printed stands below it.
	const outcomes = isCommand && end === "ok" ? [] : outcome;
	// What takes no time worth waiting for is not measured out.
	const took = isCommand || durationMs >= 1000 ? stepTime(step) : "";
	const more = [size, took].filter((word) => word !== "").map((word) => span(word, "muted"));
	const parts: Line = [...outcomes.map(({ text, tone }) => span(sanitizeLine(text), tone)), ...more];
	return parts.flatMap((part, index) => {
		if (index === 0) return [part];
		return [span(index < outcomes.length ? " " : " · ", "muted"), part];
	});
}

function stepTime({ durationMs }: Step): string {
	return durationMs === undefined ? "" : formatDuration(durationMs);
}
