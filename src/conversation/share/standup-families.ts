import type { SessionRow } from "../../catalog/model/row.ts";
import { familyCosts } from "../../catalog/stats/family-cost.ts";
import { rulesOf } from "../../shared/system.ts";
import { emptySum, type Sum } from "../entries/turn-sum.ts";
import type { SessionWork, StandupSession } from "./standup.ts";

type RowAt = (path: string) => SessionRow | undefined;

/**
 * What was done in sessions; the work of runs of subagents is added to the session that asked for them. A run whose parent is
 * not listed is listed by itself, without its prompts, which a program wrote.
 */
export function standupFamilies(works: readonly SessionWork[], rowAt: RowAt): readonly StandupSession[] {
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
	return [...heads.values()].map((head) => standupFamily(head, workAt, below));
}

/** The session that asked for a run, the one that asked for that, and so on. */
function parentsOf(row: SessionRow, rowAt: RowAt): readonly SessionRow[] {
	const parents: SessionRow[] = [];
	const paths = new Set([row.path]);
	for (let next = row; ; ) {
		const parent = next.run?.parent === undefined ? undefined : rowAt(next.run.parent);
		// Sessions that name each other as parents are damaged.
		if (parent === undefined || paths.has(parent.path)) return parents;
		paths.add(parent.path);
		parents.push(parent);
		next = parent;
	}
}

function standupFamily(
	head: SessionRow,
	workAt: ReadonlyMap<string, SessionWork>,
	below: ReadonlyMap<string, ReadonlySet<SessionRow>>,
): StandupSession {
	const headWork = workAt.get(head.path) ?? nothingDone(head);
	const sum: Sum = { ...headWork.sum, files: new Map(headWork.sum.files) };
	/** The sessions of the family, from above, with those of their runs. */
	const family = new Map<string, readonly SessionRow[]>();
	const rows = [head];
	const paths = new Set([head.path]);
	for (const row of rows) {
		const runs = [...(below.get(row.path) ?? [])].filter(({ path }) => !paths.has(path));
		for (const { path } of runs) paths.add(path);
		rows.push(...runs);
		family.set(row.path, runs);
	}
	for (const row of rows.slice(1)) addWork(sum, workAt.get(row.path) ?? nothingDone(row), head.cwd);
	const costs = familyCosts(head.path, {
		runsOf: (path) => family.get(path) ?? [],
		countsOf: (path) => workAt.get(path)?.costs,
	}).get(head.path);
	sum.cost = costs?.total.cost ?? 0;
	if (head.run !== undefined) sum.turns = 0;
	const { said, ending } = headWork;
	const prompts = head.run === undefined ? headWork.prompts : [];
	return { row: head, sum, prompts, said, ending, runs: (costs?.count ?? 0) + (head.run === undefined ? 0 : 1) };
}

/** Adds what a run did; its prompts were written by a program, and its time is part of its parent's. */
function addWork(sum: Sum, { row, sum: done }: SessionWork, cwd: string): void {
	sum.steps += done.steps;
	sum.errors += done.errors;
	const { isAbsolute, join } = rulesOf(row.cwd);
	for (const [path, lastId] of done.files) {
		const name = row.cwd === cwd || isAbsolute(path) || path.startsWith("~") ? path : join(row.cwd, path);
		sum.files.set(name, lastId);
	}
	const times = [sum.startMs, done.startMs].filter((time) => time !== undefined);
	const ends = [sum.endMs, done.endMs].filter((time) => time !== undefined);
	if (times.length > 0) sum.startMs = Math.min(...times);
	if (ends.length > 0) sum.endMs = Math.max(...ends);
}

function nothingDone(row: SessionRow): SessionWork {
	return { row, sum: emptySum(), prompts: [], said: "", ending: undefined, costs: { tokens: 0, cost: 0 } };
}
