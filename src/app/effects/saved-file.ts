import { join } from "node:path";
import { defaultStateDir } from "../../catalog/model/state-dir.ts";
import { printSavedLine, type ReadSaved, readSavedText, savedLines } from "../saved/saved-lines.ts";
import { applySaved, invertedSaved, NO_SAVED, type SavedChange } from "../saved/saved-queries.ts";
import { type LinesFile, openLinesFile } from "./lines-file.ts";
import { newToken } from "./marks-file.ts";
import { messageOf } from "./reason.ts";
import { capital } from "./undo-questions.ts";

/** The saved queries of a person, in one file of JSON lines. Lines that are damaged or of a newer version stay. */
export interface SavedFile {
	/** What is saved now. Never throws: what cannot be read is among its problems. */
	read(): ReadSaved;
	/** Notes changes under a name of their own (`newToken`). Throws an `Error`; nothing is noted then. */
	append(token: string, changes: readonly SavedChange[]): void;
	/** Whether changes were noted under this name. Throws an `Error` when the file cannot be read. */
	has(token: string): boolean;
	/** Takes back what was noted under a name, except for what others have changed since. */
	takeBack(token: string): void;
	/** Calls `listener` after each change, of any window. */
	watch(listener: (now: ReadSaved) => void): void;
	close(): void;
}

const WHAT = "the saved queries";

export function savedPath(env: Readonly<Record<string, string | undefined>>, home: string): string {
	return join(defaultStateDir(env, home), "queries.jsonl");
}

/** Opens the file; nothing is made on the disk before the first change. */
export function openSavedFile(path: string): SavedFile {
	const file = openLinesFile(path, WHAT);
	const append = (token: string, changes: readonly SavedChange[]): void =>
		file.append(printSavedLine({ token, changes }));
	return {
		read: () => readFrom(file, path),
		append,
		has: (token) => savedLines(file.text()).some((line) => line.token === token),
		takeBack(token) {
			const lines = savedLines(file.text());
			const at = lines.findIndex((line) => line.token === token);
			const before = applySaved(
				NO_SAVED,
				lines.slice(0, Math.max(0, at)).flatMap((line) => line.changes),
			);
			const now = applySaved(
				NO_SAVED,
				lines.flatMap((line) => line.changes),
			);
			const changes = invertedSaved(lines[at]?.changes ?? [], before, now);
			if (changes.length > 0) append(newToken(), changes);
		},
		watch: (listener) => file.watch(() => listener(readFrom(file, path))),
		close: () => file.close(),
	};
}

function readFrom(file: LinesFile, path: string): ReadSaved {
	try {
		return readSavedText(file.text(), path);
	} catch (error) {
		return { saved: NO_SAVED, problems: [`${capital(messageOf(error))}.`] };
	}
}
