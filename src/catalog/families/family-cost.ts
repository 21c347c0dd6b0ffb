import type { RawEntry } from "../../store/format/raw-entry.ts";
import { usageOf } from "../stats/usage.ts";
import { joinReports } from "./join-reports.ts";
import { reportsIn } from "./reports-in.ts";
import type { RunReport } from "./run-report.ts";

/** What the session of a parent, or of a run, says about dollars. */
export interface SessionSpending {
	readonly path: string;
	/** What each entry has cost that is not about runs, by what is the same for each copy of it. */
	readonly paid: ReadonlyMap<number, number>;
	/** The runs that it has started. */
	readonly runs: readonly RunSpending[];
	/** What the results of its tools say that runs have cost together. */
	readonly told: readonly { readonly cost: number; readonly keys: readonly string[] }[];
}

/** A run, as its parent knows it. */
interface RunSpending {
	readonly key: string;
	/** What the parent was told. */
	readonly cost?: number;
	/** The session of the run, if it is known. */
	readonly path?: string;
}

/** What a session and its runs have cost, each dollar once. */
export interface FamilyCost {
	/** Without its runs. */
	readonly own: number;
	/** What each run has cost with its own runs, by key. */
	readonly runs: ReadonlyMap<string, number>;
	readonly total: number;
}

/**
 * What the entries of a session say. `isCopied`: the entry is also in the parent, so that what it says of runs is about the
 * runs of the parent. `pathOf`: where the session of a run is, if it is not where its report says.
 */
export function spendingOf(
	path: string,
	entries: Iterable<RawEntry>,
	isCopied: (entry: RawEntry) => boolean = () => false,
	pathOf: (report: RunReport) => string | undefined = ({ file }) => file,
): SessionSpending {
	const paid = new Map<number, number>();
	const told: { cost: number; keys: string[] }[] = [];
	const reports: RunReport[] = [];
	for (const entry of entries) {
		const said = reportsIn(entry);
		const usage = usageOf(entry);
		// An answer has its own cost, and may have calls that start runs; a result has that of the runs it is about.
		const isTold = said.some(({ callId, isUnnamed }) => !(isUnnamed && callId !== undefined));
		if (usage !== undefined && !isTold) paid.set(usage.hash, usage.spent.cost);
		if (isCopied(entry)) continue;
		reports.push(...said);
		if (usage !== undefined && isTold) told.push({ cost: usage.spent.cost, keys: said.map(({ key }) => key) });
	}
	const runs = joinReports(reports).map((report) => ({ key: report.key, cost: report.cost, path: pathOf(report) }));
	return { path, paid, runs, told };
}

/**
 * What a session has cost with all its runs: its own entries, and for each run the larger of what the run's session says and
 * what the parent was told, because either may be gone or incomplete, and both say it twice. The session of a run with
 * forked context begins with entries of its parent, which count there.
 */
export function familyCost(
	session: SessionSpending,
	sessionAt: (path: string) => SessionSpending | undefined,
): FamilyCost {
	return costOf(session, sessionAt, new Set(), new Set());
}

/** `counted`: the entries that were counted above; `seen`: sessions that were counted, so that none is twice. */
function costOf(
	session: SessionSpending,
	sessionAt: (path: string) => SessionSpending | undefined,
	counted: ReadonlySet<number>,
	seen: Set<string>,
): FamilyCost {
	seen.add(session.path);
	let own = 0;
	for (const [entry, cost] of session.paid) if (!counted.has(entry)) own += cost;
	const known = new Set([...counted, ...session.paid.keys()]);
	const runs = new Map<string, number>();
	// A run that goes on in its session is told of again, with what the new part has cost.
	for (const group of Map.groupBy(session.runs, ({ path, key }) => path ?? key).values()) {
		const [{ key, path } = { key: "" }] = group;
		const told = group.reduce((sum, { cost = 0 }) => sum + cost, 0);
		const child = path === undefined || seen.has(path) ? undefined : sessionAt(path);
		const said = child === undefined ? 0 : costOf(child, sessionAt, known, seen).total;
		for (const run of group) runs.set(run.key, 0);
		runs.set(key, Math.max(said, told));
	}
	for (const { cost, keys } of session.told) {
		const missing = cost - keys.reduce((sum, key) => sum + (runs.get(key) ?? 0), 0);
		const key = keys.find((one) => runs.has(one)) ?? keys[0];
		if (missing > 0 && key !== undefined) runs.set(key, (runs.get(key) ?? 0) + missing);
	}
	const total = [...runs.values()].reduce((sum, cost) => sum + cost, own);
	return { own, runs, total };
}
