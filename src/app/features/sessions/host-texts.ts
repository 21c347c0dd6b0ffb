import type { SessionRow } from "../../../catalog/model/row.ts";
import { fieldsOf, textOf } from "../../../conversation/entries/fields.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { contentText } from "../../../store/format/message-text.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText } from "../../../ui/text/width.ts";

/** Cells of a title in a reference. */
const LONGEST_TITLE = 80;

/**
 * The text that would produce this entry if typed into pi's editor: a prompt, or a command with its "!" (pi 1.5.2: "!!" hides its
 * output from the model). Undefined for other entries.
 */
export function promptText(entry: SessionEntry): string | undefined {
	const fields = fieldsOf(entry);
	if (entry.type === "custom_message") return contentText(fields.content, "\n") || undefined;
	if (entry.type !== "message") return undefined;
	const message = fieldsOf(fields.message);
	if (message.role === "user") return contentText(message.content, "\n") || undefined;
	if (message.role !== "bashExecution") return undefined;
	return `${message.excludeFromContext === true ? "!!" : "!"}${textOf(message.command)}`;
}

/** A reference to a session or an entry, for agents and `pi-grove show`: `session <id>#<entry> "<title>" (<path>)`. */
export function referenceText(row: SessionRow, entryId?: string): string {
	const address = `${row.id}${entryId === undefined ? "" : `#${entryId}`}`;
	const title = cutText(sessionTitle(row), LONGEST_TITLE).replaceAll('"', "'");
	return sanitizeLine(["session", address, `"${title}"`, `(${row.path})`].filter(Boolean).join(" "));
}
