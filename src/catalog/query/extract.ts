import { contentText } from "../../store/message-text.ts";
import { isObject, type RawEntry } from "../../store/parse.ts";
import type { Segment } from "./segment.ts";

/** All searchable text of one line of a session, in the order in which it stands there. Odd fields are left out. */
export function extractSegments(entry: RawEntry): Segment[] {
	return extract(entry).filter((segment) => segment.text !== "");
}

function extract(entry: RawEntry): Segment[] {
	switch (entry.type) {
		case "session":
			return [{ kind: "cwd", text: textOf(entry.cwd) }, ...modelOf(entry.provider, entry.modelId)];
		case "message":
			return isObject(entry.message) ? messageSegments(entry.message) : [];
		case "model_change":
			return modelOf(entry.provider, entry.modelId);
		case "compaction":
		case "branch_summary":
			return [{ kind: "summary", text: textOf(entry.summary) }];
		case "custom_message":
			return [{ kind: "custom", text: contentText(entry.content, "\n") }];
		case "label":
			return [{ kind: "label", text: textOf(entry.label) }];
		case "session_info":
			return [{ kind: "name", text: textOf(entry.name) }];
		default:
			return [];
	}
}

function messageSegments(message: RawEntry): Segment[] {
	switch (message.role) {
		case "user":
		case "system":
			return [{ kind: message.role === "user" ? "user" : "custom", text: contentText(message.content, "\n") }];
		case "assistant":
			return assistantSegments(message);
		case "toolResult":
			return [{ kind: "output", text: contentText(message.content, "\n"), tool: textOf(message.toolName) }];
		case "bashExecution":
			return [
				{ kind: "command", text: textOf(message.command), tool: "bash" },
				{ kind: "output", text: textOf(message.output), tool: "bash" },
			];
		case "custom":
		case "hookMessage":
			return [{ kind: "custom", text: contentText(message.content, "\n") }];
		case "branchSummary":
		case "compactionSummary":
			return [{ kind: "summary", text: textOf(message.summary) }];
		default:
			return [];
	}
}

function assistantSegments(message: RawEntry): Segment[] {
	const segments: Segment[] = [];
	if (typeof message.content === "string") segments.push({ kind: "assistant", text: message.content });
	for (const block of Array.isArray(message.content) ? message.content : []) {
		if (!isObject(block)) continue;
		if (block.type === "text") segments.push({ kind: "assistant", text: textOf(block.text) });
		else if (block.type === "thinking") segments.push({ kind: "thinking", text: textOf(block.thinking) });
		else if (block.type === "toolCall") segments.push(...callSegments(textOf(block.name), block.arguments));
	}
	segments.push({ kind: "assistant", text: textOf(message.errorMessage) }, ...modelOf(message.provider, message.model));
	return segments;
}

/** Arguments that name a file or a directory, in pi's own tools and in most others. */
const PATH_ARGUMENTS = new Set(["path", "file_path", "filePath", "filename", "file", "dir", "directory", "cwd"]);

/** What a call of a tool is found by: the tool, the command, the paths, and all else that it was told. */
export function callSegments(tool: string, args: unknown): Segment[] {
	const segments: Segment[] = [{ kind: "tool", text: tool, tool }];
	if (!isObject(args)) return segments;
	const rest: string[] = [];
	for (const [name, value] of Object.entries(args)) {
		if (name === "command" && typeof value === "string") segments.push({ kind: "command", text: value, tool });
		else if (PATH_ARGUMENTS.has(name) && typeof value === "string") segments.push({ kind: "path", text: value, tool });
		else collectTexts(value, rest);
	}
	segments.push({ kind: "arguments", text: rest.join("\n"), tool });
	return segments;
}

/** All strings inside a value, without recursion: arguments may be nested as deep as JSON.parse allows. */
function collectTexts(value: unknown, texts: string[]): void {
	const open: unknown[] = [value];
	while (open.length > 0) {
		const next = open.pop();
		if (typeof next === "string") texts.push(next);
		else if (typeof next === "number") texts.push(String(next));
		else if (typeof next === "object" && next !== null) open.push(...Object.values(next).reverse());
	}
}

function modelOf(provider: unknown, model: unknown): Segment[] {
	const text = [textOf(provider), textOf(model)].filter((part) => part !== "").join("/");
	return text === "" ? [] : [{ kind: "model", text }];
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}
