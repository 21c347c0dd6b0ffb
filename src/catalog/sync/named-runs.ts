import { runNameOf } from "../families/run-name.ts";
import type { CountedSessions } from "../model/counts.ts";
import type { SessionRow } from "../model/row.ts";

/** A run that a session tells of by the name of the run's session. */
interface NamedRun {
	readonly parent: string;
	readonly startedMs: number | undefined;
}

/** A session is made in the moment in which its run is started; clocks and queues differ by less. In milliseconds. */
export const MOST_LATER_MS = 10 * 60_000;

/**
 * Finds the sessions of runs that lie beside those of persons (`persist_session` of @tintinweb/pi-subagents 0.14.1): only the
 * session's name (`writer#8ec55da3`) and what the parent tells of the agent with that id say whose run it is.
 */
export class NamedRuns {
	/** The rows with such a name, by name, then by path. */
	readonly #rows = new Map<string, Map<string, SessionRow>>();
	/** These names, by path. */
	readonly #names = new Map<string, string>();
	/** The runs that are told of, by the name of their session. */
	readonly #runs = new Map<string, NamedRun>();

	/** The rows, those marked that are runs as far as known. */
	marked(rows: readonly SessionRow[]): readonly SessionRow[] {
		return rows.map((row) => {
			const name = nameOf(row);
			if (name !== this.#names.get(row.path)) this.#forgetRow(row.path);
			if (name === undefined) return row;
			this.#names.set(row.path, name);
			const same = this.#rows.get(name) ?? new Map<string, SessionRow>();
			this.#rows.set(name, same.set(row.path, row));
			return this.#mark(row, name);
		});
	}

	/** Learns what sessions tell of their runs; returns the rows that are now known to be runs, marked. */
	learn(counts: CountedSessions): readonly SessionRow[] {
		const found: SessionRow[] = [];
		for (const [parent, { runs }] of counts) {
			for (const { sessionName: name, startedMs } of runs ?? []) {
				// A fork tells the same of the runs of its parent.
				if (name === undefined || this.#runs.has(name)) continue;
				this.#runs.set(name, { parent, startedMs });
				for (const row of this.#rows.get(name)?.values() ?? []) {
					const marked = this.#mark(row, name);
					if (marked !== row) found.push(marked);
				}
			}
		}
		return found;
	}

	/** The rows with such a name of which nothing says that they are runs. */
	unexplained(): readonly SessionRow[] {
		const rows = [...this.#rows].flatMap(([name, same]) => [...same.values()].map((row) => ({ name, row })));
		return rows.flatMap(({ name, row }) => (this.#mark(row, name) === row ? [row] : []));
	}

	/** The sessions are gone. */
	forget(paths: readonly string[]): void {
		for (const path of paths) this.#forgetRow(path);
		const gone = new Set(paths);
		for (const [name, { parent }] of this.#runs) if (gone.has(parent)) this.#runs.delete(name);
	}

	#forgetRow(path: string): void {
		const name = this.#names.get(path);
		if (name === undefined) return;
		this.#names.delete(path);
		this.#rows.get(name)?.delete(path);
	}

	#mark(row: SessionRow, name: string): SessionRow {
		const run = this.#runs.get(name);
		if (run === undefined || run.parent === row.path) return row;
		const { parent, startedMs } = run;
		if (startedMs !== undefined && Math.abs(row.created.getTime() - startedMs) > MOST_LATER_MS) return row;
		return { ...row, run: { parent, runId: undefined, index: undefined, isFork: false } };
	}
}

/** Whether only what other sessions tell can say that this one is a run. */
export function mayBeNamedRun(row: SessionRow): boolean {
	return nameOf(row) !== undefined;
}

/** The name of a session that may be that of a run beside others. */
function nameOf({ name, run }: SessionRow): string | undefined {
	return name !== undefined && run === undefined && runNameOf(name)?.agentId !== undefined ? name.trim() : undefined;
}
