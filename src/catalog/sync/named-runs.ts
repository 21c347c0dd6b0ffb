import { isAbsolute } from "node:path";
import { keysOfReport, keysOfSession } from "../families/run.ts";
import { runNameOf } from "../families/run-name.ts";
import type { RunReport } from "../families/run-report.ts";
import type { CountedSessions } from "../model/counts.ts";
import type { SessionRow } from "../model/row.ts";

/** A run that a session tells of. */
interface ToldRun {
	readonly parent: string;
	readonly startedMs: number | undefined;
}

/** What has been found out from what sessions tell. */
interface Learned {
	/** The rows that are now known to be runs, or to be those of other sessions, marked. */
	readonly rows: readonly SessionRow[];
	/** Session files of runs that are not among the rows, and may be anywhere, or gone. */
	readonly files: readonly string[];
}

/** A session is made in the moment in which its run is started; clocks and queues differ by less. In milliseconds. */
export const MOST_LATER_MS = 10 * 60_000;

/**
 * Finds whose run a session is where its path does not say it: those beside the sessions of persons (`persist_session` of
 * @tintinweb/pi-subagents 0.14.1), in directories that were configured for runs, and elsewhere. What the parent tells of the
 * run's file, id or name decides. Of several that tell of the same run, which forks of the parent do, too, it is the one that was
 * begun first.
 */
export class NamedRuns {
	/** All rows as they were found, by path. */
	readonly #rows = new Map<string, SessionRow>();
	/** Their paths, by id. */
	readonly #ids = new Map<string, string>();
	/** Those whose name, or place, is that of a run of unknown origin, by path. */
	readonly #likely = new Map<string, SessionRow>();
	/** What is told, by all that the session of the run may be recognized by. */
	readonly #told = new Map<string, ToldRun>();

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

	/** Learns what sessions tell of their runs. */
	learn(counts: CountedSessions): Learned {
		const concerned = new Set<SessionRow>();
		const files = new Set<string>();
		const others = new Set<string>();
		for (const [parent, { runs }] of counts) {
			for (const report of runs ?? []) {
				const { file } = report;
				if (file !== undefined && isAbsolute(file) && !this.#rows.has(file)) files.add(file);
				for (const key of keysOfReport(report)) {
					if (!this.#note(key, { parent, startedMs: report.startedMs })) continue;
					const row = this.#rowOf(key, report);
					if (row) concerned.add(row);
					else others.add(key);
				}
			}
		}
		if (others.size > 0)
			for (const row of this.#likely.values())
				if (keysOfSession(row).some((key) => others.has(key))) concerned.add(row);
		const found = [...concerned].map((row) => ({ row, marked: this.#mark(row) }));
		return { rows: found.filter(({ row, marked }) => marked !== row).map(({ marked }) => marked), files: [...files] };
	}

	/** The rows that may be runs, of which nothing says whose. */
	unexplained(): readonly SessionRow[] {
		return [...this.#likely.values()].filter((row) => this.#mark(row) === row);
	}

	/** The sessions are gone. */
	forget(paths: readonly string[]): void {
		for (const path of paths) {
			const id = this.#rows.get(path)?.id;
			if (id !== undefined && this.#ids.get(id) === path) this.#ids.delete(id);
			this.#rows.delete(path);
			this.#likely.delete(path);
		}
		const gone = new Set(paths);
		for (const [key, { parent }] of this.#told) if (gone.has(parent)) this.#told.delete(key);
	}

	/** Returns whether it is news. */
	#note(key: string, told: ToldRun): boolean {
		const before = this.#told.get(key);
		if (before !== undefined && (before.parent === told.parent || !this.#isBefore(told.parent, before.parent)))
			return false;
		this.#told.set(key, told);
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
		// The path says whose run it is.
		if (row.run?.parent !== undefined) return row;
		const told = keysOfSession(row)
			.map((key) => ({ key, run: this.#told.get(key) }))
			.find(({ key, run }) => run !== undefined && run.parent !== row.path && !isOther(row, key, run));
		if (told?.run === undefined) return row;
		const place = row.run ?? { runId: undefined, index: undefined, isFork: false };
		return { ...row, run: { ...place, parent: told.run.parent } };
	}
}

/** Whether a session of this name was begun at another time than the run: a person may have given it that name. */
function isOther({ name, created }: SessionRow, key: string, { startedMs }: ToldRun): boolean {
	return key === name?.trim() && startedMs !== undefined && Math.abs(created.getTime() - startedMs) > MOST_LATER_MS;
}

/** Whether a session may be a run of which only its name, or the id of the run, is told. */
export function mayBeRun({ name, run }: SessionRow): boolean {
	return run === undefined ? name !== undefined && runNameOf(name) !== undefined : run.parent === undefined;
}
