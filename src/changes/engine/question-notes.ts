import type { UseEvidence } from "../../catalog/model/live.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { formatCount, formatCounted, formatSize, shortenHome } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import type { Note } from "../answer.ts";
import { type ShownSession, takeable } from "../guard/guard.ts";
import { describeUse, evidenceWords, relevantUses } from "../guard/guard-words.ts";
import { kindOfSessions, type SessionsChange } from "../kinds/kinds.ts";
import type { QuestionContext } from "../kinds/sessions-kind.ts";

/** Sessions named in a question. */
const MAX_NAMED = 4;

/** Size and number of messages of several sessions. */
export function sumNote(rows: readonly SessionRow[]): Note {
	const bytes = rows.reduce((sum, { size }) => sum + size, 0);
	const messages = rows.reduce((sum, { messageCount }) => sum + messageCount, 0);
	return { text: `${formatSize(bytes)}, ${formatCounted(messages, "message")}`, tone: "muted" };
}

/** Number of messages, size and path of a session. */
export function fileNotes([row]: readonly SessionRow[], home: string): readonly Note[] {
	if (row === undefined) return [];
	return [
		{ text: `${formatCounted(row.messageCount, "message")}, ${formatSize(row.size)}`, tone: "muted", shape: "row" },
		// In rows of the length of sentences: no dialog is as wide as the path of a session.
		{ text: shortenHome(row.path, home), tone: "muted" },
	];
}

/** "Lexer", "Parser", "and 10 more", one row each. */
export function titleNotes(rows: readonly SessionRow[]): readonly Note[] {
	const named = rows.length <= MAX_NAMED + 1 ? rows : rows.slice(0, MAX_NAMED);
	const rest = rows.length - named.length;
	const titles = named.map((row): Note => ({ text: sessionTitle(row), shape: "title" }));
	return [...titles, ...moreNotes(rest)];
}

/** "and 10 more", if there are any. */
export function moreNotes(rest: number): readonly Note[] {
	return rest > 0 ? [{ text: `and ${formatCount(rest)} more`, tone: "muted" }] : [];
}

/** Which sessions are left out since they are in use, and why; of a single one only why. */
export function usedNotes(used: readonly ShownSession[], count: number, now: number): readonly Note[] {
	const [first] = used;
	if (first === undefined) return [];
	if (count === 1) return [{ text: evidenceWords(first.uses, now) }];
	const which = used.length === 1 ? "1 is in use and is" : `${formatCount(used.length)} are in use and are`;
	return [
		warning(`${which} left out:`),
		...used
			.slice(0, MAX_NAMED)
			.map(({ row, uses }) => warning(`${quote(sessionTitle(row))}: ${evidenceWords(uses, now)}`)),
		...moreNotes(used.length - MAX_NAMED),
	];
}

/** "3 are left out: 2 forked there already, 1 that pi cannot open." */
export function leftOutNotes(leftOut: ReadonlyMap<string, number>): readonly Note[] {
	if (leftOut.size === 0) return [];
	const count = leftOut.values().reduce((sum, one) => sum + one, 0);
	const kinds = [...leftOut].map(([why, one]) => `${formatCount(one)} ${why}`);
	return [warning(`${count === 1 ? "1 is" : `${formatCount(count)} are`} left out: ${kinds.join(", ")}.`)];
}

/** Which of `count` sessions may be in use. */
export function doubtNotes(
	possible: readonly ShownSession[],
	count: number,
	doubt: string | undefined,
	now: number,
): readonly Note[] {
	const [first] = possible;
	if (first === undefined) return [];
	const more = doubt === undefined ? [] : [warning(doubt)];
	if (count === 1) return [...evidenceNotes(first.uses, now), ...more];
	const which = possible.length === 1 ? "1 of them" : `${formatCount(possible.length)} of them`;
	const text = `${which} may be in use: a pi runs in the directory; which session it has open cannot be seen.`;
	return [warning(text), ...more];
}

export function evidenceNotes(uses: readonly UseEvidence[], now: number): readonly Note[] {
	return relevantUses(uses).map((use) => warning(describeUse(use, now)));
}

/** What becomes of the forks of sessions that go. */
export function forkNotes(rows: readonly SessionRow[], context: QuestionContext): readonly Note[] {
	const paths = new Set(rows.map(({ path }) => path));
	let forks = 0;
	for (const { path, parentSession, run } of context.rows.values())
		if (run === undefined && parentSession !== undefined && paths.has(parentSession) && !paths.has(path)) forks += 1;
	if (forks === 0) return [];
	const stay = forks === 1 ? "stays in the list, without its parent" : "stay in the list, without their parents";
	return [{ text: `${formatCounted(forks, "fork")} of ${rows.length === 1 ? "it" : "them"} ${stay}.` }];
}

/** What becomes of the runs that are not changed themselves. */
export function runNotes(
	change: SessionsChange,
	runs: readonly SessionRow[],
	isOne: boolean,
	{ live }: QuestionContext,
): readonly Note[] {
	const along = kindOfSessions(change).asks?.runs;
	if (along === undefined || runs.length === 0) return [];
	const count = runs.length === 1 ? "subagent run" : formatCounted(runs.length, "subagent run");
	const text = along.note(`${isOne ? "its" : "their"} ${count}`, runs.length === 1, isOne);
	const used = along.go === "ask" ? runs.length - takeable(runs, live).length : 0;
	if (used === 0) return [{ text }];
	if (runs.length === 1) return [{ text: `${text} It is in use and stays in any case.` }];
	const stay = used === 1 ? "is in use and stays" : "are in use and stay";
	return [{ text: `${text} ${formatCount(used)} of them ${stay} in any case.` }];
}

function warning(text: string): Note {
	return { text, tone: "warning" };
}
