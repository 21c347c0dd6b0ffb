import { eachField, fieldsOf, firstFields, listOf, textOf } from "../../store/format/fields.ts";
import { contentText } from "../../store/format/message.ts";
import { BOOKKEEPING } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { formatCounted, formatLength } from "../../ui/text/format.ts";
import { entryKind } from "./entry-kind.ts";
import { joinWords, rowText } from "./row-text.ts";
import { toolNames } from "./system-text.ts";

/** What a session begins with before anything is said. */
export interface Preamble {
	/** The entry whose row stands for all of it: the system prompt, else the first choice of a model or a thinking level. */
	readonly owner: SessionEntry;
	readonly hasPrompt: boolean;
	/** Ids of the entries that it consists of. */
	readonly ids: ReadonlySet<string>;
	/** "system prompt · 3.1k characters · 5 tools · claude-sonnet-4-5, thinking high" */
	readonly words: string;
	/** What it consists of: the model and the thinking level, the tools by name, the sections with their lengths. */
	readonly details: readonly string[];
}

/** The preamble of a conversation; undefined if it has none. `entries`: from the first on, of which only the beginning is taken. */
export function preambleIn(entries: Iterable<SessionEntry>): Preamble | undefined {
	const members: SessionEntry[] = [];
	let prompt: SessionEntry | undefined;
	for (const entry of entries) {
		const kind = entryKind(entry);
		const isPrompt = kind === "system" && prompt === undefined;
		if (isPrompt) prompt = entry;
		if (isPrompt || kind === "model" || kind === "thinking-level") members.push(entry);
		else if (!BOOKKEEPING.has(entry.type)) break;
	}
	const owner = prompt ?? members[0];
	if (owner === undefined) return undefined;
	const last = (kind: "model" | "thinking-level") => fieldsOf(members.findLast((entry) => entryKind(entry) === kind));
	const level = rowText(last("thinking-level").thinkingLevel);
	const choices = [rowText(last("model").modelId), level === "" ? "" : `thinking ${level}`].filter(Boolean).join(", ");
	const parts = [...(prompt === undefined ? [] : promptParts(prompt)), choices];
	const words = parts.filter((part) => part !== "").join(" · ");
	const provider = rowText(last("model").provider);
	const details = [joinWords(provider, choices), ...(prompt === undefined ? [] : promptDetails(prompt))];
	return {
		...{ owner, words, hasPrompt: prompt !== undefined, ids: new Set(members.map(({ id }) => id)) },
		details: details.filter((part) => part !== ""),
	};
}

function promptParts(entry: SessionEntry): string[] {
	const { content, sections, toolsAdded } = fieldsOf(fieldsOf(entry).message);
	let length = contentText(content, "\n").length;
	for (const [, text] of eachField(sections)) length += textOf(text).length;
	const tools = listOf(toolsAdded).length;
	return ["system prompt", charactersIn(length), tools === 0 ? "" : formatCounted(tools, "tool")];
}

/** Tools and sections that are named. */
const MAX_NAMES = 100;

function promptDetails(entry: SessionEntry): string[] {
	const { sections, toolsAdded } = fieldsOf(fieldsOf(entry).message);
	const tools = listOf(toolsAdded);
	const named = firstFields(sections, MAX_NAMES).map(
		([name, text]) => `${name} · ${charactersIn(textOf(text).length)}`,
	);
	return [...(tools.length === 0 ? [] : [`tools: ${toolNames(tools.slice(0, MAX_NAMES))}`]), ...named];
}

function charactersIn(length: number): string {
	return `${formatLength(length)} ${length === 1 ? "character" : "characters"}`;
}
