import { fieldsOf, listOf, textOf } from "../conversation/entries/fields.ts";
import type { SessionEntry } from "../store/format/schema.ts";

/** Tools that look at files, or change them and say so: pi's own. "codemode" tells what it called. */
const TELLS_CHANGES: ReadonlySet<string> = new Set([
	"read",
	"edit",
	"write",
	"grep",
	"find",
	"ls",
	"tool_search",
	"codemode",
]);

/** Whether a tool may change any file without saying so: a shell, and every tool that we do not know. */
export function runsUnseen(tool: string): boolean {
	return tool !== "" && !TELLS_CHANGES.has(tool);
}

/** How often that happened in an entry: commands of the model and of the person. */
export function shellCommands(entry: SessionEntry): number {
	if (entry.type !== "message") return 0;
	const message = fieldsOf(entry.message);
	if (message.role === "bashExecution") return 1;
	if (message.role !== "toolResult") return 0;
	const nested = listOf(fieldsOf(message.nestedCalls).calls).map((call) => textOf(fieldsOf(call).name));
	return [textOf(message.toolName), ...nested].filter(runsUnseen).length;
}
