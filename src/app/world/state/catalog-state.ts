import type { SessionCounts } from "../../../catalog/model/counts.ts";
import type { CatalogProblem, PlaceState } from "../../../catalog/model/event.ts";
import type { LiveEvidence, LiveReport } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { OpenInHost } from "./choice.ts";

/** The pi that started the browser, as it last reported. */
export interface Host {
	/** Its version. */
	readonly pi: string;
	readonly pid: number;
	readonly open: OpenInHost;
	readonly busy: boolean;
	/** Time of that report, Unix ms. */
	readonly reportedMs: number;
}

/** The part that changes while the browser runs. */
export type HostNow = Pick<Host, "open" | "busy" | "reportedMs">;

/**
 * What is in use, with the report of the pi that started the browser instead of the evidence found about it: that pi has
 * the session that is open there, and no other one.
 */
export function liveWithHost(report: LiveReport, host: Host | undefined): LiveReport {
	if (host === undefined) return report;
	const { pid, open } = host;
	const startedMs = report.pis.find((pi) => pi.pid === pid)?.startedMs ?? 0;
	const isOfOther = (evidence: LiveEvidence): boolean => !("pid" in evidence) || evidence.pid !== pid;
	const sessions = new Map<string, readonly LiveEvidence[]>();
	for (const [path, all] of report.sessions) {
		const otherEvidence = all.filter(isOfOther);
		if (otherEvidence.length > 0) sessions.set(path, otherEvidence);
	}
	if (open.path !== undefined)
		sessions.set(open.path, [{ kind: "host", pid, startedMs }, ...(sessions.get(open.path) ?? [])]);
	return { sessions, pis: report.pis.filter((pi) => pi.pid !== pid) };
}

export function isOpenInHost(
	{ environment: { host } }: { readonly environment: { readonly host?: Host | undefined } },
	path: string,
): boolean {
	return host?.open.path === path;
}

export interface CatalogState {
	/** The sessions on this machine and, while the list includes them, of other places. */
	readonly rows: ReadonlyMap<string, SessionRow>;
	/** Sessions on this machine; the same object as `rows` while the list has no other places. */
	readonly here: ReadonlyMap<string, SessionRow>;
	/** Sessions of other places; their paths begin with the name of the place. */
	readonly elsewhere: ReadonlyMap<string, SessionRow>;
	readonly places: readonly PlaceState[];
	/** Counts of the sessions, by path, as far as they are known. */
	readonly counts: ReadonlyMap<string, SessionCounts>;
	/** Number of sessions in the index at the start; shown as the total until all their rows are here. */
	readonly known: number;
	readonly read: number;
	readonly total: number;
	/** Whether everything found at the start has been read. */
	readonly complete: boolean;
	/** Number of the `countable` sessions that have been counted: tokens, cost, sizes, damage. */
	readonly counted: number;
	readonly countable: number;
	readonly problems: readonly CatalogProblem[];
	readonly live: LiveReport;
}

/** What Git's files say about the directories of sessions. */
export interface GitFacts {
	/**
	 * The directories of the repository in which the program was started, the one that it is named by first; undefined until they are
	 * known, or if there is none.
	 */
	readonly repository: readonly string[] | undefined;
	/** The branch of each directory whose branch was read; "" for none. */
	readonly branches: ReadonlyMap<string, string>;
}
