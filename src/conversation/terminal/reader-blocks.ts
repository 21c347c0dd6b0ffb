import { fieldsOf, textOf } from "../../store/format/fields.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { formatDuration } from "../../ui/text/format.ts";
import { type Line, span, strong, type Tone } from "../../ui/text/line.ts";
import { sanitizeLine, startOf } from "../../ui/text/sanitize.ts";
import type { BlockOf, EntryBlock } from "../blocks/block.ts";
import { entryBlocks } from "../blocks/entry-blocks.ts";
import { type EntryKind, entryKind } from "../entries/entry-kind.ts";
import { outlineOf } from "../entries/outline.ts";
import { usageWords } from "../entries/usage-words.ts";
import { damageBlocks, runBlocks, turnBlocks } from "./below-blocks.ts";
import { foldKey, isOpen, type ReaderContext } from "./context.ts";
import { facts, marginOf, ruleRow, withMargin } from "./facts.ts";
import { foldedParts } from "./folded.ts";
import { codeParts, FIRST_LINE, imageParts, markdownParts, rowPart, textParts } from "./parts.ts";
import { BLANK, type Block, type Part } from "./piece.ts";
import { promptBlock } from "./prompt-block.ts";
import { changeParts, commandParts, fileParts, outputParts, stepRule } from "./step-parts.ts";

/** All of an entry, and what is known at its place in the conversation; made one after the other, as they are taken. */
export function* readerBlocks(index: number, context: ReaderContext): Generator<Block> {
	const entry = context.path[index];
	if (entry === undefined) return;
	const next = context.path[index + 1];
	const isAmongNotes = isNote(entry) && next !== undefined && isNote(next);
	const blocks = ownBlocks(entry, context);
	if (isFirstOfRun(index, context)) yield dividerBlock("its own task", "summary", entry, context);
	const spacedBlocks = isAmongNotes ? blocks.map((block) => ({ ...block, gap: false })) : blocks;
	yield* context.options.page ? withMargin(spacedBlocks, marginOf(index, context)) : spacedBlocks;
	// A result has them below its title.
	if (entryKind(entry) !== "result") yield* runBlocks(entry, context);
	yield* turnBlocks(index, context);
	yield* damageBlocks(entry, context);
}

/** Whether what stands before an entry was copied from the session that asked for this run. */
function isFirstOfRun(index: number, { path, forkedMs }: ReaderContext): boolean {
	if (forkedMs === undefined || index === 0) return false;
	const isCopied = (at: number): boolean => timeOf(path[at]?.timestamp) < forkedMs;
	return isCopied(index - 1) && !isCopied(index);
}

const NOTES: ReadonlySet<EntryKind> = new Set<EntryKind>(["model", "thinking-level", "label", "name", "usage"]);

/** Whether an entry is one row that needs no blank row to the next such one. */
function isNote(entry: SessionEntry): boolean {
	return NOTES.has(entryKind(entry));
}

function* ownBlocks(entry: SessionEntry, context: ReaderContext): Generator<Block> {
	if (isLabelSeen(entry, context)) return;
	for (const block of entryBlocks(entry, context)) yield* drawBlock(block, entry, context);
}

/** Whether an entry only sets a label that stands beside another entry of this conversation. */
function isLabelSeen(entry: SessionEntry, { session, path, options }: ReaderContext): boolean {
	if (entry.type !== "label") return false;
	const { targetId, label, timestamp } = fieldsOf(entry);
	const target = textOf(targetId);
	const present = session.tree.labels.get(target);
	if (present === undefined || present.text !== label || present.timestamp !== timestamp) return false;
	const labeled = path[outlineOf(session).level(target)];
	// In a pane, calls without an answer have no row with facts.
	return labeled?.id === target && (options.page || entryKind(labeled) !== "calls");
}

/** `inside`: the group whose blocks stand close together. */
function* drawBlock(
	block: EntryBlock,
	entry: SessionEntry,
	context: ReaderContext,
	inside?: "step" | "system",
): Generator<Block> {
	const gap = inside === undefined;
	const folded = (name: string, parts: (text: string) => readonly Part[], text: string): Block => ({
		parts: foldedParts(text, foldKey(entry, name), parts, context),
		gap,
	});
	switch (block.type) {
		case "speaker":
			if (block.of === "message") yield dividerBlock(block.name || "custom", "summary", entry, context);
			else if (block.of === "answer" && !context.options.page) yield answerRule(block, entry, context);
			return;
		case "divider":
			yield { ...dividerBlock(block.text, block.tone, entry, context), gap: block.below === undefined };
			for (const below of block.below ?? []) yield* drawBlock(below, entry, context);
			return;
		case "prose":
			return yield block.of === "prompt"
				? promptBlock(block.text, entry, context)
				: { parts: markdownParts(block.text), gap };
		case "text":
			return yield { parts: textParts(block.text), gap };
		case "thought":
			return yield thoughtBlock(block, entry, context);
		case "stop": {
			const text = `${block.tone === "error" ? "✗ " : ""}${block.text}${block.error === "" ? "" : `: ${block.error}`}`;
			return yield { parts: textParts(text, { tone: block.tone, bold: true }), gap };
		}
		case "note":
			return yield { parts: textParts(block.text, { tone: block.tone, sign: inside === "system" ? "  " : "" }), gap };
		case "image":
			return yield { parts: imageParts(block.image), gap };
		case "json":
			if (block.title === "") return yield folded("json", jsonParts, block.text);
			return yield { parts: [...textParts(block.title, { tone: "verb" }), ...jsonParts(block.text)], gap };
		case "fold":
			return yield { ...foldBlock(block, entry, context), gap };
		case "system":
			if (block.isEntry) yield { ...dividerBlock("system prompt", "muted", entry, context), gap: false };
			for (const below of block.blocks) yield* drawBlock(below, entry, context, "system");
			return yield BLANK;
		case "step":
			return yield* drawStep(block, entry, context);
		case "command":
			return yield { parts: commandParts(block), gap };
		case "lines":
			return yield folded(block.name, (text) => textParts(text, { tone: "muted" }), block.text);
		case "change":
			return yield { parts: changeParts(block.edit, foldKey(entry, block.name), context), gap };
		case "code":
			return yield folded(
				block.name,
				// pi's notice at the end of what was read is no code.
				(text) => (block.name === "code" ? codeParts(text, block.language) : fileParts(text, block.language)),
				block.text,
			);
		case "output":
			return yield { parts: outputParts(block, foldKey(entry, block.name), context), gap };
	}
}

function jsonParts(json: string): readonly Part[] {
	return codeParts(json, "json", "muted");
}

/** A step: its title, the command, the runs that it started, and all else. */
function* drawStep({ step, blocks }: BlockOf<"step">, entry: SessionEntry, context: ReaderContext): Generator<Block> {
	yield { parts: [stepRule(step, entry, context)], gap: false };
	const [first, ...rest] = blocks;
	const isCommand = first?.type === "command";
	if (isCommand) yield* drawBlock(first, entry, context, "step");
	if (entryKind(entry) === "result") yield* runBlocks(entry, context);
	for (const block of isCommand ? rest : blocks) yield* drawBlock(block, entry, context, "step");
	yield BLANK;
}

/** A divider: what changes from here on, or was noted. */
function dividerBlock(text: string, tone: Tone, entry: SessionEntry, context: ReaderContext): Block {
	const title: Line = [{ text: sanitizeLine(text), tone }];
	const dashes = tone === "summary" ? "summary" : "frame";
	return {
		parts: [{ text, draw: (width) => [ruleRow(title, facts(entry, context, width), width, { tone: dashes })] }],
		gap: true,
	};
}

/** "── assistant claude-sonnet-4-5 · 75↓ · $0.0025 ──────── ⚑ works 05:29 ─". */
function answerRule(
	{ name, facts: about, usage }: BlockOf<"speaker">,
	entry: SessionEntry,
	context: ReaderContext,
): Block {
	const words = [name, ...about, ...usageWords(usage)].filter((part) => part !== "");
	const title: Line = [strong("assistant"), span(words.length === 0 ? "" : ` ${words.join(" · ")}`, "muted")];
	return { parts: [{ text: "", draw: (width) => [ruleRow(title, facts(entry, context, width), width)] }], gap: true };
}

/** The first line of what the model thought, or all of it. */
function thoughtBlock(
	{ name, text, durationMs }: BlockOf<"thought">,
	entry: SessionEntry,
	context: ReaderContext,
): Block {
	const key = foldKey(entry, name);
	const head = durationMs === undefined ? "thought" : `thought for ${formatDuration(durationMs)}`;
	if (text.trim() === "")
		return { parts: [rowPart([span(`▸ ${head} (withheld by the provider)`, "muted")])], gap: true };
	if (isOpen(context, key, context.options.thinkingOpen)) {
		const title = rowPart([span(`▾ ${head}`, "muted")], { key });
		return { parts: [title, ...markdownParts(text, { tone: "muted" })], gap: true };
	}
	const first = sanitizeLine(startOf(text.trimStart(), FIRST_LINE));
	const line: Line = [span(`▸ ${head}: `, "muted"), { text: first, tone: "muted" }];
	return { parts: [rowPart(line, { key, hidden: text })], gap: true };
}

/** A title in a row, and the text below it when it is open. */
function foldBlock({ name, title, text }: BlockOf<"fold">, entry: SessionEntry, context: ReaderContext): Block {
	const key = foldKey(entry, name);
	const open = isOpen(context, key, context.options.toolsOpen);
	const line: Line = [span(open ? "▾ " : "▸ ", "muted"), span(title, "muted")];
	if (!open) return { parts: [rowPart(line, { key, hidden: text() })], gap: false };
	return { parts: [{ ...rowPart(line, { key }), text: title }, ...textParts(text(), { sign: "  " })], gap: false };
}
