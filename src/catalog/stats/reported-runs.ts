import type { Spent } from "../branches/branch-tracker.ts";
import { joinReports } from "../families/join-reports.ts";
import type { RunReport } from "../families/run-report.ts";
import type { ReportedTogether, SessionCounts } from "../model/counts.ts";
import { isMore } from "./family-cost.ts";

/** UTF-16 units kept of the task of a run, and of the reason why it failed: a list shows the beginning. */
const KEPT_LENGTH = 200;

/** Gathers what the entries of a session report of its runs, and the usage that they report for them. */
export class ReportedRuns {
	/** In the order of their entries: of a run there may be several. */
	readonly #reports: RunReport[] = [];
	/** The usage that was reported for several runs together. */
	readonly #together: ReportedTogether[] = [];

	/** `spent`: the usage that the entry reports for its runs; if there is only one, that run has used at least as much. */
	add(reports: readonly RunReport[], spent: Spent | undefined): void {
		const named = reports.filter(isNamed);
		const [only] = named.length === 1 ? named : [];
		for (const report of reports)
			this.#reports.push(shortened(report === only && spent ? withAtLeast(report, spent) : report));
		if (spent && named.length > 1) this.#together.push({ ...spent, keys: named.map(({ key }) => key) });
	}

	/** The runs, and the usage reported for several together that exceeds what is known of each. */
	counts(): Pick<SessionCounts, "runs" | "reported"> {
		if (this.#reports.length === 0) return {};
		const runs = joinReports(this.#reports);
		const costs = new Map(runs.map(({ key, cost = 0 }) => [key, cost]));
		const costOf = (keys: readonly string[]): number =>
			[...new Set(keys)].reduce((sum, key) => sum + (costs.get(key) ?? 0), 0);
		const reported = this.#together.filter(({ cost, keys }) => isMore(cost, costOf(keys)));
		return { runs, reported: reported.length === 0 ? undefined : reported };
	}
}

/** Whether the usage of an entry with these reports is that of the runs, and not its own. */
export function isUsageOfRuns(reports: readonly RunReport[]): boolean {
	return reports.some(isNamed);
}

/** Whether a report names its run. An answer that starts runs does not, and its usage is its own. */
function isNamed({ callId, isUnnamed }: RunReport): boolean {
	return !(isUnnamed && callId !== undefined);
}

function withAtLeast(report: RunReport, { tokens, cost }: Spent): RunReport {
	return { ...report, tokens: Math.max(report.tokens ?? 0, tokens), cost: Math.max(report.cost ?? 0, cost) };
}

function shortened({ task, error, ...report }: RunReport): RunReport {
	const cut = task.slice(0, KEPT_LENGTH);
	return { ...report, task: cut, ...(error !== undefined && { error: error.slice(0, KEPT_LENGTH) }) };
}
