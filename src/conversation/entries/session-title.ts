import { agentOf, taskOf } from "../../catalog/families/run-agents.ts";
import type { RunReport } from "../../catalog/families/run-report.ts";
import { fileName, type SessionRow, saidFirst } from "../../catalog/model/row.ts";
import { isOnlyCommand } from "../../store/format/typed-message.ts";
import { type CleanText, sanitizeLine, startOf } from "../../ui/text/sanitize.ts";

/** UTF-16 units of a message that a title may show. */
const MAX_TITLE = 500;

/** The title of a session, to be drawn or printed: its name, else what says best what it is about, else why nothing does. */
export function sessionTitle(row: SessionRow): CleanText {
	return sanitizeLine(titleText(row));
}

/** The same as data, for JSON and exports: on one line, with all other characters that it has, seen or not. */
export function titleText(row: SessionRow): string {
	const reason = whyNoSession(row);
	if (reason !== undefined) return onOneLine(`${fileName(row.path)}: ${reason}`);
	const texts = [row.name ?? "", startOf(saidFirst(row), MAX_TITLE)];
	// The messages of some have nothing but output, or nothing that can be seen.
	const none = row.messageCount === 0 ? "(no messages)" : "(no text)";
	return onOneLine(texts.find((text) => sanitizeLine(text) !== "") ?? none);
}

/** UTF-16 units of a title that stands as a heading above the conversation. */
const LONGEST_HEADING = 80;

/** The first words of a title, whole ones unless the first is very long. */
export function shortTitle(title: string): string {
	if (title.length <= LONGEST_HEADING) return title;
	return `${startOf(title, LONGEST_HEADING).replace(/\s+\S*$/, "")}…`;
}

/**
 * The title of a run: "checker · Review the schema", as data, too; undefined if nothing says its agent. `reports`: those of the session
 * that asked for it.
 */
export function runTitle(row: SessionRow, reports?: readonly RunReport[]): string | undefined {
	const agent = row.run === undefined ? "" : agentOf(row, reports);
	const task = taskOf(row, reports) || titleText({ ...row, name: undefined });
	return agent === "" ? undefined : onOneLine(`${agent} · ${task}`);
}

function onOneLine(text: string): string {
	return text.replace(/[^\S\ufeff]+/g, " ").replace(/^ | $/g, "");
}

/** Whether the title of a session without a name is only the command that began it, which does not say what it is about. */
export function isTitledByCommand(row: SessionRow): boolean {
	return isOnlyCommand(startOf(saidFirst(row), MAX_TITLE));
}

/** Why nothing of a file can be shown; undefined if something can. */
export function whyNoSession({ id, messageCount, diagnostics }: SessionRow): string | undefined {
	if (id !== "" || messageCount > 0) return undefined;
	return diagnostics.find(({ severity }) => severity === "damage")?.message;
}
