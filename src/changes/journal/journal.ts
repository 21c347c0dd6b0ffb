import { randomUUID } from "node:crypto";
import { processMark } from "../../catalog/live/processes.ts";
import { defaultStateDir } from "../../catalog/model/session-roots.ts";
import { join } from "../../shared/paths.ts";
import type { Env } from "../../shared/system.ts";
import { appendWholeLine } from "../../store/files/append-line.ts";
import { explain } from "../../store/files/store-error.ts";
import type { Group, ProgramRun } from "../kinds/change.ts";
import type { UndoneBy } from "../kinds/kind.ts";
import type { Plan, Undo } from "../kinds/kinds.ts";
import type { HowOver, JournalLine } from "./journal-schema.ts";

/**
 * Records the changes made to the sessions under one root, so that they can be undone even after a crash or a restart. All
 * runs of the program write to one file of JSON lines in `$XDG_STATE_HOME/pi-grove` (by default `~/.local/state/pi-grove`),
 * which `HistoryReader` reads. All methods reject with an `Error` that says what cannot be written, and why.
 */
export interface Journal {
	readonly run: ProgramRun;
	/** Records that a change is about to be made, alone or as one of a group; resolves to its id. `of`: as in `Change`. */
	begin(what: string, plan: Plan, group?: Group, of?: string): Promise<string>;
	/** Records that it was made, how to undo it, and the id of the entry that it appended, if any. */
	done(id: string, undo: Undo, entryId?: string): Promise<void>;
	/** Records that it was not made. */
	discard(id: string): Promise<void>;
	undone(id: string, by?: UndoneBy): Promise<void>;
}

export interface JournalOptions {
	readonly path: string;
	/** The directory that contains all sessions of the list. */
	readonly root: string;
	/** @default this process */
	readonly run?: ProgramRun;
}

export function journalPath(env: Env, home: string): string {
	return join(defaultStateDir(env, home), "journal.jsonl");
}

/** Opens the journal; nothing is created on disk before the first change. */
export function openJournal({ path, root, run = thisRun() }: JournalOptions): Journal {
	async function write(line: JournalLine): Promise<void> {
		try {
			appendWholeLine(path, JSON.stringify(line));
		} catch (error) {
			throw new Error(`the undo journal cannot be written: ${explain(error)}. Path: ${path}`, { cause: error });
		}
	}
	let marked: ProgramRun | undefined;
	const over = (id: string, how: HowOver, by: object = {}): Promise<void> =>
		write({ step: "over", id, at: new Date().toISOString(), how, ...by });
	return {
		run,
		async begin(what, plan, group, of) {
			const id = randomUUID();
			// Not before the first change: most runs make none.
			marked ??= { ...run, mark: processMark(run.pid) };
			await write({ step: "begin", id, at: new Date().toISOString(), what, root, run: marked, plan, group, of });
			return id;
		},
		done: (id, undo, entryId) => write({ step: "done", id, undo, entryId }),
		discard: (id) => over(id, "not-made"),
		undone: (id, by = {}) => over(id, "undone", by),
	};
}

/** Read when a journal is opened: a process that runs several command lines changes its time of origin for each. */
function thisRun(): ProgramRun {
	return { pid: process.pid, start: Math.round(performance.timeOrigin) };
}
