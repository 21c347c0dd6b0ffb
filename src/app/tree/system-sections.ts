import { formatCounted, formatLength } from "../text/format.ts";
import { blockSections } from "./block-sections.ts";
import { toolNames } from "./describe-system.ts";
import { type EntrySection, eachPart, hasText, ifAny, json, MAX_PARTS, section } from "./entry-section.ts";
import { type Fields, fieldsOf, firstFields, listOf, textOf } from "./fields.ts";
import { rowText } from "./row-text.ts";

/** A system message in full: its text, the sections of the prompt, the tools that it adds and removes. */
export function systemSections(message: Fields, home: string): EntrySection[] {
	const added = listOf(message.toolsAdded);
	const removed = listOf(message.toolsRemoved);
	return [
		...blockSections(message.content, home),
		...[...firstFields(message.sections, MAX_PARTS)].map(([name, text]) => promptSection(rowText(name), text)),
		ifAny(`${formatCounted(removed.length, "tool")} removed`, firstNames(removed), "muted"),
		ifAny(formatCounted(added.length, "tool"), firstNames(added), "muted"),
		...eachPart(added, (tool) => [toolSection(fieldsOf(tool))]),
	].filter(hasText);
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
	const more = tools.length - MAX_PARTS;
	return `${toolNames(tools.slice(0, MAX_PARTS))}${more > 0 ? `, and ${more} more` : ""}`;
}
