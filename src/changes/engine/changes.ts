import { rootOf } from "../../catalog/model/session-roots.ts";
import { dirname } from "../../shared/paths.ts";
import type { Answer } from "../answer.ts";
import { sweepUnfinished } from "../checkout/unfinished.ts";
import { sweepReplacements } from "../files/replace-files.ts";
import { createHistoryReader, type HistoryReader } from "../journal/history-reader.ts";
import { openJournal } from "../journal/journal.ts";
import type { ProgramRun } from "../kinds/change.ts";
import type { Outlook } from "../kinds/kind.ts";
import type { ChangeRequest, SessionsRequest } from "../kinds/kinds.ts";
import type { NotedChange } from "../kinds/sessions-kind.ts";
import type { SavedFile } from "../noted/saved-queries.ts";
import { changeSessions } from "./change-sessions.ts";
import { makeChange } from "./make-change.ts";
import { outlooksOf } from "./outlooks.ts";
import { type RedoRequest, redoChosen } from "./redo.ts";
import { type RestoreAllRequest, restoreAll } from "./restore-all.ts";
import type { ChangesTools } from "./tools.ts";
import { createUndo, type NextSteps, nextSteps } from "./undo.ts";
import type { UndoRequest } from "./undo-questions.ts";

/** Makes changes, undoes them and makes them again; each is noted in the journal. All of them reject with a `CannotError`. */
export interface ChangesEngine {
	make(request: ChangeRequest): Promise<NotedChange>;
	changeSessions(request: SessionsRequest): Promise<Answer>;
	restoreAll(request: RestoreAllRequest): Promise<Answer<RestoreAllRequest>>;
	/** Undoes the last step, or the chosen changes unless others depend on them. */
	undo(request: UndoRequest): Promise<Answer<UndoRequest>>;
	redo(request: RedoRequest): Promise<Answer<RedoRequest>>;
	nextSteps(): Promise<NextSteps>;
	/** What stands in the way of undoing these changes, or of making those again that were undone; by id. Changes nothing. */
	outlooksOf(ids: readonly string[]): Promise<Map<string, Outlook>>;
}

export interface ChangeJournal extends ChangesEngine {
	readonly history: HistoryReader;
	readonly saved: SavedFile;
}

interface ChangeJournalOptions extends Omit<ChangesTools, "journal" | "history" | "stateDir"> {
	readonly path: string;
	/** Which run of the program this is; default: this process. */
	readonly run?: ProgramRun | undefined;
}

/**
 * Opens the journal; nothing is made on the disk before the first change. Directories that a killed run has not finished making or removing
 * are removed meanwhile, and files that it was replacing are put back.
 */
export function openChangeJournal({ path, run, ...tools }: ChangeJournalOptions): ChangeJournal {
	const root = rootOf(tools.sessionRoots);
	const journal = openJournal({ path, root, ...(run && { run }) });
	const history = createHistoryReader(path, root, journal.run);
	const stateDir = dirname(path);
	void sweepUnfinished(stateDir);
	void sweepReplacements(stateDir);
	return { ...createChanges({ ...tools, journal, history, stateDir }), history, saved: tools.saved };
}

export function createChanges(tools: ChangesTools): ChangesEngine {
	return {
		undo: createUndo(tools),
		make: (request) => makeChange(request, tools),
		changeSessions: (request) => changeSessions(request, tools),
		restoreAll: (request) => restoreAll(request, tools),
		redo: (request) => redoChosen(request, tools),
		nextSteps: () => nextSteps(tools),
		outlooksOf: (ids) => outlooksOf(ids, { ...tools, store: tools.readThread }),
	};
}
