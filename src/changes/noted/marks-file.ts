import { join } from "node:path";
import { defaultStateDir } from "../../catalog/model/session-roots.ts";
import {
	applyChanges,
	inverted,
	isMarkChange,
	type MarkChange,
	type Marks,
	NO_MARKS,
	type ReadMarks,
	withEffect,
} from "./marks.ts";
import { type NotedFile, openNotedFile } from "./noted-file.ts";

/** The pins and tags of a person. */
export interface MarksFile extends Omit<NotedFile<MarkChange, Marks>, "read" | "content" | "watch"> {
	/** The current marks. Never throws: what cannot be read is listed as a problem. */
	read(): ReadMarks;
	/** The changes that would make a difference now. Throws an `Error` if the file cannot be read. */
	withEffect(changes: readonly MarkChange[]): readonly MarkChange[];
	/** Calls `listener` after each change by any window. */
	watch(listener: (now: ReadMarks) => void): void;
}

export function marksPath(env: Readonly<Record<string, string | undefined>>, home: string): string {
	return join(defaultStateDir(env, home), "marks.jsonl");
}

/** Reads the pins and tags once, for programs without a screen. */
export function readMarks(path: string): ReadMarks {
	return openMarksFile(path).read();
}

/** Opens the file; nothing is created on disk before the first change. */
export function openMarksFile(path: string): MarksFile {
	const file = openNotedFile<MarkChange, Marks>(path, {
		what: "the pins and tags",
		missing: "a pin or a tag",
		none: NO_MARKS,
		isChange: isMarkChange,
		apply: (changes) => applyChanges(NO_MARKS, [changes]),
		inverted: (changes, _, now) => inverted(changes, now),
	});
	const asMarks = ({ content, problems }: ReturnType<typeof file.read>): ReadMarks => ({ marks: content, problems });
	return {
		...file,
		read: () => asMarks(file.read()),
		withEffect: (changes) => withEffect(changes, file.content()),
		watch: (listener) => file.watch((now) => listener(asMarks(now))),
	};
}
