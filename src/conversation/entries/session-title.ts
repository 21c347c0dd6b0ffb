import type { SessionRow } from "../../catalog/model/row.ts";
import { fileName } from "../../catalog/model/row.ts";
import { isOnlyCommand, typedMessage } from "../../store/format/message.ts";
import { type CleanText, sanitizeLine, startOf } from "../../ui/text/sanitize.ts";

/** UTF-16 units of a message that a title may show. */
const MAX_TITLE = 500;
/** UTF-16 units that are searched for it behind the text of a skill. */
const MAX_COMMAND = 100_000;

/** The title of a session, to be drawn or printed: its name, else its first prompt, else why it has neither. */
export function sessionTitle(row: SessionRow): CleanText {
	return sanitizeLine(titleText(row));
}

/** The same as data, for JSON and exports: on one line, with all other characters that it has, seen or not. */
export function titleText(row: SessionRow): string {
	const reason = whyNoSession(row);
	if (reason !== undefined) return onOneLine(`${fileName(row.path)}: ${reason}`);
	const said = row.prompt ?? typedMessage(startOf(row.firstMessage, MAX_COMMAND));
	const texts = [row.name ?? "", startOf(said, MAX_TITLE)];
	return onOneLine(texts.find((text) => sanitizeLine(text) !== "") ?? "(no messages)");
}

function onOneLine(text: string): string {
	return text.replace(/[^\S\ufeff]+/g, " ").replace(/^ | $/g, "");
}

/** Whether the title of a session without a name is only the command that began it, which does not say what it is about. */
export function isTitledByCommand({ firstMessage }: SessionRow): boolean {
	return isOnlyCommand(startOf(firstMessage, MAX_COMMAND));
}

/** Why nothing of a file can be shown; undefined if something can. */
export function whyNoSession({ id, messageCount, diagnostics }: SessionRow): string | undefined {
	if (id !== "" || messageCount > 0) return undefined;
	return diagnostics.find(({ severity }) => severity === "damage")?.message;
}
