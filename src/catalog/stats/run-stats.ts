import { addSpent, type Spent } from "../branches/branch-tracker.ts";
import { describeRun, type Run } from "../families/run.ts";
import { hasFailed } from "../families/run-report.ts";
import { costsOfFamilies, type RunCost, type RunsByParent } from "./family-cost.ts";
import type { SessionNumbers } from "./session-numbers.ts";
import { localDay, roundCost, tokensOf } from "./usage.ts";

/** The runs of one agent. */
export interface AgentLine {
	/** Name of the agent; "" if it is not known. */
	readonly key: string;
	readonly runs: number;
	readonly failures: number;
	/** How long those took whose beginning and end are known, together, in milliseconds. */
	readonly ms: number;
	/** Without the runs that they have started, which have lines of their own. */
	readonly tokens: number;
	/** In dollars, of the same. */
	readonly cost: number;
}

interface RunStats extends AgentLine {
	/** Directory of its session or, without one, of its parent. */
	readonly cwd: string;
	readonly model: string;
	/** When it ended or, if that is not known, began, in the local time zone: "2026-01-31"; "" if unknown. */
	readonly day: string;
	/** The part of the above that is only reported, and in no session. */
	readonly missing: Spent;
}

/** Stands for an unknown model. */
const NO_MODEL = "(subagent)";

/**
 * The runs whose sessions are among these, and the runs without a session that these have started. Each is there once, even if a
 * copy of a session reports it again, with the dollars that it has in the sums over all sessions. Runs that were continued in one
 * session are one line. `counted`, `runs`: of all sessions.
 */
export function runsInFamilies(
	all: readonly { readonly path: string; readonly cwd: string }[],
	counted: ReadonlyMap<string, SessionNumbers>,
	runs: RunsByParent,
): readonly RunStats[] {
	const countsOf = (path: string) => counted.get(path)?.counts;
	const cwds = new Map(all.map(({ path, cwd }) => [path, cwd]));
	const runCosts: { readonly cost: RunCost; readonly spent: Spent; readonly cwd: string | undefined }[] = [];
	for (const costs of costsOfFamilies(new Set([...counted.keys(), ...runs.keys()]), runs, countsOf))
		for (const [parent, { runs: runsOfParent }] of costs)
			for (const cost of runsOfParent) {
				const session = cost.runs[0]?.session?.path;
				const spent = spentIn(counted.get(session ?? ""));
				runCosts.push({ cost, spent, cwd: cwds.get(session ?? parent) });
			}
	// A copy reports runs whose sessions belong to the original: their cost is not missing.
	const first = [...runCosts.filter(hasSession), ...runCosts.filter((one) => !hasSession(one))];
	const reported = new Set<string>();
	return first.flatMap((one) => {
		const { cost, spent, cwd } = one;
		const keys = cost.runs.flatMap(({ report }) => (report === undefined ? [] : [`${report.entryId} ${report.key}`]));
		const isAgain = keys.length > 0 && keys.every((key) => reported.has(key));
		for (const key of keys) reported.add(key);
		// One in the family of a copy has a session of its own, and only that.
		if (cwd === undefined || (isAgain && !hasSession(one))) return [];
		const missing = isAgain ? NOTHING : cost.missing;
		return [statsOf({ ...cost, missing }, addSpent(spent, missing), cwd, countsOf)];
	});
}

/** What a session has spent, without entries that were copied from another session and count there. */
function spentIn(numbers: SessionNumbers | undefined): Spent {
	const lines = numbers?.spending ?? [];
	return lines.reduce((sum: Spent, one) => addSpent(sum, { tokens: tokensOf(one), cost: one.cost }), NOTHING);
}

const NOTHING: Spent = { tokens: 0, cost: 0 };

function hasSession({ cost }: { readonly cost: RunCost }): boolean {
	return cost.runs[0]?.session !== undefined;
}

function statsOf(
	{ runs, missing }: RunCost,
	spent: Spent,
	cwd: string,
	countsOf: (path: string) => SessionNumbers["counts"] | undefined,
): RunStats {
	const facts = runs.map((run: Run) => describeRun(run, countsOf(run.session?.path ?? ""), { isLive: false }));
	const [first] = facts;
	const atMs = first?.endedMs ?? first?.startedMs;
	return {
		key: facts.find(({ agent }) => agent !== "")?.agent ?? "",
		runs: runs.length,
		failures: facts.filter(({ state }) => state !== undefined && hasFailed(state)).length,
		ms: facts.reduce(
			(sum, { startedMs = 0, endedMs = 0 }) => sum + (startedMs > 0 ? Math.max(0, endedMs - startedMs) : 0),
			0,
		),
		...spent,
		cwd,
		model: first?.model || NO_MODEL,
		day: localDay(atMs ?? Number.NaN),
		missing,
	};
}

export class AgentTally {
	readonly #lines = new Map<string, AgentLine>();

	add({ key, runs, failures, ms, tokens, cost }: AgentLine): void {
		const line = this.#lines.get(key) ?? { runs: 0, failures: 0, ms: 0, tokens: 0, cost: 0 };
		this.#lines.set(key, {
			key,
			runs: line.runs + runs,
			failures: line.failures + failures,
			ms: line.ms + ms,
			tokens: line.tokens + tokens,
			cost: line.cost + cost,
		});
	}

	/** Most expensive first. */
	lines(): readonly AgentLine[] {
		return [...this.#lines.values()]
			.map((line) => ({ ...line, cost: roundCost(line.cost) }))
			.sort((a, b) => b.cost - a.cost || b.tokens - a.tokens || b.runs - a.runs || (a.key < b.key ? -1 : 1));
	}
}
