import { isObject } from "../../shared/json.ts";
import { listOf, textOf } from "../../store/format/fields.ts";
import { contentBlocks } from "../../store/format/message.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { recordedCalls } from "../../store/format/tool-calls.ts";
import { KINDS, type Kind } from "./kinds.ts";
import { SearchText } from "./match.ts";

/** A text, possibly empty. */
type ExtractedText = readonly [kind: Kind, text: string, tool?: string];

/**
 * All searchable texts of one line of a session, in the order of the line; malformed fields are left out. Each text is the
 * value of one JSON string (or number) of the line, so that ripgrep finds on one line what is compared here. The search
 * relies on the positions of these fields (src/catalog/search/raw-pattern.ts).
 */
export function extractTexts(entry: RawEntry): SearchText[] {
	return searchTexts(extract(entry));
}

/** The searchable texts of a tool call: the tool, the command, the paths and all other arguments. */
export function callTexts(tool: string, args: unknown): SearchText[] {
	return searchTexts(callOf(tool, args));
}

function searchTexts(extracts: Iterable<ExtractedText>): SearchText[] {
	const texts: SearchText[] = [];
	for (const [kind, text, tool] of extracts) if (text !== "") texts.push(new SearchText(kind, text, tool));
	return texts;
}

function* extract(entry: RawEntry): Generator<ExtractedText> {
	yield ["id", textOf(entry.id)];
	yield* saidIn(entry);
}

function saidIn(entry: RawEntry): Iterable<ExtractedText> {
	switch (entry.type) {
		case "session":
			return [["cwd", textOf(entry.cwd)], ...modelOf(entry, "modelId")];
		case "message":
			return isObject(entry.message) ? messageTexts(entry.message) : [];
		case "model_change":
			return modelOf(entry, "modelId");
		case "compaction":
		case "branch_summary":
			return [["summary", textOf(entry.summary)]];
		case "custom_message":
			return contentOf("custom", entry.content);
		case "label":
			return [["label", textOf(entry.label)]];
		case "session_info":
			return [["name", textOf(entry.name)]];
		default:
			return [];
	}
}

function messageTexts(message: RawEntry): Iterable<ExtractedText> {
	switch (message.role) {
		case "user":
			return contentOf("user", message.content);
		case "assistant":
			return assistantTexts(message);
		case "toolResult":
			return resultTexts(message);
		case "bashExecution":
			return [
				["command", textOf(message.command), "bash"],
				["output", textOf(message.output), "bash"],
			];
		case "system":
		case "custom":
		case "hookMessage":
			return contentOf("custom", message.content);
		case "branchSummary":
		case "compactionSummary":
			return [["summary", textOf(message.summary)]];
		default:
			return [];
	}
}

function contentOf(kind: Kind, content: unknown, tool?: string): ExtractedText[] {
	return contentBlocks(content).map((block) => [kind, block.type === "text" ? textOf(block.text) : "", tool]);
}

/**
 * What a tool printed, the model that could not see the image that it read, the calls that it made to others, such as those of a script,
 * and how these failed.
 */
function* resultTexts(message: RawEntry): Generator<ExtractedText> {
	const tool = textOf(message.toolName);
	yield* contentOf("output", message.content, tool);
	if (isObject(message.details)) yield ["output", textOf(message.details.imageUnsupportedByModel), tool];
	for (const { name, args, nested } of recordedCalls(message)) {
		yield* callOf(name, args);
		yield ["output", nested?.error ?? "", name];
	}
}

function* assistantTexts(message: RawEntry): Generator<ExtractedText> {
	if (typeof message.content === "string") yield ["assistant", message.content];
	for (const block of Array.isArray(message.content) ? message.content : []) {
		if (!isObject(block)) continue;
		if (block.type === "text") yield ["assistant", textOf(block.text)];
		else if (block.type === "thinking") yield ["thinking", textOf(block.thinking)];
		else if (block.type === "toolCall") yield* callOf(textOf(block.name), block.arguments);
	}
	yield ["error", textOf(message.errorMessage)];
	yield* droppedTexts(message);
	yield* modelOf(message, "model");
}

/** What a provider reports of the reasoning that it has dropped from a request (pi 1.6). */
function* droppedTexts({ diagnostics }: RawEntry): Generator<ExtractedText> {
	for (const { details } of listOf(diagnostics).filter(isObject)) {
		if (!isObject(details)) continue;
		for (const one of listOf(details.transformations).filter(isObject))
			for (const text of [one.type, one.action, one.reason]) yield ["thinking", textOf(text)];
	}
}

/** Arguments that name a file or a directory, in pi's own tools and in most others. */
const PATH_ARGUMENTS: ReadonlySet<string> = new Set(KINDS.path.jsonStrings);

function* callOf(tool: string, args: unknown): Generator<ExtractedText> {
	yield ["tool", tool, tool];
	if (!isObject(args)) return;
	for (const [name, value] of Object.entries(args)) {
		if (name === "command" && typeof value === "string") yield ["command", value, tool];
		else if (PATH_ARGUMENTS.has(name) && typeof value === "string") yield ["path", value, tool];
		else for (const text of textsIn(value)) yield ["arguments", text, tool];
	}
}

/** All strings and numbers inside a value, without recursion: arguments may be nested as deeply as JSON.parse allows. */
function* textsIn(value: unknown): Generator<string> {
	const open: unknown[] = [value];
	while (open.length > 0) {
		const next = open.pop();
		if (typeof next === "string") yield next;
		else if (typeof next === "number") yield String(next);
		else if (typeof next === "object" && next !== null) for (const one of Object.values(next).reverse()) open.push(one);
	}
}

/** "provider/model" if the two are adjacent, as pi writes them; else two separate texts. */
function modelOf(of: RawEntry, field: "model" | "modelId"): ExtractedText[] {
	const [provider, model] = [textOf(of.provider), textOf(of[field])];
	const names = Object.keys(of);
	const apart = provider === "" || model === "" || names[names.indexOf("provider") + 1] !== field;
	const texts = apart ? [provider, model] : [`${provider}/${model}`];
	return texts.map((text) => ["model", text]);
}
