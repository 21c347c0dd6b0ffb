import { eachField, type Fields, fieldsOf, listOf, textOf } from "../conversation/fields.ts";
import { rowText } from "../conversation/row-text.ts";
import { toolNames } from "../conversation/system-text.ts";
import { formatCounted, formatLength } from "../text/format.ts";
import { blockSections } from "./block-sections.ts";
import { type EntrySection, ifAny, json, section } from "./entry-section.ts";

/** Tools that are named in one list; each has a section of its own too. */
const MAX_NAMES = 500;

/** A system message in full: its text, the sections of the prompt, the tools that it adds and removes. */
export function* systemSections(message: Fields, home: string): Generator<EntrySection> {
	const added = listOf(message.toolsAdded);
	const removed = listOf(message.toolsRemoved);
	yield* blockSections(message.content, home);
	for (const [name, text] of eachField(message.sections)) yield promptSection(rowText(name), text);
	yield ifAny(`${formatCounted(removed.length, "tool")} removed`, firstNames(removed), "muted");
	yield ifAny(formatCounted(added.length, "tool"), firstNames(added), "muted");
	for (const tool of added) yield toolSection(fieldsOf(tool));
}

function promptSection(name: string, text: unknown): EntrySection {
	if (typeof text !== "string") return section(`${name} · removed`, "", "muted");
	return section(`${name} · ${formatLength(text.length)} characters`, text);
}

function toolSection(tool: Fields): EntrySection {
	const description = textOf(tool.description);
	const parameters = json(tool.parameters);
	const parts = [description, parameters === "" ? "" : `parameters: ${parameters}`];
	return section(`tool ${rowText(tool.name)}`, parts.filter((part) => part !== "").join("\n"), "muted");
}

function firstNames(tools: readonly unknown[]): string {
	const more = tools.length - MAX_NAMES;
	return `${toolNames(tools.slice(0, MAX_NAMES))}${more > 0 ? `, and ${more} more` : ""}`;
}
