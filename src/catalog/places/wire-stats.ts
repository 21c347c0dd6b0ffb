import { z } from "zod";
import type { StatsLine, StatsSums } from "../stats/aggregate-stats.ts";
import type { AgentLine } from "../stats/run-stats.ts";

/* Sums as they stand in the lines of the protocol: tables, some lines at a time, and totals. */

/** Of a key, at most, in UTF-16 units: a project is a path, and everything else is shorter. */
const MAX_KEY = 4000;

const COUNT = z.int().nonnegative();
/** A program of an earlier version sums up prices of -1. */
const SPENT_AMOUNT = z.number().transform((amount) => Math.max(0, amount));
const SPENT = z.object({ tokens: SPENT_AMOUNT, cost: SPENT_AMOUNT });

const LINE = z.object({ key: z.string(), sessions: COUNT, bytes: COUNT, ...SPENT.shape, abandoned: SPENT });
const AGENT = z.object({ key: z.string(), runs: COUNT, failures: COUNT, ms: z.number(), ...SPENT.shape });
const TOTALS = z.object({
	sessions: COUNT,
	runs: COUNT,
	counted: COUNT,
	unpriced: COUNT.default(0),
	bytes: COUNT,
	...SPENT.shape,
	abandoned: SPENT,
});

/** The tables of sums, each with the schema of its lines. */
const TABLES = { projects: LINE, models: LINE, months: LINE, days: LINE, agents: AGENT } as const;

type TableName = keyof typeof TABLES;
export type SumTables = { readonly [Name in TableName]: z.infer<(typeof TABLES)[Name]>[] };

/** The lines of all tables of some sums, as they are sent. */
export function sumTables(sums: StatsSums): readonly (readonly [of: TableName, lines: readonly object[]])[] {
	const withKey = <Line extends StatsLine | AgentLine>(line: Line): object => ({
		...line,
		key: line.key.slice(0, MAX_KEY),
	});
	return [
		["projects", sums.projects.map(withKey)],
		["models", sums.models.map(withKey)],
		["months", sums.months.map(withKey)],
		["days", sums.days.map(withKey)],
		["agents", sums.agents.map(withKey)],
	];
}

/** The totals of some sums, as they are sent. */
export function totalsToWire({ sessions, runs, counted, unpriced, bytes, tokens, cost, abandoned }: StatsSums): object {
	return { sessions, runs, counted, unpriced, bytes, tokens, cost, abandoned: { ...abandoned } };
}

export function totalsFromWire(value: unknown): z.infer<typeof TOTALS> | undefined {
	return TOTALS.safeParse(value).data;
}

export function noTables(): SumTables {
	return { projects: [], models: [], months: [], days: [], agents: [] };
}

/** Adds lines that were sent to their table; returns whether they have the shape of its lines. A table that is not known is left out. */
export function addLines(tables: SumTables, of: string, lines: readonly unknown[]): boolean {
	if (!isTable(of)) return true;
	const read = z.array(TABLES[of] as z.ZodType<SumTables[TableName][number]>).safeParse(lines).data;
	(tables[of] as SumTables[TableName][number][]).push(...(read ?? []));
	return read !== undefined;
}

function isTable(name: string): name is TableName {
	return Object.hasOwn(TABLES, name);
}
