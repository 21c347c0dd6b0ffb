import { isAbsolute, join } from "node:path";
import { runsOf } from "../../catalog/families/run.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { addChange } from "../../store/format/tool-change.ts";
import { emptySum, type Sum } from "../entries/turn-sum.ts";
import type { SessionDigest, SessionWork } from "./digest.ts";

/** The session at a path, if it is listed. */
type RowAt = (path: string) => SessionRow | undefined;

/**
 * What was done in sessions; the work of runs of subagents is added to the session that asked for them. A run whose parent is
 * not listed is listed by itself, without its prompts, which a program wrote.
 */
export function digestFamilies(works: readonly SessionWork[], rowAt: RowAt): readonly SessionDigest[] {
	const workAt = new Map(works.map((work) => [work.row.path, work]));
	const below = new Map<string, Set<SessionRow>>();
	const heads = new Map<string, SessionRow>();
	for (const { row } of works) {
		const above = parentsOf(row, rowAt);
		for (const [at, parent] of above.entries()) {
			const runs = below.get(parent.path) ?? new Set();
			below.set(parent.path, runs.add(above[at - 1] ?? row));
		}
		const head = above.at(-1) ?? row;
		heads.set(head.path, head);
	}
	return [...heads.values()].map((head) => digestFamily(head, workAt, below));
}

/** The session that asked for a run, the one that asked for that, and so on. */
function parentsOf(row: SessionRow, rowAt: RowAt): readonly SessionRow[] {
	const parents: SessionRow[] = [];
	const seen = new Set([row.path]);
	for (let next = row; ; ) {
		const parent = next.run?.parent === undefined ? undefined : rowAt(next.run.parent);
		// Sessions that name each other as parents are damaged.
		if (parent === undefined || seen.has(parent.path)) return parents;
		seen.add(parent.path);
		parents.push(parent);
		next = parent;
	}
}

function digestFamily(
	head: SessionRow,
	workAt: ReadonlyMap<string, SessionWork>,
	below: ReadonlyMap<string, ReadonlySet<SessionRow>>,
): SessionDigest {
	const own = workAt.get(head.path) ?? nothingDone(head);
	const sum: Sum = { ...own.sum, files: new Map(own.sum.files) };
	const seen = new Set([head.path]);
	let runs = head.run === undefined ? 0 : 1;
	/** What a session and its runs have cost: of each run the larger of what its session and its parent say. */
	const costOf = (row: SessionRow): number => {
		const work = workAt.get(row.path) ?? nothingDone(row);
		const sessions = [...(below.get(row.path) ?? [])];
		// A run at work may be reported by its call only, which does not name it.
		runs += Math.max(work.reports.length, sessions.length);
		let spent = 0;
		for (const { report, session } of runsOf(sessions, work.reports)) {
			const isNew = session !== undefined && !seen.has(session.path);
			if (isNew) seen.add(session.path);
			spent += Math.max(isNew ? costOf(session) : 0, report?.cost ?? 0);
		}
		if (row !== head) addWork(sum, work, head.cwd);
		return work.sum.cost - work.reportedCost + Math.max(work.reportedCost, spent);
	};
	sum.cost = costOf(head);
	if (head.run !== undefined) sum.turns = 0;
	const { said, ending } = own;
	return { row: head, sum, prompts: head.run === undefined ? own.prompts : [], said, ending, runs };
}

/** Adds what a run did; its prompts were written by a program, and its time is part of its parent's. */
function addWork(sum: Sum, { row, sum: done }: SessionWork, cwd: string): void {
	sum.steps += done.steps;
	sum.errors += done.errors;
	for (const [path, change] of done.files) {
		const name = row.cwd === cwd || isAbsolute(path) || path.startsWith("~") ? path : join(row.cwd, path);
		sum.files.set(name, addChange(sum.files.get(name), change));
	}
	const times = [sum.startMs, done.startMs].filter((time) => time !== undefined);
	const ends = [sum.endMs, done.endMs].filter((time) => time !== undefined);
	if (times.length > 0) sum.startMs = Math.min(...times);
	if (ends.length > 0) sum.endMs = Math.max(...ends);
}

function nothingDone(row: SessionRow): SessionWork {
	return { row, sum: emptySum(), prompts: [], said: "", ending: undefined, reports: [], reportedCost: 0 };
}
