import { contentText } from "../../store/format/message.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { fieldsOf, textOf } from "../entries/fields.ts";
import { systemPlainText } from "../entries/system-text.ts";

/** The text that "copy" copies: a message without headings, the output of a tool. */
export function entryPlainText(entry: SessionEntry): string {
	const fields = fieldsOf(entry);
	if (entry.type === "message") {
		const message = fieldsOf(fields.message);
		if (message.role === "bashExecution") return textOf(message.command);
		if (message.role === "system") return systemPlainText(message);
		return contentText(message.content, "\n") || textOf(message.errorMessage);
	}
	if (entry.type === "custom_message") return contentText(fields.content, "\n");
	return textOf(fields.summary);
}
