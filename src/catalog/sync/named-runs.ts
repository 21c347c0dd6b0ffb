import { isAbsolute, projectKey } from "../../shared/paths.ts";
import { keysOfReport, keysOfSession } from "../families/run.ts";
import { runNameOf } from "../families/run-name.ts";
import type { RunReport } from "../families/run-report.ts";
import { fitOf, type StartedPi } from "../families/started-pi.ts";
import type { CountedSessions } from "../model/counts.ts";
import type { SessionRow } from "../model/row.ts";
import { familyDirectory } from "../model/run-place.ts";

interface ReportedRun {
	readonly parent: string;
	readonly startedMs: number | undefined;
}

interface LearnedRuns {
	/** The rows that are now known to be runs, or to be those of other sessions, marked. */
	readonly rows: readonly SessionRow[];
	/** Session files of runs that are not among the rows, and may be anywhere, or gone. */
	readonly files: readonly string[];
}

/** A session is made in the moment in which its run is started; clocks and queues differ by less. In milliseconds. */
const MOST_LATER_MS = 10 * 60_000;

/**
 * Finds the parents of runs whose paths do not name them: sessions beside those of persons (`persist_session` of
 * @tintinweb/pi-subagents 0.14.1), in directories configured for runs, and elsewhere. The file, the id or the name in a report
 * of the parent decides; for a pi that a command started, directory, time and prompt. If several sessions report the same run, as copies of the parent do, the one that was begun first is the
 * parent.
 */
export class NamedRuns {
	/** All rows as they were found, by path. */
	readonly #rows = new Map<string, SessionRow>();
	/** Their paths, by id. */
	readonly #ids = new Map<string, string>();
	/** Those whose name, or place, is that of a run of unknown origin, by path. */
	readonly #likely = new Map<string, SessionRow>();
	/** Reported runs, by every key that may identify the session of the run. */
	readonly #reported = new Map<string, ReportedRun>();
	/** The commands that start pi, by the path of their session. */
	readonly #started = new Map<string, readonly StartedPi[]>();

	/** The rows, those marked that are runs as far as known. */
	marked(rows: readonly SessionRow[]): readonly SessionRow[] {
		return rows.map((row) => {
			this.#rows.set(row.path, row);
			this.#ids.set(row.id, row.path);
			if (mayBeRun(row)) this.#likely.set(row.path, row);
			else this.#likely.delete(row.path);
			return this.#mark(row);
		});
	}

	learn(counts: CountedSessions): LearnedRuns {
		const concerned = new Set<SessionRow>();
		const files = new Set<string>();
		const otherKeys = new Set<string>();
		const directories = new Set<string>();
		for (const [parent, { runs, started = [] }] of counts) {
			if (JSON.stringify(started) !== JSON.stringify(this.#started.get(parent) ?? [])) {
				this.#started.set(parent, started);
				for (const { directory } of started) directories.add(projectKey(directory));
			}
			for (const report of runs ?? []) {
				const { file } = report;
				if (file !== undefined && isAbsolute(file) && !this.#isListed(file, parent)) files.add(file);
				for (const key of keysOfReport(report)) {
					if (!this.#note(key, { parent, startedMs: report.startedMs })) continue;
					const row = this.#rowOf(key, report);
					if (row) concerned.add(row);
					else otherKeys.add(key);
				}
			}
		}
		if (directories.size > 0)
			for (const row of this.#rows.values()) if (directories.has(projectKey(row.cwd))) concerned.add(row);
		if (otherKeys.size > 0)
			for (const row of this.#likely.values())
				if (keysOfSession(row).some((key) => otherKeys.has(key))) concerned.add(row);
		const markedRows = [...concerned].map((row) => ({ row, marked: this.#mark(row) }));
		return {
			rows: markedRows.filter(({ row, marked }) => marked !== row).map(({ marked }) => marked),
			files: [...files],
		};
	}

	forget(paths: readonly string[]): void {
		for (const path of paths) {
			const id = this.#rows.get(path)?.id;
			if (id !== undefined && this.#ids.get(id) === path) this.#ids.delete(id);
			this.#rows.delete(path);
			this.#likely.delete(path);
			this.#started.delete(path);
		}
		const lostPaths = new Set(paths);
		for (const [key, { parent }] of this.#reported) if (lostPaths.has(parent)) this.#reported.delete(key);
	}

	/** Whether a reported file is listed, there or beside the session that reports it: both may have been copied together. */
	#isListed(file: string, parent: string): boolean {
		if (this.#rows.has(file)) return true;
		const directory = familyDirectory(parent);
		const name = directory.slice(Math.max(directory.lastIndexOf("/"), directory.lastIndexOf("\\")));
		const at = file.lastIndexOf(name + file.charAt(0)) + name.length;
		return at >= name.length && this.#rows.has(directory + file.slice(at));
	}

	/** Returns whether it was not known. */
	#note(key: string, run: ReportedRun): boolean {
		const earlier = this.#reported.get(key);
		if (earlier !== undefined && (earlier.parent === run.parent || !this.#isBefore(run.parent, earlier.parent)))
			return false;
		this.#reported.set(key, run);
		return true;
	}

	#isBefore(path: string, other: string): boolean {
		const [one, two] = [this.#rows.get(path), this.#rows.get(other)];
		return one !== undefined && (two === undefined || one.created.getTime() < two.created.getTime());
	}

	#rowOf(key: string, { file, sessionId }: RunReport): SessionRow | undefined {
		if (key === file) return this.#rows.get(file);
		return key === sessionId ? this.#rows.get(this.#ids.get(sessionId) ?? "") : undefined;
	}

	#mark(row: SessionRow): SessionRow {
		// The path names the parent.
		if (row.run?.parent !== undefined) return row;
		const match = keysOfSession(row)
			.map((key) => ({ key, run: this.#reported.get(key) }))
			.find(({ key, run }) => run !== undefined && run.parent !== row.path && !isOther(row, key, run));
		const parent = match?.run?.parent ?? this.#starterOf(row);
		if (parent === undefined) return row;
		const place = row.run ?? { runId: undefined, index: undefined, isFork: false };
		return { ...row, run: { ...place, parent } };
	}

	/** The one session that has started the pi of this session by a command; undefined for none, and where several may have. */
	#starterOf(row: SessionRow): string | undefined {
		if (this.#started.size === 0 || row.parentSession) return undefined;
		const starters = { said: new Set<string>(), ended: new Set<string>() };
		for (const [path, all] of this.#started)
			for (const pi of all) {
				const fit = path === row.path || projectKey(pi.directory) !== projectKey(row.cwd) ? undefined : fitOf(row, pi);
				if (fit !== undefined) starters[fit].add(path);
			}
		const [only, other] = starters.said.size > 0 ? starters.said : starters.ended;
		return other === undefined ? only : undefined;
	}
}

/** Whether a session of this name was begun at another time than the run: a person may have given it that name. */
function isOther({ name, created }: SessionRow, key: string, { startedMs }: ReportedRun): boolean {
	return key === name?.trim() && startedMs !== undefined && Math.abs(created.getTime() - startedMs) > MOST_LATER_MS;
}

/** Whether only the counts of other sessions say whether a session, or one that it tells of, is a run. */
export function needsReports(row: SessionRow): boolean {
	return mayBeRun(row) || row.tells === true;
}

/** Whether a session may be a run whose parent its path does not say. */
export function mayBeRun({ name, run }: SessionRow): boolean {
	return run === undefined ? name !== undefined && runNameOf(name) !== undefined : run.parent === undefined;
}
