import { agentIn, type RunSession, reportOn } from "./run.ts";
import type { RunReport } from "./run-report.ts";

/** The agent that worked in the session of a run; "" if it is not known. `reports`: those of its parent. */
export function agentOf(session: RunSession, reports: readonly RunReport[] = NO_REPORTS): string {
	return reportOn(session, reports)?.agent || agentIn(session);
}

/** What a run was asked, in one line; "" if it is not known. `reports`: those of its parent. */
export function taskOf(session: RunSession, reports: readonly RunReport[] = NO_REPORTS): string {
	return reportOn(session, reports)?.task || (session.run?.task ?? "");
}

/** The agents of all runs, the one with most runs first. `reported`: the reports of each session. */
export function knownAgents(
	sessions: Iterable<RunSession>,
	reported: Iterable<readonly RunReport[]>,
): readonly string[] {
	const counts = new Map<string, number>();
	const add = (agent: string): void => void counts.set(agent, (counts.get(agent) ?? 0) + 1);
	for (const reports of reported) for (const { agent } of reports) add(agent);
	for (const session of sessions) add(agentIn(session));
	counts.delete("");
	return [...counts]
		.sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1))
		.map(([agent]) => agent);
}

const NO_REPORTS: readonly RunReport[] = [];
