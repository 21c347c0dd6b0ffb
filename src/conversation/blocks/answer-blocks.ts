import type { SessionEntry } from "../../store/format/schema.ts";
import { formatCost, formatDuration, formatLength } from "../../ui/text/format.ts";
import { type Line, span, strong } from "../../ui/text/line.ts";
import { sanitizeLine, startOf } from "../../ui/text/sanitize.ts";
import { cutLine } from "../../ui/text/width.ts";
import { entryKind, stopMark } from "../entries/entry-kind.ts";
import { blocksIn, type Fields, fieldsOf, numberOf, textOf } from "../entries/fields.ts";
import { rowText } from "../entries/row-text.ts";
import { openCalls } from "../entries/step.ts";
import { contentBlock } from "./content-blocks.ts";
import { type BlockContext, foldKey, isOpen } from "./context.ts";
import { facts, ruleRow } from "./facts.ts";
import { markdownParts, textParts } from "./parts.ts";
import type { Block } from "./piece.ts";
import { openCallBlocks } from "./step-blocks.ts";

/** What the model thought, said, and called without a result. Calls with results are shown with these. */
export function* answerBlocks(entry: SessionEntry, message: Fields, context: BlockContext): Generator<Block> {
	const kind = entryKind(entry);
	if (kind === "answer" && !context.options.page) yield answerRule(entry, message, context);
	for (const [index, block] of blocksIn(message.content).entries()) {
		if (block.type === "thinking") yield thoughtBlock(entry, block, index, kind === "calls", context);
		else if (block.type === "toolCall") yield* argumentsProblem(block);
		else yield contentBlock(block, "markdown");
	}
	for (const { step, call } of openCalls(entry, context.session, context.place))
		yield* openCallBlocks(step, call, entry, context);
	const end = endOf(message);
	if (end !== undefined) yield end;
}

/** "── assistant claude-sonnet-4-5 · 75↓ · $0.0025 ──────── ⚑ works 05:29 ─". */
function answerRule(entry: SessionEntry, message: Fields, context: BlockContext): Block {
	const { usage, model, thinkingLevel } = message;
	const { output, cost } = fieldsOf(usage);
	const thinking = rowText(thinkingLevel);
	const tokens = numberOf(output) ?? 0;
	const dollars = numberOf(fieldsOf(cost).total) ?? 0;
	const ms = numberOf(message.durationMs);
	const said = [
		rowText(model),
		thinking === "" || thinking === "off" ? "" : `thinking ${thinking}`,
		ms === undefined ? "" : formatDuration(ms),
		tokens === 0 ? "" : `${formatLength(tokens)}↓`,
		dollars === 0 ? "" : `${formatCost(dollars)}${fieldsOf(cost).totalFromProvider === true ? " billed" : ""}`,
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

/** UTF-16 units of a thought in one row: more than any terminal shows. */
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
	const text = `✗ ${stop.long}${raw === "" ? "" : ` (${raw})`}${error === "" ? "" : `: ${error}`}`;
	return { parts: textParts(text, { tone: stop.tone, bold: true }), gap: true };
}
