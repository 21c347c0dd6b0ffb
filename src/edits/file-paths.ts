import { roleOf } from "../conversation/entries/entry-kind.ts";
import { fieldsOf, listOf, textOf } from "../conversation/entries/fields.ts";
import { toolPath } from "../store/format/tool-change.ts";
import type { Session } from "../store/read/read-session.ts";

const ABOUT_FILES: ReadonlySet<string> = new Set(["read", "edit", "write"]);

/** Absolute paths of the files that the tool calls of a session read, edited or wrote. */
export function filePaths(session: Session, home: string): ReadonlySet<string> {
	const cwd = session.header?.cwd ?? "";
	const paths = new Set<string>();
	for (const entry of session.entries) {
		const role = roleOf(entry);
		if (role !== "assistant" && role !== "toolResult") continue;
		const message = fieldsOf(fieldsOf(entry).message);
		const calls = role === "assistant" ? message.content : fieldsOf(message.nestedCalls).calls;
		for (const call of listOf(calls).map(fieldsOf)) {
			const args = fieldsOf(call.arguments);
			const typed = textOf(args.path) || textOf(args.file_path);
			const path = typed !== "" && ABOUT_FILES.has(textOf(call.name)) ? toolPath(typed, cwd, home) : undefined;
			if (path !== undefined) paths.add(path);
		}
	}
	return paths;
}
