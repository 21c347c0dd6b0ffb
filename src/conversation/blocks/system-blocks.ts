import type { SessionEntry } from "../../store/format/schema.ts";
import { formatCounted, formatLength } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { cutLine } from "../../ui/text/width.ts";
import { eachField, type Fields, fieldsOf, listOf, textOf } from "../entries/fields.ts";
import { rowText } from "../entries/row-text.ts";
import { toolNames } from "../entries/system-text.ts";
import { contentBlocks } from "./content-blocks.ts";
import { type BlockContext, foldKey, isOpen } from "./context.ts";
import { jsonText, textParts } from "./parts.ts";
import { BLANK, type Block, type Part } from "./piece.ts";

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
		`${name} · ${formatLength(text.length)} characters`,
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
export function rowBlock(title: string, text: string | (() => string), key: string, context: BlockContext): Block {
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
