import { randomUUID } from "node:crypto";
import { messageOf } from "../../shared/attempt.ts";
import { isObject } from "../../shared/json.ts";
import { memoLast } from "../../shared/memo.ts";
import { appendWholeLine } from "../../store/files/append-line.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { errorCode, explain } from "../../store/files/store-error.ts";
import { watchFile } from "../../store/files/watch-file.ts";
import { parseJson } from "../../store/format/parse.ts";
import { capital } from "../../ui/text/format.ts";

/**
 * A file of JSON lines with notes of the person, which all windows share. Each action is one line with a unique token; later
 * lines overrule earlier ones. Lines that are damaged or of a newer version stay in the file.
 */
export interface NotedFile<Change, Content, Read> {
	/** The current content. Never throws: what cannot be read is listed as a problem. */
	read(): Read;
	/** The current content. Throws an `Error` if the file cannot be read. */
	content(): Content;
	/** Appends an action. Throws an `Error` that says why nothing was written. */
	append(token: string, changes: readonly Change[]): void;
	/** The changes of the action with this token. Throws an `Error` if the file cannot be read. */
	notedAs(token: string): readonly Change[];
	/** Whether the action with this token was written. Throws an `Error` if the file cannot be read. */
	has(token: string): boolean;
	/** Takes an action back, except what others have changed since; returns whether anything was taken back. */
	takeBack(token: string): boolean;
	/** Calls `listener` after each change by any window. */
	watch(listener: (now: Read) => void): void;
	close(): void;
}

/** What distinguishes one file of notes from another. */
interface NotedKind<Change, Content, Read> {
	/** Names the content in errors: "the pins and tags". */
	readonly what: string;
	/** Names what is missing if a line cannot be read: "a pin or a tag". */
	readonly missing: string;
	readonly none: Content;
	/** The content with sentences about lines that could not be read. */
	readonly asRead: (content: Content, problems: readonly string[]) => Read;
	readonly isChange: (value: unknown) => value is Change;
	readonly apply: (changes: readonly Change[]) => Content;
	/** The changes that take `changes` back, except what others have changed since; `before`: the content before them. */
	readonly inverted: (changes: readonly Change[], before: () => Content, now: Content) => readonly Change[];
}

/** Opens the file; nothing is created on disk before the first change. */
export function openNotedFile<Change, Content, Read>(
	path: string,
	{ what, missing, none, asRead, isChange, apply, inverted }: NotedKind<Change, Content, Read>,
): NotedFile<Change, Content, Read> {
	const listeners: ((now: Read) => void)[] = [];
	const watched = watchFile(path, () => {
		for (const listener of listeners) listener(read());
	});
	// A change reads the file before it is written and again when it is reported: the same text is parsed once.
	const parse = memoLast((text: string) => {
		const { lines, problems } = readNotedLines(text, isChange, { path, missing });
		return { lines, problems, content: apply(lines.flatMap(({ changes }) => changes)) };
	});
	const parsed = () => parse(textOf(path, what));
	const linesOf = (token: string) => parsed().lines.filter((line) => line.token === token);
	const notedAs = (token: string): readonly Change[] => linesOf(token).flatMap(({ changes }) => changes);
	/** One line, in one write, so that no window can lose what another one has written. */
	const append = (token: string, changes: readonly Change[]): void => {
		try {
			appendWholeLine(path, printNotedLine({ token, changes }));
		} catch (error) {
			throw new Error(`${what} cannot be written: ${explain(error)}. Path: ${path}`, { cause: error });
		}
		watched.check();
	};
	const read = (): Read => {
		try {
			const { content, problems } = parsed();
			return asRead(content, problems);
		} catch (error) {
			return asRead(none, [`${capital(messageOf(error))}.`]);
		}
	};
	return {
		read,
		content: () => parsed().content,
		append,
		notedAs,
		has: (token) => linesOf(token).length > 0,
		takeBack(token) {
			const { lines, content } = parsed();
			const at = lines.findIndex((line) => line.token === token);
			const contentBefore = (): Content => apply(lines.slice(0, Math.max(0, at)).flatMap(({ changes }) => changes));
			const changes = inverted(notedAs(token), contentBefore, content);
			if (changes.length === 0) return false;
			append(randomUUID(), changes);
			return true;
		},
		watch(listener) {
			listeners.push(listener);
			watched.start();
		},
		close: watched.close,
	};
}

/** One line of a file: the changes of one action, all or none. */
interface NotedLine<Change> {
	/** Identifies the action in the journal. */
	readonly token: string;
	readonly changes: readonly Change[];
}

const VERSION = 1;

export function printNotedLine<Change>({ token, changes }: NotedLine<Change>): string {
	return JSON.stringify({ version: VERSION, token, changes });
}

/**
 * The valid lines of a file, in order, and sentences about the others. `missing`: what may be missing if a line is ignored.
 * Text after the last newline may still be being written, so it is not a problem if it is invalid.
 */
function readNotedLines<Change>(
	text: string,
	isChange: (value: unknown) => value is Change,
	{ path, missing }: { readonly path: string; readonly missing: string },
): { readonly lines: readonly NotedLine<Change>[]; readonly problems: readonly string[] } {
	const texts = text.split("\n");
	const end = parseLine(texts.pop() ?? "", isChange);
	const parsed = [...texts.map((line) => parseLine(line, isChange)), ...(end === "damaged" ? [] : [end])];
	const problem = (what: "damaged" | "newer", words: string): string[] => {
		const first = parsed.indexOf(what);
		if (first === -1) return [];
		const count = parsed.filter((line) => line === what).length;
		const more = count === 1 ? "" : ` (and ${count - 1} more like it)`;
		return [`Line ${first + 1} of ${path} ${words}${more}: it is kept but ignored, so ${missing} may be missing.`];
	};
	return {
		lines: parsed.flatMap((line) => (typeof line === "object" ? [line] : [])),
		problems: [
			...problem("damaged", "cannot be read"),
			...problem("newer", "was written by a newer version of pi-grove"),
		],
	};
}

function parseLine<Change>(
	line: string,
	isChange: (value: unknown) => value is Change,
): NotedLine<Change> | "damaged" | "newer" | "blank" {
	if (line.trim() === "") return "blank";
	const stored = parseJson(line);
	if (!isObject(stored) || typeof stored.version !== "number") return "damaged";
	if (stored.version > VERSION) return "newer";
	const { token, changes } = stored;
	if (typeof token !== "string" || !Array.isArray(changes) || !changes.every(isChange)) return "damaged";
	return { token, changes };
}

function textOf(path: string, what: string): string {
	try {
		return readTextFile(path);
	} catch (error) {
		if (errorCode(error) === "ENOENT") return "";
		const why = errorCode(error) === "not-a-file" ? "it is not a regular file; move it away" : explain(error);
		throw new Error(`${what} cannot be read: ${why}. Path: ${path}`, { cause: error });
	}
}
