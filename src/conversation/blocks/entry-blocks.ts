import { isOwnMark, timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { formatLength } from "../../ui/text/format.ts";
import { type EntryKind, entryKind } from "../entries/entry-kind.ts";
import { type Fields, fieldsBesides, fieldsOf, listOf, numberOf, textOf } from "../entries/fields.ts";
import { joinWords, rowText } from "../entries/row-text.ts";
import { answerBlocks } from "./answer-blocks.ts";
import { damageBlocks, runBlocks, turnBlocks } from "./below-blocks.ts";
import { contentBlock, contentBlocks } from "./content-blocks.ts";
import { type BlockContext, foldKey } from "./context.ts";
import { marginOf, withMargin } from "./facts.ts";
import { foldedParts } from "./folded.ts";
import { dividerBlock, noteBlocks, usageText } from "./note-blocks.ts";
import { jsonText, jsonTextParts, markdownParts, textParts } from "./parts.ts";
import { BLANK, type Block } from "./piece.ts";
import { promptBlock } from "./prompt-blocks.ts";
import { commandBlocks, resultBlocks } from "./step-blocks.ts";
import { rowBlock, systemBlocks } from "./system-blocks.ts";

/** All of an entry, and what is known at its place in the conversation; made one after the other, as they are taken. */
export function* entryBlocks(index: number, context: BlockContext): Generator<Block> {
	const entry = context.path[index];
	if (entry === undefined) return;
	const next = context.path[index + 1];
	const isAmongNotes = isNote(entry) && next !== undefined && isNote(next);
	const blocks = ownBlocks(entry, context);
	if (isFirstOfRun(index, context)) yield dividerBlock("its own task", entry, context);
	const own = isAmongNotes ? blocks.map((block) => ({ ...block, gap: false })) : blocks;
	yield* context.options.page ? withMargin(own, marginOf(index, context)) : own;
	// A result has them below its title.
	if (entryKind(entry) !== "result") yield* runBlocks(entry, context);
	yield* turnBlocks(index, context);
	yield* damageBlocks(entry, context);
}

/** Whether what stands before an entry was copied from the session that asked for this run. */
function isFirstOfRun(index: number, { path, forkedMs }: BlockContext): boolean {
	if (forkedMs === undefined || index === 0) return false;
	const isCopied = (at: number): boolean => timeOf(path[at]?.timestamp) < forkedMs;
	return isCopied(index - 1) && !isCopied(index);
}

const NOTES: ReadonlySet<EntryKind> = new Set<EntryKind>(["model", "thinking-level", "label", "name", "usage"]);

/** Whether an entry is one row that needs no blank row to the next such one. */
function isNote(entry: SessionEntry): boolean {
	return NOTES.has(entryKind(entry));
}

function* ownBlocks(entry: SessionEntry, context: BlockContext): Generator<Block> {
	if (isOwnMark(entry)) return;
	const fields = fieldsOf(entry);
	const message = fieldsOf(fields.message);
	switch (entryKind(entry)) {
		case "prompt":
			yield* promptBlocks(entry, message, context);
			return;
		case "answer":
		case "calls":
			yield* answerBlocks(entry, message, context);
			return;
		case "result":
			yield* resultBlocks(entry, message, context);
			return;
		case "command":
			yield* commandBlocks(entry, message, context);
			return;
		case "system":
			yield { ...dividerBlock("system prompt", entry, context, "muted"), gap: false };
			yield* systemBlocks(entry, message, context);
			return;
		case "compaction":
			yield* summaryBlocks(
				joinWords(`≡ compaction${tokens(fields.tokensBefore)}`, usageText(fields.usage)),
				entry,
				fields,
				context,
			);
			return;
		case "branch-summary":
			yield* summaryBlocks("≡ summary of the branch left", entry, fields, context);
			return;
		case "message":
			yield* extensionBlocks(entry, entry.type === "message" ? message : fields, context);
			return;
		case "context-edit":
			yield* unknownBlocks(
				fields.replacement === null ? "leaves an entry out" : "replaces an entry's content",
				entry,
				fields,
				context,
			);
			return;
		case "unknown":
			if (entry.type === "message") yield* unknownMessageBlocks(entry, message, context);
			else yield* unknownBlocks(rowText(fields.type) || "unknown", entry, fields, context);
			return;
		default:
			yield* noteBlocks(entry, fields, context);
	}
}

/** The texts of a prompt as one band each, its images below. */
function* promptBlocks(entry: SessionEntry, message: Fields, context: BlockContext): Generator<Block> {
	const content =
		typeof message.content === "string" ? [{ type: "text", text: message.content }] : listOf(message.content);
	const texts = content.map(fieldsOf).filter(({ type }) => type === "text");
	yield promptBlock(texts.length === 0 ? "" : textOf(texts[0]?.text), entry, context);
	for (const value of texts.slice(1)) yield promptBlock(textOf(value.text), entry, context);
	for (const value of content) {
		const block = fieldsOf(value);
		if (block.type !== "text") yield contentBlock(block, "text");
	}
}

/** A summary as Markdown, below a divider. */
function* summaryBlocks(title: string, entry: SessionEntry, fields: Fields, context: BlockContext): Generator<Block> {
	yield dividerBlock(title, entry, context);
	const message = fieldsOf(fields.message);
	const summary = textOf(fields.summary) || textOf(message.summary);
	yield { parts: markdownParts(summary), gap: true };
	if (fields.details !== undefined) {
		yield rowBlock("details", () => jsonText(fields.details), foldKey(entry, "details"), context);
		yield BLANK;
	}
	if (entry.type !== "compaction") return;
	yield { parts: textParts(kept(fields), { tone: "muted" }), gap: true };
	if (fields.systemMessage !== undefined) yield* systemBlocks(entry, fieldsOf(fields.systemMessage), context);
}

function kept({ id, firstKeptEntryId }: Fields): string {
	return firstKeptEntryId === id ? "nothing before is kept" : `kept from entry ${rowText(firstKeptEntryId) || "?"}`;
}

function tokens(value: unknown): string {
	const count = numberOf(value);
	return count === undefined ? "" : ` of ${formatLength(count)} tokens`;
}

/** What an extension has said. */
function* extensionBlocks(entry: SessionEntry, message: Fields, context: BlockContext): Generator<Block> {
	yield dividerBlock(rowText(message.customType) || "custom", entry, context);
	yield* contentBlocks(message.content, "markdown");
	if (message.details === undefined) return;
	yield rowBlock("details", () => jsonText(message.details), foldKey(entry, "details"), context);
	yield BLANK;
}

/** The fields that every entry has: one of an unknown type shows the others. */
const BASE: ReadonlySet<string> = new Set(["type", "id", "parentId", "timestamp"]);
const MESSAGE_BASE: ReadonlySet<string> = new Set(["role", "timestamp", "content"]);

function* unknownBlocks(title: string, entry: SessionEntry, fields: Fields, context: BlockContext): Generator<Block> {
	yield { ...dividerBlock(title, entry, context, "muted"), gap: false };
	yield* jsonBlocks(fieldsBesides(BASE, fields), entry, context);
}

/** A message with a role that we do not know: what it says, and its fields. */
function* unknownMessageBlocks(entry: SessionEntry, message: Fields, context: BlockContext): Generator<Block> {
	yield { ...dividerBlock(rowText(message.role) || "a message without a role", entry, context, "muted"), gap: false };
	yield* contentBlocks(message.content, "markdown");
	const others = fieldsBesides(MESSAGE_BASE, message);
	if (Object.keys(others).length > 0) yield* jsonBlocks(others, entry, context);
}

function* jsonBlocks(value: unknown, entry: SessionEntry, context: BlockContext): Generator<Block> {
	const key = foldKey(entry, "json");
	yield { parts: foldedParts(jsonText(value), key, jsonTextParts, context), gap: true };
}
