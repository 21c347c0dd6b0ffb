import type { SessionRow } from "../../catalog/model/row.ts";
import { scanFile } from "../../catalog/scan/scan-file.ts";
import { filePaths } from "../../edits/file-paths.ts";
import { runToEnd } from "../../shared/steps.ts";
import { SESSION_ACTIONS } from "../../store/actions/session-actions.ts";
import { type Examination, examineSteps } from "../../store/doctor/examine-session.ts";
import { planRepair, repairBeside } from "../../store/doctor/repair-session.ts";
import { readHead } from "../../store/doctor/session-head.ts";
import { type ContainedSessions, findContained } from "../../store/duplicates/contained-sessions.ts";
import { readSessionSync } from "../../store/read/read-session.ts";

/** What the store's thread can do: all that is done to a session, reading what the list would show of a file, the doctor. */
export const WORKER_ACTIONS = {
	...SESSION_ACTIONS,
	scanRow,
	compareFamily,
	examineSession,
	readHead,
	planRepair,
	repairBeside,
	touchedFiles,
};

/** What the list would show of a file, wherever it is. */
function scanRow(path: string): SessionRow {
	return scanFile(path).row;
}

/** Which of these sessions stand wholly in another one of them. The first one is what a failure is known by. */
function compareFamily(_first: string, paths: readonly string[]): readonly ContainedSessions[] {
	return findContained(paths);
}

/** The files that a session was told to read, edit or write, by absolute path. */
function touchedFiles(path: string, home: string): readonly string[] {
	return [...filePaths(readSessionSync(path), home)];
}

function examineSession(path: string): Examination {
	return runToEnd(examineSteps(path));
}
