import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { defaultStateDir } from "../../catalog/model/state-dir.ts";
import { inverted, type MarkChange, NO_MARKS, withEffect } from "../marks/marks.ts";
import { marksLines, printMarksLine, type ReadMarks, readMarksText } from "../marks/marks-lines.ts";
import { memoLast } from "../model/memo.ts";
import { type LinesFile, openLinesFile } from "./lines-file.ts";
import { messageOf } from "./reason.ts";
import { capital } from "./undo-questions.ts";

/**
 * The pins and tags of a person, in one file of JSON lines. Lines that are damaged or of a newer version stay.
 */
export interface MarksFile {
	/** What is noted now. Never throws: what cannot be read is among its problems. */
	read(): ReadMarks;
	/** Which of the changes would make a difference now. Throws an `Error` when the file cannot be read. */
	withEffect(changes: readonly MarkChange[]): readonly MarkChange[];
	/** Notes changes under a name of their own (`newToken`). Throws an `Error`; nothing is noted then. */
	append(token: string, changes: readonly MarkChange[]): void;
	/** What was noted under this name. Throws an `Error` when the file cannot be read. */
	notedAs(token: string): readonly MarkChange[];
	/** Whether changes were noted under this name. Throws an `Error` when the file cannot be read. */
	has(token: string): boolean;
	/** Takes back what was noted under a name, except for what others have changed since; false: that is all of it. */
	takeBack(token: string): boolean;
	/** Calls `listener` after each change, of any window. */
	watch(listener: (now: ReadMarks) => void): void;
	close(): void;
}

export function marksPath(env: Readonly<Record<string, string | undefined>>, home: string): string {
	return join(defaultStateDir(env, home), "marks.jsonl");
}

export function newToken(): string {
	return randomUUID();
}

/** Reads the pins and tags once, for programs without a screen. */
export function readMarks(path: string): ReadMarks {
	return readFrom(openLinesFile(path, WHAT), (text) => readMarksText(text, path));
}

/** Opens the file; nothing is made on the disk before the first change. */
export function openMarksFile(path: string): MarksFile {
	const file = openLinesFile(path, WHAT);
	// Each change is looked for before it is noted, and heard of after it: the same text is read once.
	const parse = memoLast((text: string) => readMarksText(text, path));
	const append = (token: string, changes: readonly MarkChange[]): void =>
		file.append(printMarksLine({ token, changes }));
	return {
		read: () => readFrom(file, parse),
		withEffect: (changes) => withEffect(changes, parse(file.text()).marks),
		append,
		notedAs: (token) => changesIn(file.text(), token),
		has: (token) => marksLines(file.text()).some((line) => line.token === token),
		takeBack(token) {
			const text = file.text();
			const changes = inverted(changesIn(text, token), parse(text).marks);
			if (changes.length === 0) return false;
			append(newToken(), changes);
			return true;
		},
		watch: (listener) => file.watch(() => listener(readFrom(file, parse))),
		close: () => file.close(),
	};
}

function changesIn(text: string, token: string): readonly MarkChange[] {
	return marksLines(text).flatMap((line) => (line.token === token ? line.changes : []));
}

const WHAT = "the pins and tags";

function readFrom(file: LinesFile, parse: (text: string) => ReadMarks): ReadMarks {
	try {
		return parse(file.text());
	} catch (error) {
		return { marks: NO_MARKS, problems: [`${capital(messageOf(error))}.`] };
	}
}
