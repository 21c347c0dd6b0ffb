import { isOwnMark, timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { formatTokens } from "../../ui/text/format.ts";
import { type EntryKind, entryKind } from "../entries/entry-kind.ts";
import { BASE_FIELDS, type Fields, fieldsBesides, fieldsOf, numberOf, textOf } from "../entries/fields.ts";
import { joinWords, rowText } from "../entries/row-text.ts";
import { usageWords } from "../entries/usage-words.ts";
import { damageBlocks, runBlocks, turnBlocks } from "./below-blocks.ts";
import { type BlockContext, foldKey } from "./context.ts";
import { marginOf, withMargin } from "./facts.ts";
import { foldedParts } from "./folded.ts";
import { answerBlocks, promptBlocks } from "./message-blocks.ts";
import { dataBlocks, dividerBlock, noteBlocks, systemBlocks } from "./note-blocks.ts";
import { contentBlocks, jsonText, jsonTextParts, markdownParts, textParts } from "./parts.ts";
import type { Block } from "./piece.ts";
import { commandBlocks, resultBlocks } from "./step-blocks.ts";

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
			return yield* promptBlocks(entry, message, context);
		case "answer":
		case "calls":
			return yield* answerBlocks(entry, message, context);
		case "result":
			return yield* resultBlocks(entry, message, context);
		case "command":
			return yield* commandBlocks(entry, message, context);
		case "system":
			yield { ...dividerBlock("system prompt", entry, context, "muted"), gap: false };
			return yield* systemBlocks(entry, message, context);
		case "compaction":
			return yield* summaryBlocks(
				joinWords(`≡ compaction${tokens(fields.tokensBefore)}`, ...usageWords(fields.usage)),
				entry,
				fields,
				context,
			);
		case "branch-summary":
			return yield* summaryBlocks("≡ summary of the branch left", entry, fields, context);
		case "message":
			return yield* extensionBlocks(entry, entry.type === "message" ? message : fields, context);
		case "context-edit":
			return yield* unknownBlocks(
				fields.replacement === null ? "leaves an entry out" : "replaces an entry's content",
				entry,
				fields,
				context,
			);
		case "unknown":
			if (entry.type === "message") yield* unknownMessageBlocks(entry, message, context);
			else yield* unknownBlocks(rowText(fields.type) || "unknown", entry, fields, context);
			return;
		default:
			yield* noteBlocks(entry, fields, context);
	}
}

/** A summary as Markdown, below a divider. */
function* summaryBlocks(title: string, entry: SessionEntry, fields: Fields, context: BlockContext): Generator<Block> {
	yield dividerBlock(title, entry, context);
	const message = fieldsOf(fields.message);
	const summary = textOf(fields.summary) || textOf(message.summary);
	yield { parts: markdownParts(summary), gap: true };
	yield* dataBlocks("details", fields.details, entry, context);
	if (entry.type !== "compaction") return;
	yield { parts: textParts(kept(fields), { tone: "muted" }), gap: true };
	if (fields.systemMessage !== undefined) yield* systemBlocks(entry, fieldsOf(fields.systemMessage), context);
}

function kept({ id, firstKeptEntryId }: Fields): string {
	return firstKeptEntryId === id ? "nothing before is kept" : `kept from entry ${rowText(firstKeptEntryId) || "?"}`;
}

function tokens(value: unknown): string {
	const count = numberOf(value);
	return count === undefined ? "" : ` of ${formatTokens(count)}`;
}

/** What an extension has said. */
function* extensionBlocks(entry: SessionEntry, message: Fields, context: BlockContext): Generator<Block> {
	yield dividerBlock(rowText(message.customType) || "custom", entry, context);
	yield* contentBlocks(message.content, "markdown");
	yield* dataBlocks("details", message.details, entry, context);
}

const MESSAGE_BASE: ReadonlySet<string> = new Set(["role", "timestamp", "content"]);

function* unknownBlocks(title: string, entry: SessionEntry, fields: Fields, context: BlockContext): Generator<Block> {
	yield { ...dividerBlock(title, entry, context, "muted"), gap: false };
	yield* jsonBlocks(fieldsBesides(BASE_FIELDS, fields), entry, context);
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
