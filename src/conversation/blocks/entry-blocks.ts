import {
	BASE_FIELDS,
	blocksIn,
	eachField,
	type Fields,
	fieldsBesides,
	fieldsOf,
	listOf,
	numberOf,
	textOf,
} from "../../store/format/fields.ts";
import { isOwnMark } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { formatCounted, formatDuration, formatLength, formatTokens } from "../../ui/text/format.ts";
import { type EntryKind, entryKind, stopMark } from "../entries/entry-kind.ts";
import { customText, describeRow } from "../entries/row.ts";
import { joinWords, rowText } from "../entries/row-text.ts";
import { openCalls } from "../entries/step.ts";
import { toolNames } from "../entries/system-text.ts";
import { usageWords } from "../entries/usage-words.ts";
import { withheldIn } from "../entries/withheld.ts";
import { type BlockOf, type EntryBlock, type EntryContext, messageFields } from "./block.ts";
import { openStep, stepBlock } from "./step-blocks.ts";
import { valueText } from "./step-text.ts";

/** What an entry says, in the order in which it is read; made one after the other, as the blocks are taken. */
export function* entryBlocks(entry: SessionEntry, context: EntryContext): Generator<EntryBlock> {
	if (isOwnMark(entry)) return;
	const fields = fieldsOf(entry);
	const message = messageFields(entry);
	const kind = entryKind(entry);
	switch (kind) {
		case "prompt":
			yield { type: "speaker", of: "prompt", name: "", facts: [], usage: undefined };
			return yield* promptBlocks(message);
		case "answer":
			yield answerSpeaker(message);
			return yield* answerBlocks(entry, message, kind, context);
		case "calls":
			return yield* answerBlocks(entry, message, kind, context);
		case "result":
		case "command":
			return yield* stepBlock(entry, message, context);
		case "system":
			return yield systemBlock(message, true);
		case "compaction":
		case "branch-summary":
			return yield* summaryBlocks(kind, entry, fields);
		case "message":
			yield { type: "speaker", of: "message", name: rowText(message.customType), facts: [], usage: undefined };
			for (const block of blocksIn(message.content)) yield contentBlock(block);
			return yield* dataBlocks("details", message.details);
		case "context-edit":
			return yield contextEditBlock(entry, fields, context);
		case "unknown":
			if (entry.type === "message") return yield* unknownMessageBlocks(message);
			return yield valueBlock(rowText(fields.type) || "unknown", fieldsBesides(BASE_FIELDS, fields));
		default:
			yield noteBlock(kind, fields);
	}
}

export function changeBlocks(entry: SessionEntry, context: EntryContext): readonly BlockOf<"change">[] {
	return [...entryBlocks(entry, context)].flatMap((block) =>
		block.type === "step" ? block.blocks.filter((one) => one.type === "change") : [],
	);
}

function contextEditBlock(entry: SessionEntry, fields: Fields, { session, place }: EntryContext): EntryBlock {
	const { verb, text } = describeRow(entry, session, place);
	return valueBlock(joinWords(verb?.text ?? "", text), fieldsBesides(BASE_FIELDS, fields));
}

/** The texts of a prompt, at least one, then its images. */
function* promptBlocks({ content }: Fields): Generator<EntryBlock> {
	const blocks = blocksIn(content);
	const texts = blocks.filter(({ type }) => type === "text").map(({ text }) => textOf(text));
	for (const text of texts.length === 0 ? [""] : texts) yield { type: "prose", of: "prompt", text };
	for (const block of blocks) if (block.type !== "text") yield contentBlock(block);
}

export function answerSpeaker({ model, thinkingLevel, durationMs, usage }: Fields): BlockOf<"speaker"> {
	const level = rowText(thinkingLevel);
	const ms = numberOf(durationMs);
	const facts = [
		level === "" || level === "off" ? "" : `thinking ${level}`,
		ms === undefined ? "" : formatDuration(ms),
	].filter((fact) => fact !== "");
	return { type: "speaker", of: "answer", name: rowText(model), facts, usage };
}

/** What the model thought, said, and called without a result. Calls with results are shown with these. */
function* answerBlocks(
	entry: SessionEntry,
	message: Fields,
	kind: EntryKind,
	context: EntryContext,
): Generator<EntryBlock> {
	const stop = stopBlock(message);
	// A reason stands first, where it is looked for; where a text was cut off is seen at its end.
	const failed = stop?.tone === "error";
	if (stop !== undefined && failed) yield stop;
	const durationMs = kind === "calls" ? numberOf(message.durationMs) : undefined;
	for (const [index, block] of blocksIn(message.content).entries()) {
		if (block.type === "thinking")
			yield { type: "thought", name: `thought ${index}`, text: textOf(block.thinking), durationMs };
		else if (block.type !== "toolCall") yield contentBlock(block);
		else if (textOf(block.argumentsError) !== "")
			yield note(`arguments that are not a JSON object: ${textOf(block.argumentsError)}`, "error");
	}
	for (const { step, call } of openCalls(entry, context.session, context.place)) yield openStep(step, call, context);
	for (const { long } of withheldIn(message)) yield note(long, "warning");
	if (stop !== undefined && !failed) yield stop;
}

/** Why an answer is not whole: "failed" with "529 overloaded", "cut off: length limit (max_tokens)". */
function stopBlock(message: Fields): BlockOf<"stop"> | undefined {
	const stop = stopMark(message);
	if (stop === undefined) return undefined;
	const raw = rowText(message.rawStopReason);
	const text = raw === "" ? stop.long : `${stop.long} (${raw})`;
	return { type: "stop", text, error: textOf(message.errorMessage), tone: stop.tone };
}

function contentBlock(block: Fields): EntryBlock {
	if (block.type === "text") return { type: "prose", of: "answer", text: textOf(block.text) };
	if (block.type === "image") return { type: "image", image: block };
	return { type: "json", title: rowText(block.type), text: valueText(block) };
}

function* summaryBlocks(kind: EntryKind, entry: SessionEntry, fields: Fields): Generator<EntryBlock> {
	const tokens = numberOf(fields.tokensBefore);
	const compaction = `≡ compaction${tokens === undefined ? "" : ` of ${formatTokens(tokens)}`}`;
	const title =
		kind === "compaction" ? joinWords(compaction, ...usageWords(fields.usage)) : "≡ summary of the branch left";
	yield { type: "divider", text: title, tone: "summary" };
	const summary = textOf(fields.summary) || textOf(fieldsOf(fields.message).summary);
	yield { type: "prose", of: "summary", text: summary };
	yield* dataBlocks("details", fields.details);
	if (entry.type !== "compaction") return;
	const { id, firstKeptEntryId: kept } = fields;
	yield note(kept === id ? "nothing before is kept" : `kept from entry ${rowText(kept) || "?"}`, "muted");
	if (fields.systemMessage !== undefined) yield systemBlock(fieldsOf(fields.systemMessage), false);
}

function* dataBlocks(name: string, data: unknown): Generator<EntryBlock> {
	if (data !== undefined) yield { type: "fold", name, title: name, text: () => valueText(data), isJson: true };
}

/** A divider, and all fields of what is not known better. */
function valueBlock(text: string, value: unknown): EntryBlock {
	return { type: "divider", text, tone: "muted", below: [{ type: "json", title: "", text: valueText(value) }] };
}

const MESSAGE_BASE: ReadonlySet<string> = new Set(["role", "timestamp", "content"]);

/** A message with a role that we do not know: what it says, and its fields. */
function* unknownMessageBlocks(message: Fields): Generator<EntryBlock> {
	yield { type: "divider", text: rowText(message.role) || "a message without a role", tone: "muted", below: [] };
	for (const block of blocksIn(message.content)) yield contentBlock(block);
	const otherFields = fieldsBesides(MESSAGE_BASE, message);
	if (Object.keys(otherFields).length > 0) yield { type: "json", title: "", text: valueText(otherFields) };
}

function noteBlock(kind: EntryKind, fields: Fields): EntryBlock {
	const isChange = kind === "model" || kind === "thinking-level";
	const below = kind === "custom" && fields.data !== undefined ? { below: [...dataBlocks("data", fields.data)] } : {};
	return { type: "divider", text: noteText(kind, fields), tone: isChange ? "summary" : "muted", ...below };
}

function noteText(kind: EntryKind, fields: Fields): string {
	switch (kind) {
		case "model":
			return `model ${[fields.provider, fields.modelId].map(rowText).filter(Boolean).join("/")}`;
		case "thinking-level":
			return `thinking ${rowText(fields.thinkingLevel)}`;
		case "label": {
			const label = rowText(fields.label);
			return `${label === "" ? "label cleared" : `⚑ ${label}`} on ${rowText(fields.targetId)}`;
		}
		case "name":
			return rowText(fields.name) === "" ? "name cleared" : `named ${rowText(fields.name)}`;
		case "usage":
			return joinWords("usage", ...[fields.kind, fields.model, fields.note].map(rowText), ...usageWords(fields.usage));
		default:
			return customText(rowText(fields.customType), fields.data) ?? (rowText(fields.customType) || "custom");
	}
}

/** Tools that are named in one list; each has a row of its own too. */
const MAX_NAMES = 500;

/** A system message: its text, the sections of the prompt, the tools that it adds and removes. */
function systemBlock(message: Fields, isEntry: boolean): EntryBlock {
	return { type: "system", message, isEntry, blocks: [...systemBlocks(message)] };
}

function* systemBlocks(message: Fields): Generator<EntryBlock> {
	const added = listOf(message.toolsAdded);
	const removed = listOf(message.toolsRemoved);
	for (const block of blocksIn(message.content))
		yield block.type === "text" ? { type: "text", text: textOf(block.text) } : contentBlock(block);
	for (const [name, text] of eachField(message.sections)) yield sectionBlock(rowText(name), text);
	if (removed.length > 0) yield namesNote(`${formatCounted(removed.length, "tool")} removed`, removed);
	if (added.length > 0) yield namesNote(formatCounted(added.length, "tool"), added);
	for (const tool of added.map(fieldsOf)) {
		const title = `tool ${rowText(tool.name)}`;
		yield { type: "fold", name: title, title, text: () => toolText(tool), isJson: false };
	}
}

function sectionBlock(name: string, text: unknown): EntryBlock {
	if (typeof text !== "string") return note(`${name} · removed`, "muted");
	const title = `${name} · ${formatLength(text.length)} ${text.length === 1 ? "character" : "characters"}`;
	return { type: "fold", name: `section ${name}`, title, text: () => text, isJson: false };
}

function toolText({ description, parameters }: Fields): string {
	const json = valueText(parameters);
	return [textOf(description), json === "" ? "" : `parameters: ${json}`].filter((part) => part !== "").join("\n");
}

function namesNote(title: string, tools: readonly unknown[]): EntryBlock {
	const more = tools.length - MAX_NAMES;
	return note(`${title}: ${toolNames(tools.slice(0, MAX_NAMES))}${more > 0 ? `, and ${more} more` : ""}`, "muted");
}

function note(text: string, tone: BlockOf<"note">["tone"]): BlockOf<"note"> {
	return { type: "note", text, tone };
}
