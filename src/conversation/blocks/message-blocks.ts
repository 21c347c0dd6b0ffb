import type { SessionEntry } from "../../store/format/schema.ts";
import { formatDuration } from "../../ui/text/format.ts";
import { type Line, span, strong } from "../../ui/text/line.ts";
import { blanks, cleanText, sanitizeLine, startOf } from "../../ui/text/sanitize.ts";
import { cutLine, lineWidth, textWidth } from "../../ui/text/width.ts";
import { entryKind, stopMark } from "../entries/entry-kind.ts";
import { blocksIn, type Fields, fieldsOf, numberOf, textOf } from "../entries/fields.ts";
import { rowText } from "../entries/row-text.ts";
import { openCalls } from "../entries/step.ts";
import { usageWords } from "../entries/usage-words.ts";
import { type BlockContext, foldKey, isOpen } from "./context.ts";
import { facts, labelOf, ruleRow } from "./facts.ts";
import { contentBlock, markdownParts, textParts, withheldParts } from "./parts.ts";
import type { Block, Part, ReaderRow } from "./piece.ts";
import { openCallBlocks } from "./step-blocks.ts";

/** What the model thought, said, and called without a result. Calls with results are shown with these. */
export function* answerBlocks(entry: SessionEntry, message: Fields, context: BlockContext): Generator<Block> {
	const kind = entryKind(entry);
	if (kind === "answer" && !context.options.page) yield answerRule(entry, message, context);
	const end = endOf(message);
	// A reason stands first, where it is looked for; where a text was cut off is seen at its end.
	const failed = stopMark(message)?.tone === "error";
	if (end !== undefined && failed) yield end;
	for (const [index, block] of blocksIn(message.content).entries()) {
		if (block.type === "thinking") yield thoughtBlock(entry, block, index, kind === "calls", context);
		else if (block.type === "toolCall") yield* argumentsProblem(block);
		else yield contentBlock(block, "markdown");
	}
	for (const { step, call } of openCalls(entry, context.session, context.place))
		yield* openCallBlocks(step, call, entry, context);
	yield { parts: withheldParts(message), gap: true };
	if (end !== undefined && !failed) yield end;
}

/** "── assistant claude-sonnet-4-5 · 75↓ · $0.0025 ──────── ⚑ works 05:29 ─". */
function answerRule(entry: SessionEntry, message: Fields, context: BlockContext): Block {
	const { usage, model, thinkingLevel } = message;
	const thinking = rowText(thinkingLevel);
	const ms = numberOf(message.durationMs);
	const said = [
		rowText(model),
		thinking === "" || thinking === "off" ? "" : `thinking ${thinking}`,
		ms === undefined ? "" : formatDuration(ms),
		...usageWords(usage),
	].filter((part) => part !== "");
	const left: Line = [strong("assistant"), span(said.length === 0 ? "" : ` ${said.join(" · ")}`, "muted")];
	return { parts: [{ text: "", draw: (width) => [ruleRow(left, facts(entry, context), width)] }], gap: true };
}

/** The first line of what the model thought, or all of it. */
function thoughtBlock(
	entry: SessionEntry,
	block: Fields,
	index: number,
	onlyThought: boolean,
	context: BlockContext,
): Block {
	const key = foldKey(entry, `thought ${index}`);
	const text = textOf(block.thinking);
	const ms = onlyThought ? numberOf(fieldsOf(fieldsOf(entry).message).durationMs) : undefined;
	const head = ms === undefined ? "thought" : `thought for ${formatDuration(ms)}`;
	if (text.trim() === "") {
		const line: Line = [span(`▸ ${head} (withheld by the provider)`, "muted")];
		return { parts: [{ text: "", draw: (width) => [{ line: cutLine(line, width) }] }], gap: true };
	}
	if (isOpen(context, key, context.options.thinkingOpen)) {
		const title: Line = [span(`▾ ${head}`, "muted")];
		const rule = { text: "", draw: (width: number) => [{ line: cutLine(title, width), fold: key }] };
		return { parts: [rule, ...markdownParts(text, { tone: "muted" })], gap: true };
	}
	const first = sanitizeLine(startOf(text.trimStart(), FIRST_LINE));
	const line: Line = [span(`▸ ${head}: `, "muted"), { text: first, tone: "muted" }];
	return { parts: [{ text, fold: key, draw: (width) => [{ line: cutLine(line, width), fold: key }] }], gap: true };
}

/** UTF-16 units of a first line: more than any terminal shows in a row. */
const FIRST_LINE = 1000;

/** What the model sent in place of arguments. */
function* argumentsProblem({ argumentsError }: Fields): Generator<Block> {
	const problem = textOf(argumentsError);
	if (problem === "") return;
	yield { parts: textParts(`arguments that are not a JSON object: ${problem}`, { tone: "error" }), gap: true };
}

/** Why an answer is not whole: "✗ failed: 529 overloaded", "cut off: length limit (max_tokens)". */
function endOf(message: Fields): Block | undefined {
	const stop = stopMark(message);
	if (stop === undefined) return undefined;
	const raw = rowText(message.rawStopReason);
	const error = textOf(message.errorMessage);
	const sign = stop.tone === "error" ? "✗ " : "";
	const text = `${sign}${stop.long}${raw === "" ? "" : ` (${raw})`}${error === "" ? "" : `: ${error}`}`;
	return { parts: textParts(text, { tone: stop.tone, bold: true }), gap: true };
}

const SIGN = cleanText("❯ ");

/** What the person said, as Markdown like an answer: a band over the whole width, with its time at the right. */
function promptBlock(text: string, entry: SessionEntry, context: BlockContext): Block {
	const right = context.options.page ? labelOf(entry, context.session) : facts(entry, context);
	const said = text.trim() === "" ? "(empty)" : text;
	const [first, ...more] = markdownParts(said, { tone: "prompt", breaks: true }).map((part, index) =>
		inBand(part, index === 0),
	);
	return { parts: first === undefined ? [] : [withFacts(first, right), ...more], gap: true };
}

/** The part on the ground of prompts, below the sign of the first row. */
function inBand(part: Part, isFirst: boolean): Part {
	return {
		...part,
		draw(width, renderers) {
			const indent = SIGN.length < width ? SIGN.length : 0;
			const drawn = part.draw(width - indent, renderers);
			// What shows nothing as Markdown, such as the definition of a link, is still said here.
			const rows: readonly ReaderRow[] = isFirst && drawn.length === 0 ? [{ line: [] }] : drawn;
			return rows.map((row, index) => {
				const sign = isFirst && index === 0 ? strong(SIGN, "prompt") : { text: blanks(indent) };
				return { ...row, line: indent === 0 ? row.line : [sign, ...row.line], ground: "prompt" };
			});
		},
	};
}

/** The part with what is to be said at the right end of its first row, which leaves room for that. */
function withFacts(part: Part, right: Line): Part {
	if (right.length === 0) return part;
	const room = lineWidth(right) + 1;
	// Markup only takes away from it.
	const needed = SIGN.length + textWidth(sanitizeLine(startOf(part.text, FIRST_LINE).split("\n", 1)[0] ?? "")) + room;
	return {
		...part,
		draw(width, renderers) {
			// A long first row is broken earlier, so that all of it is there.
			const isLong = needed > width && width > room * 3;
			const [first, ...rest] = part.draw(isLong ? width - room : width, renderers);
			const free = first === undefined ? -1 : width - lineWidth(first.line) - room;
			if (first === undefined || free < 0) return first === undefined ? [] : [first, ...rest];
			return [{ ...first, line: [...first.line, { text: blanks(free + 1) }, ...right] }, ...rest];
		},
	};
}

/** The texts of a prompt as one band each, its images below. */
export function* promptBlocks(entry: SessionEntry, message: Fields, context: BlockContext): Generator<Block> {
	const content = blocksIn(message.content);
	const [first, ...more] = content.filter(({ type }) => type === "text");
	for (const block of [first, ...more]) yield promptBlock(textOf(block?.text), entry, context);
	for (const block of content) if (block.type !== "text") yield contentBlock(block, "text");
}
