import type { SessionRow } from "../../catalog/model/row.ts";
import { isOnlyCommand, typedMessage } from "../../store/format/slash-command.ts";
import { type CleanText, cleanText, sanitizeLine, startOf } from "../../ui/text/sanitize.ts";

/** Units of a message that may be seen. */
const LONGEST = 500;
/** The same where the text of a skill stands before what was typed. */
const LONGEST_COMMAND = 100_000;

/** The title of a session: its name, else what was said first, else why there is neither. */
export function sessionTitle(row: SessionRow): CleanText {
	const reason = whyNoSession(row);
	if (reason !== undefined) return cleanText(`${sanitizeLine(fileName(row.path))}: ${sanitizeLine(reason)}`);
	const said = row.prompt ?? typedMessage(startOf(row.firstMessage, LONGEST_COMMAND));
	return sanitizeLine(row.name ?? "") || sanitizeLine(startOf(said, LONGEST)) || cleanText("(no messages)");
}

/** Whether the title, where it is no name, is only a command that began the session, which is not what it is about. */
export function isTitledByCommand({ firstMessage }: SessionRow): boolean {
	return isOnlyCommand(startOf(firstMessage, LONGEST_COMMAND));
}

/** Why nothing of a file can be shown; undefined when something can. */
export function whyNoSession({ id, messageCount, diagnostics }: SessionRow): string | undefined {
	if (id !== "" || messageCount > 0) return undefined;
	return diagnostics.find(({ severity }) => severity === "damage")?.message;
}

/** The name of a file, without its directory. */
export function fileName(path: string): string {
	return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
