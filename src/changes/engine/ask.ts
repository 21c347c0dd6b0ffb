import { useKey } from "../../catalog/model/live.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { dirname } from "../../shared/paths.ts";
import { capital, formatCounted, shortenHome } from "../../ui/text/format.ts";
import type { Note, Question } from "../answer.ts";
import { guard, type ShownSession, takeable, verdictOn } from "../guard/guard.ts";
import { titleOfUse } from "../guard/guard-words.ts";
import { kindOfSessions, type SessionsChange, type SessionsRequest } from "../kinds/kinds.ts";
import type { QuestionContext } from "../kinds/sessions-kind.ts";
import {
	doubtNotes,
	fileNotes,
	forkNotes,
	leftOutNotes,
	runNotes,
	sumNote,
	titleNotes,
	usedNotes,
} from "./question-notes.ts";

interface ChangeQuestion extends Question<SessionsRequest> {
	/**
	 * What is done without asking, since undo takes it back; it says itself which sessions are in use. Undefined if the person
	 * must be asked.
	 */
	readonly atOnce?: SessionsRequest;
}

export type FurtherNotes = (rows: readonly SessionRow[]) => readonly Note[];

/**
 * The question whether to change the sessions with these paths, in the words of that kind of change: which can be changed, which are left
 * out and why, what becomes of forks and of runs of subagents. Its first choice is the change.
 */
export function questionAbout(
	change: SessionsChange,
	paths: readonly string[],
	context: QuestionContext,
	more: FurtherNotes = () => [],
): ChangeQuestion {
	const kind = kindOfSessions(change);
	const { asks } = kind;
	const rows = paths.flatMap((path) => context.rows.get(path) ?? []);
	if (asks === undefined) throw new Error(`${change.type} is not asked about`);
	if (rows.length === 0) return goneQuestion(paths, context.home);
	const { free, used, leftOut } = split(change, rows, context);
	const leftNotes = [...usedNotes(used, rows.length, context.now), ...leftOutNotes(leftOut)];
	const counted = formatCounted(rows.length, "session");
	if (free.length === 0) {
		const not = rows.length === 1 ? "this session is not" : `none of these ${counted} is`;
		const what = asks.refusal ?? `${not} ${asks.participle}`;
		const [first] = used;
		const title = first === undefined ? capital(what) : `${titleOfUse(first.uses)}: ${what}`;
		const body = [...leftNotes, ...(rows.length === 1 ? [] : titleNotes(rows))];
		return { title, ...aboutOne(rows), body, choices: [CLOSE], danger: true };
	}
	const chosen = new Set(free.map(({ row }) => row));
	const runs = [...new Set([...chosen].flatMap(context.runsBelow))].filter((run) => !chosen.has(run));
	const along = asks.runs?.go === "beside" ? besideOf(chosen, runs, change, context) : [];
	const going = [...free, ...along];
	const goingRows = going.map(({ row }) => row);
	const isOne = going.length === 1;
	const possible = free.filter(({ uses }) => verdictOn(kind.act, uses).decision === "ask");
	const doubtful = asks.careful && possible.length > 0;
	const notes = more(goingRows);
	const facts = [
		going.map(({ row, uses }) => [row.path, row.size, row.messageCount, uses.map(useKey)]),
		runs.map((row) => [row.path, row.size, guard(kind.act, context.live, row).uses.map(useKey)]),
		used.map(({ row }) => row.path),
		[...leftOut],
		notes,
	];
	const { home } = context;
	const sessions = isOne ? "this session" : formatCounted(going.length, "session");
	const { now } = kind.words(change, sessions, { count: going.length, home });
	const act = { type: "change-sessions", change, sessions: going } as const;
	const choices = [
		{ label: asks.label(change, going.length), effect: act },
		...(asks.runs?.go === "ask" ? withRuns(act, runs, context) : []),
		CANCEL,
	];
	const goingSet = new Set(goingRows);
	const staying = runs.filter((run) => !goingSet.has(run));
	const body: readonly Note[] = [
		...(isOne ? [] : [sumNote(goingRows)]),
		...leftNotes,
		...doubtNotes(possible, free.length, asks.doubt, context.now),
		...notes,
		...(asks.losesForks === true ? forkNotes(goingRows, context) : []),
		...runNotes(change, staying, isOne, context),
		...(asks.notes?.(change, goingRows, context) ?? []),
		...(isOne ? fileNotes(goingRows, home) : titleNotes(goingRows)),
	];
	return {
		title: asks.title?.(change, sessions, home) ?? `${capital(now)}?`,
		...aboutOne(goingRows),
		body,
		choices,
		index: doubtful ? choices.length - 1 : 0,
		danger: asks.danger || doubtful,
		facts: JSON.stringify(facts),
		...(!asks.always && !doubtful && leftOut.size === 0 && { atOnce: { ...act, sessions: [...going, ...used] } }),
	};
}

/** What a question becomes whose sessions have disappeared meanwhile. */
export function goneQuestion(paths: readonly string[], home: string): Question<never> {
	const [path = "", second] = paths;
	const text =
		second === undefined ? `Its file is no longer there: ${shortenHome(path, home)}` : "They are no longer there.";
	return { title: "Nothing is done", body: [text], choices: [CLOSE], danger: true };
}

const CANCEL = { label: "Cancel" };
const CLOSE = { label: "Close" };

/** The sessions that can be changed, those that cannot since they are in use, and how many are left out for other reasons. */
interface SplitSessions {
	readonly free: readonly ShownSession[];
	readonly used: readonly ShownSession[];
	readonly leftOut: ReadonlyMap<string, number>;
}

function split(change: SessionsChange, rows: readonly SessionRow[], context: QuestionContext): SplitSessions {
	const { act, asks } = kindOfSessions(change);
	const free: ShownSession[] = [];
	const used: ShownSession[] = [];
	const leftOut = new Map<string, number>();
	for (const row of rows) {
		const why = asks?.leavesOut?.(change, row, context);
		if (why !== undefined) {
			leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
			continue;
		}
		const { decision, uses } = guard(act, context.live, row);
		(decision === "refuse" ? used : free).push({ row, uses });
	}
	return { free, used, leftOut };
}

/** The runs whose files are beside those of their sessions, where pi lists them, too; without those that may be in use. */
function besideOf(
	chosen: ReadonlySet<SessionRow>,
	runs: readonly SessionRow[],
	change: SessionsChange,
	context: QuestionContext,
): readonly ShownSession[] {
	const directories = new Set([...chosen].map(({ path }) => dirname(path)));
	const beside = runs.filter(({ path }) => directories.has(dirname(path)));
	return split(change, beside, context).free.filter(({ uses }) => uses.length === 0);
}

/** The choice that changes the runs below the sessions, too, as far as they are not in use. */
function withRuns(act: SessionsRequest, runs: readonly SessionRow[], { live, home }: QuestionContext) {
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
