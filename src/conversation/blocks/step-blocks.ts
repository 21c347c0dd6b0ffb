import { type Fields, fieldsOf, listOf, pathArgument, textOf } from "../../store/format/fields.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { entryKind } from "../entries/entry-kind.ts";
import { outputTexts } from "../entries/output.ts";
import { type Place, shortCommand } from "../entries/place.ts";
import { rowText } from "../entries/row-text.ts";
import { isShell, type Step, stepOf } from "../entries/step.ts";
import { type CallFacts, callOf } from "../entries/tool-call.ts";
import { withheldIn } from "../entries/withheld.ts";
import { languageOfPath } from "../render/code-lines.ts";
import type { EntryBlock, EntryContext } from "./block.ts";
import { fileEditOf } from "./file-edit.ts";
import { argumentsText, commandFacts, nestedCallsText, valueText } from "./step-text.ts";

/** The result of a tool, below what was asked for, or a command of the person. */
export function* stepBlock(entry: SessionEntry, message: Fields, context: EntryContext): Generator<EntryBlock> {
	const step = stepOf(entry, context.session, context.place);
	if (step === undefined) return;
	const call = callOf(entry, context.session) ?? { name: step.name, args: {} };
	const blocks =
		entryKind(entry) === "command"
			? commandBlocks(step, message, context.place)
			: resultBlocks(step, call, message, context.place);
	yield { type: "step", step, blocks: [...blocks] };
}

/** A call without a result: it still runs, or the session was ended while it did. */
export function openStep(step: Step, call: CallFacts, { place }: EntryContext): EntryBlock {
	const edit = fileEditOf(call, {});
	const change = edit === undefined ? [] : [{ type: "change", name: `change ${step.argument}`, edit } as const];
	return { type: "step", step, blocks: [...askedBlocks(step, call, place), ...change] };
}

function* commandBlocks(step: Step, message: Fields, place: Place): Generator<EntryBlock> {
	yield commandBlock(step, textOf(message.command), place);
	yield* outputBlocks([textOf(message.output)], step);
	const facts = commandFacts(message);
	if (facts !== "") yield { type: "note", text: facts, tone: "muted" };
}

function* resultBlocks(step: Step, call: CallFacts, message: Fields, place: Place): Generator<EntryBlock> {
	yield* askedBlocks(step, call, place);
	const edit = fileEditOf(call, message);
	if (edit !== undefined) yield { type: "change", name: "change", edit };
	yield* saidBlocks(step, call, message, edit === undefined || step.end !== "ok");
	for (const { long } of withheldIn(message)) yield { type: "note", text: long, tone: "warning" };
	const nested = nestedCallsText(fieldsOf(message.nestedCalls), place);
	if (nested !== "") yield { type: "lines", name: "nested", text: nested };
}

/** The command, the other arguments, and the code of a script. */
function* askedBlocks(step: Step, call: CallFacts, place: Place): Generator<EntryBlock> {
	if (isShell(step)) yield commandBlock(step, textOf(call.args.command), place);
	const rest = argumentsText(call, step);
	if (rest !== "") yield { type: "lines", name: "arguments", text: rest };
	const code = call.name === "codemode" ? textOf(call.args.code) : "";
	if (code !== "") yield { type: "code", name: "code", text: code, language: "js" };
}

function commandBlock({ verb }: Step, command: string, place: Place): EntryBlock {
	return { type: "command", verb, text: shortCommand(command, place).trimEnd() };
}

/** What a tool has returned. `withTexts`: else its texts only say that the change was made. */
function* saidBlocks(step: Step, call: CallFacts, message: Fields, withTexts: boolean): Generator<EntryBlock> {
	const texts = withTexts ? outputTexts(message.content) : [];
	if (call.name === "read" && step.end === "ok") {
		const language = languageOfPath(pathArgument(call.args));
		for (const [index, text] of texts.entries())
			if (text.trim() !== "") yield { type: "code", name: `output ${index}`, text, language };
	} else yield* outputBlocks(texts, step);
	const otherContent = listOf(message.content)
		.map(fieldsOf)
		.filter(({ type }) => type !== "text");
	for (const block of otherContent)
		yield block.type === "image"
			? { type: "image", image: block }
			: { type: "json", title: rowText(block.type), text: valueText(block) };
	if (withTexts && otherContent.length === 0 && texts.every((text) => text.trim() === ""))
		yield { type: "note", text: "(no output)", tone: "muted" };
}

function* outputBlocks(texts: readonly string[], step: Step): Generator<EntryBlock> {
	const isFailure = step.end === "failed";
	// The error of a tool is a sentence; what a program printed is broken where its terminal would have broken it.
	const isSentence = step.end !== "ok" && !isShell(step);
	for (const [index, text] of texts.entries())
		if (text.trim() !== "") yield { type: "output", name: `output ${index}`, text, isFailure, isSentence };
}
