import { join } from "node:path";
import { defaultStateDir } from "../../catalog/model/state-dir.ts";
import { type NotedFile, openNotedFile } from "./noted-file.ts";
import {
	applySaved,
	invertedSaved,
	isSavedChange,
	NO_SAVED,
	type ReadSaved,
	type SavedChange,
	type SavedQueries,
} from "./saved-queries.ts";

/** The saved queries of a person. */
export interface SavedFile extends Omit<NotedFile<SavedChange, SavedQueries>, "read" | "content" | "watch"> {
	/** What is saved now. Never throws: what cannot be read is among its problems. */
	read(): ReadSaved;
	/** Calls `listener` after each change, of any window. */
	watch(listener: (now: ReadSaved) => void): void;
}

export function savedPath(env: Readonly<Record<string, string | undefined>>, home: string): string {
	return join(defaultStateDir(env, home), "queries.jsonl");
}

/** Opens the file; nothing is made on the disk before the first change. */
export function openSavedFile(path: string): SavedFile {
	const file = openNotedFile<SavedChange, SavedQueries>(path, {
		what: "the saved queries",
		missing: "a saved query",
		none: NO_SAVED,
		isChange: isSavedChange,
		apply: (changes) => applySaved(NO_SAVED, changes),
		inverted: (changes, before, now) => invertedSaved(changes, before(), now),
	});
	const told = ({ content, problems }: ReturnType<typeof file.read>): ReadSaved => ({ saved: content, problems });
	return { ...file, read: () => told(file.read()), watch: (listener) => file.watch((now) => listener(told(now))) };
}
