import { homedir } from "node:os";
import { agentOf } from "../../catalog/families/run-agents.ts";
import { runMarker } from "../../catalog/list-all.ts";
import type { SessionCounts } from "../../catalog/model/counts.ts";
import { isPinned, type Marks, NO_MARKS, sessionTags } from "../../catalog/model/marks.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { findSessionRoots } from "../../catalog/model/session-roots.ts";
import { askedRuns } from "../../catalog/query/conditions.ts";
import { countSome, knownCounts } from "../../catalog/stats/stored-counts.ts";
import { roundCost } from "../../catalog/stats/usage.ts";
import { marksPath, readMarks } from "../../changes/noted/marks.ts";
import { titleText } from "../../conversation/entries/session-title.ts";
import { TimeSlice } from "../../shared/steps.ts";
import { shortenHome } from "../../ui/text/format.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { note, withProgressNote } from "../print/output.ts";
import type { ListedRows } from "./listed-rows.ts";

/*
 * A session as `--json` prints it. All commands print the same fields, in the same order; a command's own fields follow them.
 * Texts are raw: sanitize them before drawing.
 */

/** The fields that identify a session; all that is printed of one that is only mentioned, as with an edited file. */
interface MentionJson {
	readonly path: string;
	readonly id: string;
	readonly title: string;
	readonly cwd: string;
}

/** The fields of a session, in words. The keys are those that `sessionJson` prints. */
export const SESSION_FIELDS = {
	path: "absolute path of its file",
	id: 'from the header of the file; "" for none',
	title: "its name, else its first prompt, command or answer, on one line",
	cwd: 'the directory of its project; "" for none',
	place: "name of the place it is in; null for this machine",
	alsoIn: "names of other places that have the same session",
	name: "null if it has none",
	created: "when it was created",
	modified: "when it was last active; when the file was written, if the time in the session is in the future",
	ahead: "the time of its last message, if that is in the future because a clock was ahead; else null",
	messages: "number of messages on all branches, as pi counts them",
	turns: "number of prompts on the path to the end, as in the header of the opened session",
	branches: "number of branches of the conversation",
	errors: "number of tools, commands and answers on that path that failed",
	onBranches: "turns, errors, tokens and cost of the other branches",
	tokens: "tokens of all answers in the file, on all branches, including those that a fork has copied",
	cost: "cost of the same answers, in dollars",
	unpriced: "number of answers whose price is unknown and not in the cost",
	familyCost: "cost including its runs, in dollars; null without runs, and in commands other than list",
	labels: "number of labeled entries",
	tags: "list of its tags; empty with --masked",
	pinned: "whether it is pinned",
	archived: "whether it is in the archive",
	parent:
		"path of the session it was forked from, as written, or, for a run, of the session that started it; null for none",
	run: "for the session of a subagent the id and index of its run, and whether it began as a fork of its parent; else null",
	agent: "the subagent whose run it is; null for a session that is no run, if the agent is unknown, and with --masked",
	runs: "number of runs of subagents that it has started; in commands other than list, as the session itself reports",
	size: "bytes of the file",
	diagnostics: "damaged and unusual lines in it, each with code, severity, message and line",
} as const;

type SessionJson = Readonly<Record<keyof typeof SESSION_FIELDS, unknown>> & MentionJson;

/** A session with all its fields; `counts` is undefined if it could not be counted. */
function sessionJson(
	row: SessionRow,
	counts: SessionCounts | undefined,
	marks: Marks,
	facts: Pick<SessionJson, "familyCost" | "agent" | "runs">,
): SessionJson {
	const {
		name = null,
		created,
		modified,
		aheadMs,
		messageCount,
		archived = false,
		parentSession = null,
		run,
		size,
		diagnostics,
	} = row;
	const { turns = null, branches = null, errors = null, tokens = null, cost = null, labels = null } = counts ?? {};
	const onBranches = counts?.onBranches ?? { turns: 0, errors: 0, tokens: 0, cost: 0 };
	return {
		...mentionJson(row.path, row),
		place: row.place ?? null,
		alsoIn: row.alsoIn ?? [],
		name,
		created,
		modified,
		ahead: aheadMs === undefined ? null : new Date(aheadMs),
		messages: messageCount,
		turns,
		branches,
		errors,
		onBranches: counts === undefined ? null : onBranches,
		tokens,
		cost: cost === null ? null : roundCost(cost),
		unpriced: counts === undefined ? null : (counts.unpriced ?? 0),
		familyCost: facts.familyCost ?? null,
		labels,
		tags: sessionTags(row, marks),
		pinned: isPinned(row, marks),
		archived,
		parent: run?.parent ?? parentSession,
		run: run === undefined ? null : { id: run.runId ?? null, index: run.index ?? null, fork: run.isFork },
		agent: facts.agent || null,
		runs: facts.runs ?? null,
		size,
		diagnostics,
	};
}

/** A session that is only mentioned; all but the path is "" without a row. */
export function mentionJson(path: string, row: SessionRow | undefined): MentionJson {
	if (row === undefined) return { path, id: "", title: "", cwd: "" };
	return { path, id: row.id, title: titleText(row), cwd: row.cwd };
}

/** Describes a session as `--json` prints it; `path`: where its file is, if the row does not say that, as when it is masked. */
export type Describe = (row: SessionRow, path?: string) => SessionJson;

/**
 * Prepares to describe these sessions: marks those that are runs, counts what is in them and reads the pins and tags; sessions of
 * other places are not counted, nor is any with `counted: false`. `allCounts`: those of all sessions; the rows have come with them then, and with `families`.
 */
export async function describeSessions(
	sessions: readonly SessionRow[],
	args: Arguments,
	allCounts?: ReadonlyMap<string, SessionCounts>,
	families: Pick<ListedRows, "familyCosts" | "runsByParent"> = {},
): Promise<Describe> {
	const { sessionDir, masked = false, counted = true } = args;
	const rows = await markRuns(
		allCounts === undefined ? sessions.filter(({ place }) => place === undefined) : [],
		sessionDir,
	);
	const runs = families.runsByParent ?? NO_RUNS;
	const counts =
		allCounts ?? (await withProgressNote(countFamilies([...rows.values()], sessionDir, counted), () => "Counting …"));
	const marks = readOwnMarks();
	// Tags and agents are not texts of a session, so nothing says which part of them is to be masked.
	const shownMarks = masked ? { ...marks, tags: NO_MARKS.tags } : marks;
	const home = masked ? homedir() : "";
	return (row, path = row.path) => {
		const marked = rows.get(path) ?? row;
		const { run } = marked;
		const agent = masked || run === undefined ? undefined : agentOf(marked, counts.get(run.parent ?? "")?.runs);
		const parent = run?.parent && shortenHome(run.parent, home);
		const described = { ...row, ...(run && { run: { ...run, parent } }) };
		const facts = {
			agent,
			familyCost: families.familyCosts?.get(path),
			runs: askedRuns(path, { counts, runs })?.length,
		};
		return sessionJson(described, counts.get(path), shownMarks, facts);
	};
}

const NO_RUNS: NonNullable<ListedRows["runsByParent"]> = new Map();

/** The pins and tags of the person; what of them cannot be read is said on stderr. */
export function readOwnMarks(): Marks {
	const { marks, problems } = readMarks(marksPath(process.env, homedir()));
	for (const problem of problems) note(problem);
	return marks;
}

/** The rows by path; runs are marked. */
async function markRuns(
	rows: readonly SessionRow[],
	sessionDir: string | undefined,
): Promise<ReadonlyMap<string, SessionRow>> {
	const mark = runMarker(await findSessionRoots({ sessionDir }), { sessionDir, blocking: true });
	const marked = new Map<string, SessionRow>();
	for (const row of rows) marked.set(row.path, await mark(row));
	return marked;
}

/**
 * The counts of the sessions, and of the sessions that started runs among them, which name the agents; if they need not be `counted`, as
 * far as they are known.
 */
async function countFamilies(
	rows: readonly SessionRow[],
	sessionDir: string | undefined,
	counted: boolean,
): Promise<ReadonlyMap<string, SessionCounts>> {
	const slice = new TimeSlice();
	const countsOf = (paths: Iterable<string>) =>
		counted ? countSome(paths, { sessionDir }, slice) : knownCounts(paths, { sessionDir });
	const ownCounts = await countsOf(rows.map(({ path }) => path));
	const above = rows.flatMap(({ run }) => (run?.parent === undefined || ownCounts.has(run.parent) ? [] : [run.parent]));
	if (above.length === 0) return ownCounts;
	return new Map([...ownCounts, ...(await countsOf(new Set(above)))]);
}
