import { eachField, type Fields, fieldsOf, firstFields, listOf, textOf } from "../../store/format/fields.ts";
import { contentText } from "../../store/format/message.ts";
import { formatCounted, formatLength } from "../../ui/text/format.ts";
import { contentHead, head, rowText } from "./row-text.ts";

/** Sections that a row names. */
const MAX_NAMES = 20;
/** From this many on, tools are counted instead of named. */
const MANY_TOOLS = 4;

/** A system message in one row: its text, the sections of the prompt with their lengths, and the tools. */
export function systemText(message: Fields): string {
	const parts = [contentHead(message.content), ...toolChanges(message), sectionNames(message)];
	return head(parts.filter((part) => part !== "").join(" · ")) || "(empty)";
}

/** "preamble (4.1k characters), tools (803), rules removed" */
function sectionNames({ sections }: Fields): string {
	let unit = " characters";
	const names: string[] = [];
	for (const [name, text] of firstFields(sections, MAX_NAMES)) {
		names.push(
			typeof text === "string" ? `${head(name)} (${formatLength(text.length)}${unit})` : `${head(name)} removed`,
		);
		if (typeof text === "string") unit = "";
	}
	return names.join(", ");
}

function toolChanges({ toolsAdded, toolsRemoved }: Fields): string[] {
	const added = listOf(toolsAdded);
	const removed = listOf(toolsRemoved);
	return [
		added.length === 0 ? "" : `${formatCounted(added.length, "tool")} added${fewNames(added)}`,
		removed.length === 0 ? "" : `${formatCounted(removed.length, "tool")} removed${fewNames(removed)}`,
	];
}

function fewNames(tools: readonly unknown[]): string {
	return tools.length >= MANY_TOOLS ? "" : `: ${toolNames(tools)}`;
}

/** The names of the tools, separated by commas. */
export function toolNames(tools: readonly unknown[]): string {
	return tools.map((tool) => rowText(fieldsOf(tool).name) || "?").join(", ");
}

/** The whole text of a system message: its own text, then its sections. */
export function systemPlainText(message: Fields): string {
	const texts = [contentText(message.content, "\n")];
	for (const [, text] of eachField(message.sections)) texts.push(textOf(text));
	return texts.filter((text) => text !== "").join("\n\n");
}
