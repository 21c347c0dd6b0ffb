import type { SessionEntry } from "../../store/format/schema.ts";
import { formatDuration } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { type Fields, fieldsOf, listOf, numberOf, pathArgument, textOf } from "../entries/fields.ts";
import { NOTICE, outputTexts } from "../entries/output.ts";
import { shortCommand } from "../entries/place.ts";
import { isShell, type Step, stepOf } from "../entries/step.ts";
import { type CallFacts, callOf } from "../entries/tool-call.ts";
import { codeRows, languageOfPath } from "../render/code-lines.ts";
import { penAt, shellRows } from "../render/shell-lines.ts";
import { runBlocks } from "./below-blocks.ts";
import { changeBlock } from "./change-block.ts";
import { type BlockContext, foldKey } from "./context.ts";
import { facts, ruleRow } from "./facts.ts";
import { foldedParts, OF_FAILURE } from "./folded.ts";
import { contentBlock, cutLines, drawnPart, textParts, withheldParts } from "./parts.ts";
import { BLANK, type Block, type Part } from "./piece.ts";
import { argumentsText, commandFacts, nestedCallsText } from "./step-text.ts";

/** The result of a tool, below what was asked for. */
export function* resultBlocks(entry: SessionEntry, message: Fields, context: BlockContext): Generator<Block> {
	const step = stepOf(entry, context.session, context.place);
	if (step === undefined) return;
	const call = callOf(entry, context.session) ?? { name: step.name, args: {} };
	yield* askedBlocks(step, call, entry, context, runBlocks(entry, context));
	const change = changeBlock(call, message, foldKey(entry, "change"), context);
	if (change !== undefined) yield change;
	if (change === undefined || step.end !== "ok") yield* outputBlocks(entry, message, call, step, context);
	yield { parts: withheldParts(message), gap: false };
	const nested = nestedCallsText(fieldsOf(message.nestedCalls), context.place);
	yield folded(nested, "nested", entry, context, (text) => textParts(text, { tone: "muted" }));
	yield BLANK;
}

/** A command of the person. */
export function* commandBlocks(entry: SessionEntry, message: Fields, context: BlockContext): Generator<Block> {
	const step = stepOf(entry, context.session, context.place);
	if (step === undefined) return;
	yield { parts: [stepRule(step, entry, context)], gap: false };
	yield { parts: commandParts(textOf(message.command), step, context), gap: false };
	yield outputBlock(textOf(message.output), step, entry, context);
	yield { parts: textParts(commandFacts(message), { tone: "muted" }), gap: false };
	yield BLANK;
}

/** A call without a result: it still runs, or the session was ended while it did. */
export function* openCallBlocks(
	step: Step,
	call: CallFacts,
	entry: SessionEntry,
	context: BlockContext,
): Generator<Block> {
	yield* askedBlocks(step, call, entry, context);
	const change = changeBlock(call, {}, foldKey(entry, `change ${step.argument}`), context);
	if (change !== undefined) yield change;
	yield { parts: textParts("no result", { tone: "warning" }), gap: true };
}

/** What was done, and to what: the title, the command, what it started, and what else was asked for. */
function* askedBlocks(
	step: Step,
	call: CallFacts,
	entry: SessionEntry,
	context: BlockContext,
	started: Iterable<Block> = [],
): Generator<Block> {
	yield { parts: [stepRule(step, entry, context)], gap: false };
	if (isShell(step)) yield { parts: commandParts(textOf(call.args.command), step, context), gap: false };
	yield* started;
	const rest = argumentsText(call, step);
	yield folded(rest, "arguments", entry, context, (text) => textParts(text, { tone: "muted" }));
}

/** The command as it was typed, on the ground of code. */
function commandParts(command: string, { verb }: Step, { place }: BlockContext): Part[] {
	return textParts(shortCommand(command, place).trimEnd(), { bold: true, ground: "code", sign: `${verb} ` });
}

function* outputBlocks(
	entry: SessionEntry,
	message: Fields,
	call: CallFacts,
	step: Step,
	context: BlockContext,
): Generator<Block> {
	const texts = outputTexts(message.content);
	if (call.name === "read" && step.end === "ok") {
		const language = languageOfPath(pathArgument(call.args));
		for (const [index, text] of texts.entries())
			yield folded(text, `output ${index}`, entry, context, (part) => fileParts(part, language));
	} else {
		for (const [index, text] of texts.entries()) yield outputBlock(text, step, entry, context, index);
	}
	let isEmpty = texts.every((text) => text.trim() === "");
	for (const value of listOf(message.content)) {
		const block = fieldsOf(value);
		if (block.type === "text") continue;
		isEmpty = false;
		yield { ...contentBlock(block, "text"), gap: false };
	}
	if (isEmpty) yield { parts: textParts("(no output)", { tone: "muted" }), gap: false };
}

function outputBlock(text: string, step: Step, entry: SessionEntry, context: BlockContext, index = 0): Block {
	if (text.trim() === "") return { parts: [], gap: false };
	const ends = step.end === "failed" ? OF_FAILURE : undefined;
	// The error of a tool is a sentence; what a program printed is broken where its terminal would have broken it.
	const isSentence = step.end !== "ok" && !isShell(step);
	const tone = step.end === "failed" ? "error" : "muted";
	const draw = (part: string) => (isSentence ? textParts(part, { tone }) : outputParts(part));
	return folded(text, `output ${index}`, entry, context, draw, ends);
}

/** A text that is folded if it is long and the person does not want to see all of it. */
function folded(
	text: string,
	name: string,
	entry: SessionEntry,
	context: BlockContext,
	draw: (text: string) => readonly Part[],
	ends?: Parameters<typeof foldedParts>[4],
): Block {
	return { parts: foldedParts(text, foldKey(entry, name), draw, context, ends), gap: false };
}

/** The lines of a file that were read, and pi's note below them if there are more. */
function fileParts(text: string, language: string | undefined): Part[] {
	const notice = NOTICE.exec(text.slice(-LONGEST_NOTICE))?.[0] ?? "";
	const code = codeParts(text.slice(0, text.length - notice.length), language);
	return notice === "" ? code : [...code, ...textParts(notice.replace(/^\n/, "").trimEnd(), { tone: "muted" })];
}

/** UTF-16 units at the end of a text in which pi's note is searched. */
const LONGEST_NOTICE = 1000;

/** Code of any length in a language, if it is known. */
function codeParts(code: string, language: string | undefined): Part[] {
	return cutLines(code).map((part) =>
		drawnPart(part, (width, renderers) => codeRows(part, width, language, renderers), {
			isCode: language !== undefined,
		}),
	);
}

/** What a program printed, in its own colors. */
function outputParts(text: string): Part[] {
	let next = 0;
	return cutLines(text).map((part) => {
		const start = next;
		next += part.length;
		return drawnPart(part, (width) => shellRows(part, width, penAt(text, start)), { tone: "text" });
	});
}

/** "── bash exit 0 · 4.1 s ──────── 05:29 ─", "── edit src/a.ts ───────── +2 −1 ── 05:28 ─". */
function stepRule(step: Step, entry: SessionEntry, context: BlockContext): Part {
	const sign: Line = step.end === "failed" ? [span("✗ ", "error")] : [];
	const left = [...sign, ...(isShell(step) ? commandTitle(step) : callTitle(step))];
	const outcome = isShell(step)
		? []
		: step.outcome.flatMap(({ text, tone }, index) => [...(index === 0 ? [] : [span(" ")]), span(text, tone)]);
	const known = facts(entry, context);
	const right = outcome.length === 0 ? known : [...outcome, span(" ── ", "frame"), ...known];
	return { text: step.argument, draw: (width) => [ruleRow(left, right, width, { isBare: context.options.page })] };
}

/** "bash exit 0 · 4.1 s"; the command stands below it. */
function commandTitle({ name, end, durationMs, outcome }: Step): Line {
	const failed = end === "failed";
	const ended = end !== "ok" ? outcome.map(({ text }) => text.replace(/^✗ ?/, "")) : ["exit 0"];
	const took = durationMs === undefined ? "" : formatDuration(durationMs);
	const said = [...ended, took].filter((part) => part !== "").join(" · ");
	return [span(name, failed ? "error" : "verb"), span(` ${said}`, failed ? "error" : "muted")];
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
