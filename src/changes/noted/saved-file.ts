import { join } from "node:path";
import { defaultStateDir } from "../../catalog/model/session-roots.ts";
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
	/** The current saved queries. Never throws: what cannot be read is listed as a problem. */
	read(): ReadSaved;
	/** Calls `listener` after each change by any window. */
	watch(listener: (now: ReadSaved) => void): void;
}

export function savedPath(env: Readonly<Record<string, string | undefined>>, home: string): string {
	return join(defaultStateDir(env, home), "queries.jsonl");
}

/** Opens the file; nothing is created on disk before the first change. */
export function openSavedFile(path: string): SavedFile {
	const file = openNotedFile<SavedChange, SavedQueries>(path, {
		what: "the saved queries",
		missing: "a saved query",
		none: NO_SAVED,
		isChange: isSavedChange,
		apply: (changes) => applySaved(NO_SAVED, changes),
		inverted: (changes, before, now) => invertedSaved(changes, before(), now),
	});
	const asSaved = ({ content, problems }: ReturnType<typeof file.read>): ReadSaved => ({ saved: content, problems });
	return {
		...file,
		read: () => asSaved(file.read()),
		watch: (listener) => file.watch((now) => listener(asSaved(now))),
	};
}
