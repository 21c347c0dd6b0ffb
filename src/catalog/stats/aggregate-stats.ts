import { projectKey } from "../../store/files/paths.ts";
import { addSpent, type Spent } from "../branches/branch-tracker.ts";
import type { RunsByParent } from "./family-cost.ts";
import { type AgentLine, AgentTally, runsInFamilies } from "./run-stats.ts";
import type { SessionNumbers } from "./session-numbers.ts";
import { roundCost, type Spending, tokensOf } from "./usage.ts";

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
	const sums = new SumsTally();
	const parents = new Map([...runs].flatMap(([parent, some]) => some.map(({ path }) => [path, parent] as const)));
	const headOf = headsAmong(new Set(all.map(({ path }) => path)), parents);
	const isThen = ({ day }: { readonly day: string }): boolean => day.startsWith(on);
	const summed: StatsFile[] = [];
	for (const file of all) {
		const { path, cwd, size } = file;
		const numbers = counted.get(path);
		const lines = (numbers?.spending ?? []).filter(isThen);
		const worked = [...(numbers?.worked ?? [])].map(([day, ms]) => ({ day, ms })).filter(isThen);
		if (on !== "" && lines.length + worked.length === 0) continue;
		summed.push(file);
		const head = headOf(path);
		const ofSession = sums.ofSession(cwd, head);
		for (const [tally, key] of ofSession) {
			tally.addFile(key, size);
			for (const line of lines) {
				tally.addSpent(key, spentIn(line));
				tally.addAbandoned(key, line.abandoned ?? NOTHING);
			}
		}
		for (const line of lines)
			for (const [tally, key] of sums.ofAnswers(line)) {
				tally.addSpent(key, spentIn(line));
				tally.addAbandoned(key, line.abandoned ?? NOTHING);
			}
		// The time of a run is part of the time that its session waited for it.
		const ownWork = head === path ? worked : [];
		for (const { day, ms } of ownWork)
			for (const [tally, key] of [...ofSession, ...sums.ofDay(day)]) tally.addWork(key, ms);
		for (const model of new Set(lines.map((line) => line.model))) sums.models.addFile(model, 0);
		const days = new Set([...lines, ...ownWork].map(({ day }) => day));
		for (const month of new Set(days.values().map(monthOf))) sums.months.addFile(month, 0);
		for (const day of days) sums.days.addFile(day, 0);
	}
	for (const run of runsInFamilies(all, counted, runs)) {
		if (!isThen(run)) continue;
		sums.agents.add(run);
		const { missing, day, cwd, path } = run;
		if (missing.tokens === 0 && missing.cost === 0) continue;
		const modelName = withoutProvider(run.model);
		const model = sums.models.has(modelName) ? modelName : run.model;
		for (const [tally, key] of [...sums.ofAnswers({ model, day }), ...sums.ofSession(cwd, headOf(path))])
			tally.addSpent(key, missing);
	}
	return sums.result({
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

const NOTHING: Spent = { tokens: 0, cost: 0 };

function monthOf(day: string): string {
	return day.slice(0, 7);
}

/** Reports name models as "anthropic/claude-sonnet-4-5", answers as "claude-sonnet-4-5". */
function withoutProvider(model: string): string {
	return model.slice(model.indexOf("/") + 1);
}

function spentIn(spending: Spending): Spent {
	return { tokens: tokensOf(spending), cost: spending.cost };
}

/** Adds up what sums over sessions consist of. */
export class SumsTally {
	readonly total = new Tally();
	readonly heads = new Tally();
	readonly projects = new Tally();
	readonly models = new Tally();
	readonly months = new Tally();
	readonly days = new Tally();
	readonly agents = new AgentTally();

	/** What all that a session has counts for, with the key there; `head`: the session that it is a run of, or itself. */
	ofSession(cwd: string, head: string): readonly (readonly [Tally, key: string])[] {
		return [
			[this.projects, projectKey(cwd)],
			[this.heads, head],
			[this.total, ""],
		];
	}

	/** What the work of a day counts for besides. */
	ofDay(day: string): readonly (readonly [Tally, key: string])[] {
		return [
			[this.months, monthOf(day)],
			[this.days, day],
		];
	}

	/** What the answers of a model on a day count for besides. */
	ofAnswers({
		model,
		day,
	}: {
		readonly model: string;
		readonly day: string;
	}): readonly (readonly [Tally, key: string])[] {
		return [[this.models, model], ...this.ofDay(day)];
	}

	/** The sums, with these numbers of sessions. */
	result(numbers: Pick<StatsSums, "sessions" | "runs" | "counted" | "unpriced">): StatsSums {
		const { bytes, tokens, cost, abandoned, workedMs } = this.total.lines()[0] ?? { ...NO_LINE, abandoned: NOTHING };
		return {
			...numbers,
			...{ bytes, tokens, cost, abandoned, workedMs },
			mostExpensive: mostExpensive(this.heads.lines()),
			projects: this.projects.lines().sort(byCost),
			models: this.models.lines().sort(byCost),
			months: this.months.lines().sort(byKey),
			days: this.days.lines().sort(byKey),
			agents: this.agents.lines(),
		};
	}
}

const NO_LINE = { sessions: 0, bytes: 0, tokens: 0, cost: 0, workedMs: 0 } as const;

/** Sessions that are told as the most expensive ones; the list, sorted by cost, has all. */
const MOST_EXPENSIVE = 10;

function mostExpensive(heads: readonly StatsLine[]): readonly StatsLine[] {
	return heads
		.filter(({ cost }) => cost > 0)
		.sort(byCost)
		.slice(0, MOST_EXPENSIVE);
}

/** Adds up what was spent, by project, model, … */
class Tally {
	readonly #lines = new Map<string, { -readonly [Part in keyof Omit<StatsLine, "key">]: StatsLine[Part] }>();

	has(key: string): boolean {
		return this.#lines.has(key);
	}

	addFile(key: string, bytes: number): void {
		const line = this.#line(key);
		line.sessions += 1;
		line.bytes += bytes;
	}

	addWork(key: string, ms: number): void {
		this.#line(key).workedMs += ms;
	}

	addLine({ key, sessions, bytes, tokens, cost, abandoned, workedMs }: StatsLine): void {
		const line = this.#line(key);
		line.sessions += sessions;
		line.bytes += bytes;
		line.workedMs += workedMs;
		this.addSpent(key, { tokens, cost });
		this.addAbandoned(key, abandoned);
	}

	addSpent(key: string, { tokens, cost }: Spent): void {
		const line = this.#line(key);
		line.tokens += tokens;
		line.cost += cost;
	}

	addAbandoned(key: string, spent: Spent): void {
		const line = this.#line(key);
		line.abandoned = addSpent(line.abandoned, spent);
	}

	lines(): StatsLine[] {
		return [...this.#lines].map(([key, line]) => {
			const { tokens, cost } = line.abandoned;
			return { key, ...line, cost: roundCost(line.cost), abandoned: { tokens, cost: roundCost(cost) } };
		});
	}

	#line(key: string) {
		let line = this.#lines.get(key);
		if (!line) {
			line = { ...NO_LINE, abandoned: { tokens: 0, cost: 0 } };
			this.#lines.set(key, line);
		}
		return line;
	}
}

function byKey(a: StatsLine, b: StatsLine): number {
	return a.key < b.key ? -1 : 1;
}

export function byCost(a: StatsLine, b: StatsLine): number {
	return b.cost - a.cost || b.tokens - a.tokens || (a.key < b.key ? -1 : 1);
}
