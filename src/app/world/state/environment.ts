import type { CatalogProblem } from "../../../catalog/model/event.ts";
import type { LiveEvidence, LiveReport } from "../../../catalog/model/live.ts";
import type { TreeFilter } from "../../../conversation/tree/tree-filter.ts";
import type { Binding } from "./binding.ts";
import type { OpenInHost } from "./choice.ts";

/** Facts about this run, none of which change except `host`. */
export interface Environment {
	/** The person's home directory, for "~". */
	readonly home: string;
	/** Where the program was started: the "here" scope, and where forks go. */
	readonly cwd: string;
	/** Where files are saved that the person asks for. @default `cwd` */
	readonly savesTo?: string;
	/** Root of the repository of `cwd`, if any: the "repo" scope. */
	readonly repo?: string | undefined;
	/** Path of the session whose tree is open at the start. */
	readonly open?: string | undefined;
	/** The pi that started the browser, if any; it carries out the choice. */
	readonly host?: Host | undefined;
	/** Whether a session or an entry is chosen for a shell, instead of starting pi. */
	readonly picks?: true | undefined;
	/** The query of the list at the start. */
	readonly query?: string | undefined;
	/** The only project listed at the start. */
	readonly project?: string | undefined;
	/** Whether only sessions with a name are listed at the start. */
	readonly namedOnly?: boolean | undefined;
	/** Whether this terminal is a pane of tmux. */
	readonly tmux?: boolean | undefined;
	/** Whether the built-in demo collection is shown. */
	readonly demo: boolean;
	/** Whether the tour through the demo begins by itself. */
	readonly tour?: boolean;
	/** The directory that contains all sessions. */
	readonly root?: string | undefined;
	/** The person's own directory of sessions, for display, if the demo is shown because it is empty. */
	readonly empty?: string | undefined;
	/** The keymap with the person's own keys. */
	readonly keymap: readonly Binding[];
	/** The filter that trees begin with; default: pi's "default". */
	readonly treeFilter?: TreeFilter | undefined;
	/** Problems found before the start, such as unreadable settings. */
	readonly problems: readonly CatalogProblem[];
}

/** The pi that started the browser, as it last reported. */
export interface Host {
	/** Its version. */
	readonly pi: string;
	readonly pid: number;
	/** The session that is open there. */
	readonly open: OpenInHost;
	/** Whether a turn is running there. */
	readonly busy: boolean;
	/** Time of that report, Unix ms. */
	readonly reportedMs: number;
}

/** The part of it that changes while the browser runs. */
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
		const others = all.filter(isOfOther);
		if (others.length > 0) sessions.set(path, others);
	}
	if (open.path !== undefined)
		sessions.set(open.path, [{ kind: "host", pid, startedMs }, ...(sessions.get(open.path) ?? [])]);
	return { sessions, pis: report.pis.filter((pi) => pi.pid !== pid) };
}

/** Whether a session is open in the pi that started the browser. */
export function isOpenInHost(
	{ environment: { host } }: { readonly environment: Pick<Environment, "host"> },
	path: string,
): boolean {
	return host?.open.path === path;
}
