import type { SessionEntry } from "../../store/format/schema.ts";
import { fieldsOf, listOf, textOf } from "../conversation/fields.ts";

/** Tools that look at files, or change them and say so: pi's own. Any other may change what it likes. */
const TELLS_CHANGES: ReadonlySet<string> = new Set(["read", "edit", "write", "grep", "find", "ls", "tool_search"]);

/**
 * How often an entry ran something that may have changed any file without saying so: a shell command, of the model or of the
 * person, or a tool that we do not know.
 */
export function shellCommands(entry: SessionEntry): number {
	if (entry.type !== "message") return 0;
	const message = fieldsOf(entry.message);
	if (message.role === "bashExecution") return 1;
	if (message.role !== "toolResult") return 0;
	const nested = listOf(fieldsOf(message.nestedCalls).calls).map((call) => textOf(fieldsOf(call).name));
	return [textOf(message.toolName), ...nested].filter((tool) => tool !== "codemode" && !TELLS_CHANGES.has(tool)).length;
}
