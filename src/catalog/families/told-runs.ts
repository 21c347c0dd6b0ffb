import { type RunSession, reportOn, runsOf } from "./run.ts";
import { runNameOf } from "./run-name.ts";
import type { RunReport } from "./run-report.ts";

/** The agent that worked in the session of a run; "" if nothing says it. `told`: what the session that asked for it tells. */
export function agentOf(session: RunSession, told: readonly RunReport[] = NOTHING_TOLD): string {
	return reportOn(session, told)?.agent || runNameOf(session.name ?? "")?.agent || "";
}

/** The agents of the runs that have no session (any more). `sessions`: those of the runs that do. */
export function agentsWithoutSession(
	reports: readonly RunReport[],
	sessions: readonly RunSession[] = [],
): readonly string[] {
	return runsOf(sessions, reports).flatMap(({ report, session }) =>
		session === undefined && report !== undefined ? [report.agent] : [],
	);
}

/** The agents of all runs, the one with most of them first. `told`: what sessions tell, each by itself. */
export function knownAgents(
	sessions: Iterable<Pick<RunSession, "name">>,
	told: Iterable<readonly RunReport[]>,
): readonly string[] {
	const counts = new Map<string, number>();
	const add = (agent: string): void => void counts.set(agent, (counts.get(agent) ?? 0) + 1);
	for (const reports of told) for (const { agent } of reports) add(agent);
	for (const { name = "" } of sessions) add(runNameOf(name)?.agent ?? "");
	counts.delete("");
	return [...counts]
		.sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
		.map(([agent]) => agent);
}

const NOTHING_TOLD: readonly RunReport[] = [];
