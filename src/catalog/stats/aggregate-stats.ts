import { projectKey } from "../../shared/paths.ts";
import { addSpent, NOTHING_SPENT, type Spent } from "../branches/branch-tracker.ts";
import type { RunsByParent } from "./family-cost.ts";
import { type AgentLine, runsInFamilies } from "./run-stats.ts";
import type { SessionNumbers } from "./session-numbers.ts";
import { roundCost, tokensOf } from "./usage.ts";

/** Numbers of one project, model, month or day. */
export interface StatsLine {
	/** Project directory, model, month ("2026-01") or day ("2026-01-31"); "" for an unknown time. */
	readonly key: string;
	readonly sessions: number;
	/** Size of the files; 0 for lines that share files (models, months, days). */
	readonly bytes: number;
	/** Input, output and both kinds of cached tokens. */
	readonly tokens: number;
	/** In dollars. */
	readonly cost: number;
	/** Spent on branches that do not lead to the leaf; included in the above. */
	readonly abandoned: Spent;
	/** Working time of the model and its tools, without that of runs below sessions; 0 for a model. */
	readonly workedMs: number;
}

export interface CatalogStats {
	/** Including runs. */
	readonly sessions: number;
	/** The number of these that are runs of subagents below the sessions that started them. */
	readonly runs: number;
	/** Sessions that have been counted so far. */
	readonly counted: number;
	/** Sessions with answers of unknown price, which are not in the sums of dollars. */
	readonly unpriced: number;
	readonly bytes: number;
	readonly tokens: number;
	readonly cost: number;
	/** Spent on branches that do not lead to the leaf; included in the above. */
	readonly abandoned: Spent;
	/** Working time of the model and its tools, without that of runs below sessions. */
	readonly workedMs: number;
	/** The sessions that have cost most, with their runs, by their paths; none without costs. */
	readonly mostExpensive: readonly StatsLine[];
	/** Projects and models most expensive first, months and days (in the local time zone) oldest first. */
	readonly projects: readonly StatsLine[];
	readonly models: readonly StatsLine[];
	readonly months: readonly StatsLine[];
	readonly days: readonly StatsLine[];
	/** Runs of subagents by agent, most expensive first; "" if it is not known. Their cost is included in the above. */
	readonly agents: readonly AgentLine[];
	/** The sums of each place, if places were asked. */
	readonly places?: readonly PlaceSums[];
}

/** The sums over all sessions, wherever they are. */
export type StatsSums = Omit<CatalogStats, "places">;

interface PlaceSums
	extends Pick<
		StatsSums,
		"sessions" | "runs" | "counted" | "unpriced" | "bytes" | "tokens" | "cost" | "abandoned" | "workedMs"
	> {
	/** "here" for this machine. */
	readonly name: string;
}

interface StatsFile {
	readonly path: string;
	readonly cwd: string;
	/** Size of its file, in bytes. */
	readonly size: number;
}

/**
 * Sums over the sessions. Entries that several of them share are in the numbers of only one. The cost of a run counts once, even if
 * only the session that started it reports it. `counted`: the numbers of all counted sessions, by path; `runs`: those of all
 * sessions, because a session that is not summed up here may have started a run that is, or be such a run itself. `on`: a day or a month
 * ("2026-01") to which all is limited; "" for all time.
 */
export function aggregateStats(
	all: readonly StatsFile[],
	counted: ReadonlyMap<string, SessionNumbers>,
	runs: RunsByParent,
	on = "",
): StatsSums {
	const tally = new SumsTally();
	const parents = new Map([...runs].flatMap(([parent, some]) => some.map(({ path }) => [path, parent] as const)));
	const headOf = headsAmong(new Set(all.map(({ path }) => path)), parents);
	const isThen = ({ day }: { readonly day: string }): boolean => day.startsWith(on);
	const summed: StatsFile[] = [];
	for (const file of all) {
		const { path, cwd, size: bytes } = file;
		const numbers = counted.get(path);
		const lines = (numbers?.spending ?? []).filter(isThen);
		const worked = [...(numbers?.worked ?? [])].map(([day, ms]) => ({ day, ms })).filter(isThen);
		if (on !== "" && lines.length + worked.length === 0) continue;
		summed.push(file);
		const head = headOf(path);
		tally.addSession(cwd, head, { sessions: 1, bytes });
		for (const { model, day, abandoned = NOTHING_SPENT, ...spent } of lines) {
			const part = { tokens: tokensOf(spent), cost: spent.cost, abandoned };
			tally.addSession(cwd, head, part);
			tally.add("models", model, part);
			tally.addDay(day, part);
		}
		// The time of a run is part of the time that its session waited for it.
		const ownWork = head === path ? worked : [];
		for (const { day, ms: workedMs } of ownWork) {
			tally.addSession(cwd, head, { workedMs });
			tally.addDay(day, { workedMs });
		}
		const days = new Set([...lines, ...ownWork].map(({ day }) => day));
		for (const model of new Set(lines.map((line) => line.model))) tally.add("models", model, { sessions: 1 });
		for (const month of new Set(days.values().map(monthOf))) tally.add("months", month, { sessions: 1 });
		for (const day of days) tally.add("days", day, { sessions: 1 });
	}
	for (const run of runsInFamilies(all, counted, runs)) {
		if (!isThen(run)) continue;
		tally.addAgent(run);
		const { missing, day, cwd, path, model } = run;
		if (missing.tokens === 0 && missing.cost === 0) continue;
		const modelName = withoutProvider(model);
		tally.add("models", tally.list("models").has(modelName) ? modelName : model, missing);
		tally.addDay(day, missing);
		tally.addSession(cwd, headOf(path), missing);
	}
	return tally.result({
		sessions: summed.length,
		runs: summed.filter(({ path }) => parents.has(path)).length,
		counted: summed.filter(({ path }) => counted.has(path)).length,
		unpriced: summed.filter(({ path }) => counted.get(path)?.counts.unpriced !== undefined).length,
	});
}

/** A function that finds the highest session above a run that is summed up, too; any other session itself. */
function headsAmong(summed: ReadonlySet<string>, parents: ReadonlyMap<string, string>): (path: string) => string {
	return (path) => {
		let head = path;
		for (let at = parents.get(path); at !== undefined && summed.has(at); at = parents.get(at)) head = at;
		return head;
	};
}

function monthOf(day: string): string {
	return day.slice(0, 7);
}

/** Reports name models as "anthropic/claude-sonnet-4-5", answers as "claude-sonnet-4-5". */
function withoutProvider(model: string): string {
	return model.slice(model.indexOf("/") + 1);
}

/** Sessions that are told as the most expensive ones; the list, sorted by cost, has all. */
const MOST_EXPENSIVE = 10;

type Mutable<Line> = { -readonly [Part in keyof Line]: Line[Part] };
type Sums = Mutable<Omit<StatsLine, "key">>;
type AgentSums = Mutable<Omit<AgentLine, "key">>;
const NO_LINE: Sums = { sessions: 0, bytes: 0, tokens: 0, cost: 0, abandoned: NOTHING_SPENT, workedMs: 0 };
const NO_RUNS: AgentSums = { runs: 0, failures: 0, ms: 0, tokens: 0, cost: 0 };

const LISTS = ["heads", "projects", "models", "months", "days"] as const;
type ListName = (typeof LISTS)[number];

class SumsTally {
	readonly total = { ...NO_LINE };
	readonly #lists = new Map(LISTS.map((name) => [name, new Map<string, Sums>()]));
	readonly #agents = new Map<string, AgentSums>();

	list(name: ListName): Map<string, Sums> {
		return this.#lists.get(name) ?? new Map();
	}

	add(name: ListName, key: string, part: Partial<Sums>): void {
		const lines = this.list(name);
		const sums = lines.get(key) ?? { ...NO_LINE };
		lines.set(key, sums);
		addTo(sums, part);
	}

	/** `head`: the session that it is a run of, or itself. */
	addSession(cwd: string, head: string, part: Partial<Sums>): void {
		this.add("projects", projectKey(cwd), part);
		this.add("heads", head, part);
		addTo(this.total, part);
	}

	addDay(day: string, part: Partial<Sums>): void {
		this.add("months", monthOf(day), part);
		this.add("days", day, part);
	}

	addAgent({ key, runs, failures, ms, tokens, cost }: AgentLine): void {
		const sums = this.#agents.get(key) ?? { ...NO_RUNS };
		this.#agents.set(key, sums);
		sums.runs += runs;
		sums.failures += failures;
		sums.ms += ms;
		sums.tokens += tokens;
		sums.cost += cost;
	}

	result(numbers: Pick<StatsSums, "sessions" | "runs" | "counted" | "unpriced">): StatsSums {
		const linesOf = (name: ListName): StatsLine[] =>
			[...this.list(name)].map(([key, sums]) => ({ key, ...rounded(sums) }));
		const paid = linesOf("heads").filter(({ cost }) => cost > 0);
		const agents = [...this.#agents].map(([key, line]) => ({ key, ...line, cost: roundCost(line.cost) }));
		return {
			...rounded(this.total),
			...numbers,
			mostExpensive: paid.sort(byCost).slice(0, MOST_EXPENSIVE),
			projects: linesOf("projects").sort(byCost),
			models: linesOf("models").sort(byCost),
			months: linesOf("months").sort(byKey),
			days: linesOf("days").sort(byKey),
			agents: agents.sort((a, b) => b.cost - a.cost || b.tokens - a.tokens || b.runs - a.runs || byKey(a, b)),
		};
	}
}

function addTo(sums: Sums, part: Partial<Sums>): void {
	const { sessions = 0, bytes = 0, tokens = 0, cost = 0, abandoned = NOTHING_SPENT, workedMs = 0 } = part;
	sums.sessions += sessions;
	sums.bytes += bytes;
	sums.tokens += tokens;
	sums.cost += cost;
	sums.abandoned = addSpent(sums.abandoned, abandoned);
	sums.workedMs += workedMs;
}

function rounded(sums: Sums): Sums {
	const { tokens, cost } = sums.abandoned;
	return { ...sums, cost: roundCost(sums.cost), abandoned: { tokens, cost: roundCost(cost) } };
}

function byKey(a: Pick<StatsLine, "key">, b: Pick<StatsLine, "key">): number {
	return a.key < b.key ? -1 : 1;
}

export function byCost(a: StatsLine, b: StatsLine): number {
	return b.cost - a.cost || b.tokens - a.tokens || byKey(a, b);
}

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
	const tally = new SumsTally();
	const sum = (part: "sessions" | "runs" | "counted" | "unpriced"): number =>
		parts.reduce((total, { sums }) => total + sums[part], 0);
	const places = parts.map(({ name, sums }): PlaceSums => {
		const { agents, mostExpensive, projects, models, months, days, ...place } = sums;
		const lists = { heads: mostExpensive, projects, models, months, days };
		addTo(tally.total, place);
		for (const name of LISTS) for (const { key, ...line } of lists[name]) tally.add(name, key, line);
		for (const line of agents) tally.addAgent(line);
		return { name, ...place };
	});
	const numbers = { sessions: sum("sessions"), runs: sum("runs"), counted: sum("counted"), unpriced: sum("unpriced") };
	return { ...tally.result(numbers), places };
}
