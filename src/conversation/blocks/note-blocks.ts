import type { SessionEntry } from "../../store/format/schema.ts";
import { formatCounted, formatLength } from "../../ui/text/format.ts";
import { type Line, span, type Tone } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine } from "../../ui/text/width.ts";
import { entryKind } from "../entries/entry-kind.ts";
import { eachField, type Fields, fieldsOf, listOf, textOf } from "../entries/fields.ts";
import { outlineOf } from "../entries/outline.ts";
import { piCustomText } from "../entries/row.ts";
import { joinWords, rowText } from "../entries/row-text.ts";
import { toolNames } from "../entries/system-text.ts";
import { usageWords } from "../entries/usage-words.ts";
import { type BlockContext, foldKey, isOpen } from "./context.ts";
import { facts, ruleRow } from "./facts.ts";
import { contentBlocks, jsonText, textParts } from "./parts.ts";
import { BLANK, type Block, type Part } from "./piece.ts";

/** A divider: what changes from here on, or was noted. */
export function dividerBlock(text: string, entry: SessionEntry, context: BlockContext, tone: Tone = "summary"): Block {
	const left: Line = [{ text: sanitizeLine(text), tone }];
	const dashes = tone === "summary" ? "summary" : "frame";
	return {
		parts: [{ text, draw: (width) => [ruleRow(left, facts(entry, context), width, { tone: dashes })] }],
		gap: true,
	};
}

/** What an entry that says nothing in the conversation notes. */
export function* noteBlocks(entry: SessionEntry, fields: Fields, context: BlockContext): Generator<Block> {
	const tone = entry.type === "model_change" || entry.type === "thinking_level_change" ? "summary" : "muted";
	const text = noteText(entry, fields, context);
	if (text === undefined) return;
	const divider = dividerBlock(text, entry, context, tone);
	if (entry.type !== "custom") return yield divider;
	yield { ...divider, gap: false };
	if (fields.data === undefined) yield BLANK;
	else yield* dataBlocks("data", fields.data, entry, context);
}

/** A value folded to a row, if there is one. */
export function* dataBlocks(name: string, data: unknown, entry: SessionEntry, context: BlockContext): Generator<Block> {
	if (data === undefined) return;
	yield rowBlock(name, () => jsonText(data), foldKey(entry, name), context);
	yield BLANK;
}

/** Undefined for what is seen elsewhere. */
function noteText(entry: SessionEntry, fields: Fields, context: BlockContext): string | undefined {
	switch (entry.type) {
		case "model_change":
			return `model ${[fields.provider, fields.modelId].map(rowText).filter(Boolean).join("/")}`;
		case "thinking_level_change":
			return `thinking ${rowText(fields.thinkingLevel)}`;
		case "label": {
			const [label, on] = [rowText(fields.label), `on ${rowText(fields.targetId)}`];
			if (stands(fields, context)) return undefined;
			return label === "" ? `label cleared ${on}` : `⚑ ${label} ${on}`;
		}
		case "session_info":
			return rowText(fields.name) === "" ? "name cleared" : `named ${rowText(fields.name)}`;
		case "usage":
			return joinWords("usage", ...[fields.kind, fields.model, fields.note].map(rowText), ...usageWords(fields.usage));
		case "custom": {
			const type = rowText(fields.customType);
			return piCustomText(type, fields.data) ?? (type || "custom");
		}
		default:
			return undefined;
	}
}

/** Whether a label stands beside its entry, which is in this conversation. */
function stands({ targetId, label, timestamp }: Fields, { session, path, options }: BlockContext): boolean {
	const target = textOf(targetId);
	const present = session.tree.labels.get(target);
	if (present === undefined || present.text !== label || present.timestamp !== timestamp) return false;
	const labeled = path[outlineOf(session).level(target)];
	// In a pane, calls without an answer have no row with facts.
	return labeled?.id === target && (options.page || entryKind(labeled) !== "calls");
}

/** Tools that are named in one list; each has a row of its own too. */
const MAX_NAMES = 500;

/** A system message: its text, the sections of the prompt, the tools that it adds and removes, each folded to a row. */
export function* systemBlocks(entry: SessionEntry, message: Fields, context: BlockContext): Generator<Block> {
	const added = listOf(message.toolsAdded);
	const removed = listOf(message.toolsRemoved);
	for (const block of contentBlocks(message.content, "text")) yield { ...block, gap: false };
	for (const [name, text] of eachField(message.sections)) yield sectionBlock(rowText(name), text, entry, context);
	if (removed.length > 0) yield namesBlock(`${formatCounted(removed.length, "tool")} removed`, removed);
	if (added.length > 0) yield namesBlock(formatCounted(added.length, "tool"), added);
	for (const tool of added) yield toolBlock(fieldsOf(tool), entry, context);
	yield BLANK;
}

function sectionBlock(name: string, text: unknown, entry: SessionEntry, context: BlockContext): Block {
	if (typeof text !== "string")
		return { parts: textParts(`${name} · removed`, { tone: "muted", sign: "  " }), gap: false };
	return rowBlock(
		`${name} · ${formatLength(text.length)} ${text.length === 1 ? "character" : "characters"}`,
		text,
		foldKey(entry, `section ${name}`),
		context,
	);
}

function toolBlock(tool: Fields, entry: SessionEntry, context: BlockContext): Block {
	const name = rowText(tool.name);
	const text = () => {
		const parameters = jsonText(tool.parameters);
		const parts = [textOf(tool.description), parameters === "" ? "" : `parameters: ${parameters}`];
		return parts.filter((part) => part !== "").join("\n");
	};
	return rowBlock(`tool ${name}`, text, foldKey(entry, `tool ${name}`), context);
}

/** One row, and the text below it when it is open. */
function rowBlock(title: string, text: string | (() => string), key: string, context: BlockContext): Block {
	const open = isOpen(context, key, context.options.toolsOpen);
	const line: Line = [span(open ? "▾ " : "▸ ", "muted"), span(title, "muted")];
	const whole = typeof text === "string" ? text : text();
	const row: Part = {
		text: open ? title : whole,
		fold: open ? undefined : key,
		draw: (width) => [{ line: cutLine(line, width), fold: key }],
	};
	return { parts: open ? [row, ...textParts(whole, { sign: "  " })] : [row], gap: false };
}

function namesBlock(title: string, tools: readonly unknown[]): Block {
	const more = tools.length - MAX_NAMES;
	const names = `${toolNames(tools.slice(0, MAX_NAMES))}${more > 0 ? `, and ${more} more` : ""}`;
	return { parts: textParts(`${title}: ${names}`, { tone: "muted", sign: "  " }), gap: false };
}
