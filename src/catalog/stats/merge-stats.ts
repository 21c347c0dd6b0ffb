import { type CatalogStats, type StatsSums, SumsTally } from "./aggregate-stats.ts";

export const NO_SUMS: StatsSums = new SumsTally().result({ sessions: 0, runs: 0, counted: 0, unpriced: 0 });

/** The sums over the sessions of one place; `name`: "here" for this machine. */
interface NamedSums {
	readonly name: string;
	readonly sums: StatsSums;
}

/**
 * The sums over several places, and those of each. No session may be in two of them. What has the same key is one line: a directory, a
 * model, a day.
 */
export function placedStats(parts: readonly NamedSums[]): CatalogStats {
	const places = parts.map(({ name, sums }) => {
		const { sessions, runs, counted, unpriced, bytes, tokens, cost, abandoned, workedMs } = sums;
		return { name, sessions, runs, counted, unpriced, bytes, tokens, cost, abandoned, workedMs };
	});
	const sum = (part: "sessions" | "runs" | "counted" | "unpriced"): number =>
		places.reduce((total, place) => total + place[part], 0);
	const tally = new SumsTally();
	for (const { sums } of parts) {
		tally.total.addLine({ ...sums, key: "" });
		for (const list of ["projects", "models", "months", "days"] as const)
			for (const line of sums[list]) tally[list].addLine(line);
		for (const line of sums.mostExpensive) tally.heads.addLine(line);
		for (const line of sums.agents) tally.agents.add(line);
	}
	const numbers = { sessions: sum("sessions"), runs: sum("runs"), counted: sum("counted"), unpriced: sum("unpriced") };
	return { ...tally.result(numbers), places };
}
