import { dirname } from "node:path";
import { keyOf, type UseEvidence } from "../../catalog/model/live.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { capital, formatCount, formatCounted, formatSize, shortenHome } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import type { Note, Question } from "../answer.ts";
import { guard, type Shown, takeable, verdictOn } from "../guard/guard.ts";
import { describeUse, evidenceWords, relevantUses, titleOfUse } from "../guard/guard-words.ts";
import { kindOfSessions, type SessionsChange, type SessionsRequest } from "../kinds/kinds.ts";
import type { Known } from "../kinds/sessions-kind.ts";

/** A question whether to change sessions. */
export interface ChangeQuestion extends Question<SessionsRequest> {
	/** Whether the first choice may only be taken by the person; otherwise it is what was requested. */
	readonly isNeeded: boolean;
}

/** Further sentences about the sessions that would be changed. */
export type More = (rows: readonly SessionRow[]) => readonly Note[];

/** Sessions named in a question. */
const MAX_NAMED = 4;

/** The question about a change of sessions: which are left out and why, what becomes of forks and runs. Its first choice is the change. */
export function questionAbout(
	change: SessionsChange,
	paths: readonly string[],
	known: Known,
	more: More = () => [],
): ChangeQuestion {
	const kind = kindOfSessions(change);
	const { asks } = kind;
	const rows = paths.flatMap((path) => known.rows.get(path) ?? []);
	if (asks === undefined) throw new Error(`${change.type} is not asked about`);
	if (rows.length === 0) return { ...goneQuestion(paths.length), isNeeded: true };
	const { free, used, leftOut } = split(change, rows, known);
	const left = [...usedNotes(used, rows.length, known.now), ...leftOutNotes(leftOut)];
	const counted = formatCounted(rows.length, "session");
	if (free.length === 0) {
		const not = rows.length === 1 ? "this session is not" : `none of these ${counted} is`;
		const what = asks.refusal ?? `${not} ${asks.participle}`;
		const [first] = used;
		const title = first === undefined ? capital(what) : `${titleOfUse(first.uses)}: ${what}`;
		const body = [...left, ...(rows.length === 1 ? [] : namesOf(rows))];
		return { title, ...aboutOne(rows), body, choices: [CLOSE], danger: true, isNeeded: true };
	}
	const chosen = new Set(free.map(({ row }) => row));
	const runs = [...new Set([...chosen].flatMap(known.runsBelow))].filter((run) => !chosen.has(run));
	const along = asks.runs?.go === "beside" ? besideOf(chosen, runs, change, known) : [];
	const going = [...free, ...along];
	const goingRows = going.map(({ row }) => row);
	const isOne = going.length === 1;
	const possible = free.filter(({ uses }) => verdictOn(kind.act, uses).decision === "ask");
	const doubtful = asks.careful && possible.length > 0;
	const facts = [
		going.map(({ row, uses }) => [row.path, row.size, row.messageCount, uses.map(keyOf)]),
		used.map(({ row }) => row.path),
		[...leftOut],
		more(goingRows),
	];
	const { home } = known;
	const sessions = isOne ? "this session" : formatCounted(going.length, "session");
	const { now } = kind.words(change, sessions, { count: going.length, home });
	const act = { type: "change-sessions", change, sessions: going } as const;
	const choices = [
		{ label: asks.label(change, going.length), effect: act },
		...(asks.runs?.go === "ask" ? withRuns(act, runs, known) : []),
		CANCEL,
	];
	const taken = new Set(goingRows);
	const staying = runs.filter((run) => !taken.has(run));
	const body: readonly Note[] = [
		...(isOne ? [] : [sumNote(goingRows)]),
		...left,
		...doubtNotes(possible, free.length, asks.doubt, known.now),
		...more(goingRows),
		...(asks.losesForks === true ? forkNotes(goingRows, known) : []),
		...runNotes(change, staying, isOne, known),
		...(asks.notes?.(change, goingRows, known) ?? []),
		...(isOne ? factsOf(goingRows, home) : namesOf(goingRows)),
	];
	return {
		title: asks.title?.(change, sessions, home) ?? `${capital(now)}?`,
		...aboutOne(goingRows),
		body,
		choices,
		index: doubtful ? choices.length - 1 : 0,
		danger: asks.danger || doubtful,
		facts: JSON.stringify(facts),
		isNeeded: asks.always || rows.length > 1 || doubtful,
	};
}

/** What a question becomes whose `count` sessions have disappeared meanwhile. */
export function goneQuestion(count: number): Question<never> {
	const text = count === 1 ? "Its file is no longer there." : "They are no longer there.";
	return { title: "Nothing is done", body: [text], choices: [CLOSE], danger: true };
}

const CANCEL = { label: "Cancel" };
const CLOSE = { label: "Close" };

/** The sessions that can be changed, those that cannot since they are in use, and how many are left out for other reasons. */
interface Split {
	readonly free: readonly Shown[];
	readonly used: readonly Shown[];
	readonly leftOut: ReadonlyMap<string, number>;
}

function split(change: SessionsChange, rows: readonly SessionRow[], known: Known): Split {
	const { act, asks } = kindOfSessions(change);
	const free: Shown[] = [];
	const used: Shown[] = [];
	const leftOut = new Map<string, number>();
	for (const row of rows) {
		const why = asks?.leavesOut?.(change, row, known);
		if (why !== undefined) {
			leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
			continue;
		}
		const { decision, uses } = guard(act, known.live, row);
		(decision === "refuse" ? used : free).push({ row, uses });
	}
	return { free, used, leftOut };
}

/** The runs whose files are beside those of their sessions, where pi lists them, too; without those that may be in use. */
function besideOf(
	chosen: ReadonlySet<SessionRow>,
	runs: readonly SessionRow[],
	change: SessionsChange,
	known: Known,
): readonly Shown[] {
	const directories = new Set([...chosen].map(({ path }) => dirname(path)));
	const beside = runs.filter(({ path }) => directories.has(dirname(path)));
	return split(change, beside, known).free.filter(({ uses }) => uses.length === 0);
}

/** The choice that changes the runs below the sessions, too, as far as they are not in use. */
function withRuns(act: SessionsRequest, runs: readonly SessionRow[], { live, home }: Known) {
	const free = takeable(runs, live);
	if (free.length === 0) return [];
	const [them, their] = act.sessions.length === 1 ? ["it", "its"] : ["them", "their"];
	const whom = `${them} and ${their} ${free.length === 1 ? "run" : formatCounted(free.length, "run")}`;
	const sessions = [...act.sessions, ...free];
	const { now } = kindOfSessions(act.change).words(act.change, whom, { count: sessions.length, home });
	return [{ label: capital(now), effect: { ...act, sessions } }];
}

function aboutOne(rows: readonly SessionRow[]): { readonly about?: string } {
	const [only, second] = rows;
	return only === undefined || second !== undefined ? {} : { about: sessionTitle(only) };
}

function sumNote(rows: readonly SessionRow[]): Note {
	const bytes = rows.reduce((sum, { size }) => sum + size, 0);
	const messages = rows.reduce((sum, { messageCount }) => sum + messageCount, 0);
	return { text: `${formatSize(bytes)}, ${formatCounted(messages, "message")}`, tone: "muted" };
}

function factsOf([row]: readonly SessionRow[], home: string): readonly Note[] {
	if (row === undefined) return [];
	return [
		{ text: `${formatCounted(row.messageCount, "message")}, ${formatSize(row.size)}`, tone: "muted", shape: "row" },
		{ text: shortenHome(row.path, home), tone: "muted", shape: "row" },
	];
}

/** "Lexer", "Parser", "and 10 more", one row each. */
export function namesOf(rows: readonly SessionRow[]): readonly Note[] {
	const named = rows.length <= MAX_NAMED + 1 ? rows : rows.slice(0, MAX_NAMED);
	const rest = rows.length - named.length;
	const lines = named.map((row): Note => ({ text: sessionTitle(row), shape: "title" }));
	return rest === 0 ? lines : [...lines, { text: `and ${formatCount(rest)} more`, tone: "muted" }];
}

/** Which sessions are left out since they are in use, and why; of a single one only why. */
function usedNotes(used: readonly Shown[], asked: number, now: number): readonly Note[] {
	const [first] = used;
	if (first === undefined) return [];
	if (asked === 1) return [{ text: evidenceWords(first.uses, now) }];
	const which = used.length === 1 ? "1 is in use and is" : `${formatCount(used.length)} are in use and are`;
	const rest = used.length - MAX_NAMED;
	return [
		warning(`${which} left out:`),
		...used
			.slice(0, MAX_NAMED)
			.map(({ row, uses }) => warning(`${quote(sessionTitle(row))}: ${evidenceWords(uses, now)}`)),
		...(rest > 0 ? [{ text: `and ${formatCount(rest)} more`, tone: "muted" } as const] : []),
	];
}

/** "3 are left out: 2 forked there already, 1 that pi cannot open." */
function leftOutNotes(leftOut: Split["leftOut"]): readonly Note[] {
	if (leftOut.size === 0) return [];
	const count = leftOut.values().reduce((sum, one) => sum + one, 0);
	const kinds = [...leftOut].map(([why, one]) => `${formatCount(one)} ${why}`);
	return [warning(`${count === 1 ? "1 is" : `${formatCount(count)} are`} left out: ${kinds.join(", ")}.`)];
}

/** Which of `count` sessions may be in use. */
function doubtNotes(
	possible: readonly Shown[],
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

/** The evidence that a session may be in use, a sentence each. */
export function evidenceNotes(uses: readonly UseEvidence[], now: number): readonly Note[] {
	return relevantUses(uses).map((use) => warning(describeUse(use, now)));
}

function forkNotes(rows: readonly SessionRow[], known: Known): readonly Note[] {
	const paths = new Set(rows.map(({ path }) => path));
	let forks = 0;
	for (const { path, parentSession, run } of known.rows.values())
		if (run === undefined && parentSession !== undefined && paths.has(parentSession) && !paths.has(path)) forks += 1;
	if (forks === 0) return [];
	const stay = forks === 1 ? "stays in the list, without its parent" : "stay in the list, without their parents";
	return [{ text: `${formatCounted(forks, "fork")} of ${rows.length === 1 ? "it" : "them"} ${stay}.` }];
}

/** What becomes of the runs that are not changed themselves. */
function runNotes(
	change: SessionsChange,
	runs: readonly SessionRow[],
	isOne: boolean,
	{ live }: Known,
): readonly Note[] {
	const along = kindOfSessions(change).asks?.runs;
	if (along === undefined || runs.length === 0) return [];
	const count = runs.length === 1 ? "subagent run" : formatCounted(runs.length, "subagent run");
	const text = along.note(`${isOne ? "its" : "their"} ${count}`, runs.length === 1, isOne);
	const used = along.go === "ask" ? runs.length - takeable(runs, live).length : 0;
	if (used === 0) return [{ text }];
	const stay = used === 1 ? "is in use and stays" : "are in use and stay";
	return [{ text: `${text} ${formatCount(used)} of them ${stay} in any case.` }];
}

function warning(text: string): Note {
	return { text, tone: "warning" };
}
