import { fieldsOf, listOf, textOf } from "../conversation/entries/fields.ts";
import type { SessionEntry } from "../store/format/schema.ts";

/** pi's own tools, which only read files or report what they change; "codemode" reports the calls of its script. */
const REPORTS_CHANGES: ReadonlySet<string> = new Set([
	"read",
	"edit",
	"write",
	"grep",
	"find",
	"ls",
	"tool_search",
	"codemode",
]);

/** Whether a tool may change any file without reporting it: shells, and all tools that we do not know. */
export function runsUnseen(tool: string): boolean {
	return tool !== "" && !REPORTS_CHANGES.has(tool);
}

/** Number of such calls in an entry, by the model and by the person. */
export function shellCommands(entry: SessionEntry): number {
	if (entry.type !== "message") return 0;
	const message = fieldsOf(entry.message);
	if (message.role === "bashExecution") return 1;
	if (message.role !== "toolResult") return 0;
	const nested = listOf(fieldsOf(message.nestedCalls).calls).map((call) => textOf(fieldsOf(call).name));
	return [textOf(message.toolName), ...nested].filter(runsUnseen).length;
}
