import type { LiveEvidence, LiveReport } from "../../catalog/model/live.ts";
import type { Host } from "./state/host.ts";

/**
 * What is in use, with what the pi that started the browser says of itself in place of what could be seen of it: it has the
 * session that is open there, and no other one.
 */
export function liveWithHost(report: LiveReport, host: Host | undefined): LiveReport {
	if (host === undefined) return report;
	const { pid, open } = host;
	const startedMs = report.pis.find((pi) => pi.pid === pid)?.startedMs ?? 0;
	const isOfOthers = (one: LiveEvidence): boolean => !("pid" in one) || one.pid !== pid;
	const sessions = new Map<string, readonly LiveEvidence[]>();
	for (const [path, all] of report.sessions) {
		const others = all.filter(isOfOthers);
		if (others.length > 0) sessions.set(path, others);
	}
	if (open.path !== undefined)
		sessions.set(open.path, [{ kind: "host", pid, startedMs }, ...(sessions.get(open.path) ?? [])]);
	return { sessions, pis: report.pis.filter((pi) => pi.pid !== pid) };
}
