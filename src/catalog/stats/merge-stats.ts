import { byCost, byKey, type CatalogStats, type StatsLine, type StatsSums, Tally } from "./aggregate-stats.ts";
import { AgentTally } from "./run-stats.ts";

export const NO_SUMS: StatsSums = {
	...{ sessions: 0, runs: 0, counted: 0, unpriced: 0, bytes: 0, tokens: 0, cost: 0, abandoned: { tokens: 0, cost: 0 } },
	...{ projects: [], models: [], months: [], days: [], agents: [] },
};

/** The sums over the sessions of one place; `name`: "here" for this machine. */
interface NamedSums {
	readonly name: string;
	readonly sums: StatsSums;
}

/** The sums over several places, and those of each. No session may be in two of them. */
export function placedStats(parts: readonly NamedSums[]): CatalogStats {
	const places = parts.map(({ name, sums }) => {
		const { sessions, runs, counted, unpriced, bytes, tokens, cost, abandoned } = sums;
		return { name, sessions, runs, counted, unpriced, bytes, tokens, cost, abandoned };
	});
	return { ...mergeStats(parts.map(({ sums }) => sums)), places };
}

/** Adds up sums over sessions; no session may be in two of them. What has the same key is one line: a directory, a model, a day. */
export function mergeStats(all: readonly StatsSums[]): StatsSums {
	const sum = (of: (one: StatsSums) => number): number => all.reduce((total, one) => total + of(one), 0);
	const total = new Tally();
	for (const one of all) total.addLine({ ...one, key: "" });
	const { bytes, tokens, cost, abandoned } = total.lines()[0] ?? NO_SUMS;
	const lines = (of: (one: StatsSums) => readonly StatsLine[]): StatsLine[] => {
		const tally = new Tally();
		for (const line of all.flatMap(of)) tally.addLine(line);
		return tally.lines();
	};
	const agents = new AgentTally();
	for (const line of all.flatMap((one) => one.agents)) agents.add(line);
	return {
		sessions: sum((one) => one.sessions),
		runs: sum((one) => one.runs),
		counted: sum((one) => one.counted),
		unpriced: sum((one) => one.unpriced),
		...{ bytes, tokens, cost, abandoned },
		projects: lines((one) => one.projects).sort(byCost),
		models: lines((one) => one.models).sort(byCost),
		months: lines((one) => one.months).sort(byKey),
		days: lines((one) => one.days).sort(byKey),
		agents: agents.lines(),
	};
}
