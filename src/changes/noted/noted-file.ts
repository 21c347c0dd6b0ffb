import { randomUUID } from "node:crypto";
import { memoLast } from "../../shared/memo.ts";
import { capital } from "../../ui/text/format.ts";
import { messageOf } from "../engine/reason.ts";
import { openLinesFile } from "./lines-file.ts";
import { printNotedLine, readNotedLines } from "./noted-lines.ts";

/** What a file holds, and what could not be read of it, in sentences. */
interface Read<Content> {
	readonly content: Content;
	readonly problems: readonly string[];
}

/**
 * What a person has noted, in one file of JSON lines that all windows share: a line for each action, under a name of its
 * own (`newToken`), of which the later ones overrule the earlier ones. Lines that are damaged or of a newer version stay.
 */
export interface NotedFile<Change, Content> {
	/** What is noted now. Never throws: what cannot be read is among its problems. */
	read(): Read<Content>;
	/** What is noted now. Throws an `Error` when the file cannot be read. */
	content(): Content;
	/** Notes changes under a name of their own. Throws an `Error`; nothing is noted then. */
	append(token: string, changes: readonly Change[]): void;
	/** What was noted under this name. Throws an `Error` when the file cannot be read. */
	notedAs(token: string): readonly Change[];
	/** Whether changes were noted under this name. Throws an `Error` when the file cannot be read. */
	has(token: string): boolean;
	/** Takes back what was noted under a name, except for what others have changed since; false: that is all of it. */
	takeBack(token: string): boolean;
	/** Calls `listener` after each change, of any window. */
	watch(listener: (now: Read<Content>) => void): void;
	close(): void;
}

/** What is noted in a file. */
interface NotedKind<Change, Content> {
	/** In words, for errors: "the pins and tags". */
	readonly what: string;
	/** What may be missing where a line cannot be read: "a pin or a tag". */
	readonly missing: string;
	readonly none: Content;
	readonly isChange: (value: unknown) => value is Change;
	/** What there is after changes, made one after the other. */
	readonly apply: (changes: readonly Change[]) => Content;
	/** What takes changes back that were made `before` something else was; what others have changed since stays. */
	readonly inverted: (changes: readonly Change[], before: () => Content, now: Content) => readonly Change[];
}

export function newToken(): string {
	return randomUUID();
}

/** Opens the file; nothing is made on the disk before the first change. */
export function openNotedFile<Change, Content>(
	path: string,
	kind: NotedKind<Change, Content>,
): NotedFile<Change, Content> {
	const { what, missing, none, isChange, apply, inverted } = kind;
	const file = openLinesFile(path, what);
	// Each change is looked for before it is noted, and heard of after it: the same text is read once.
	const parse = memoLast((text: string) => {
		const { lines, problems } = readNotedLines(text, isChange, { path, missing });
		return { lines, problems, content: apply(lines.flatMap(({ changes }) => changes)) };
	});
	const linesOf = (token: string) => parse(file.text()).lines.filter((line) => line.token === token);
	const notedAs = (token: string): readonly Change[] => linesOf(token).flatMap(({ changes }) => changes);
	const append = (token: string, changes: readonly Change[]): void => file.append(printNotedLine({ token, changes }));
	const read = (): Read<Content> => {
		try {
			return parse(file.text());
		} catch (error) {
			return { content: none, problems: [`${capital(messageOf(error))}.`] };
		}
	};
	return {
		read,
		content: () => parse(file.text()).content,
		append,
		notedAs,
		has: (token) => linesOf(token).length > 0,
		takeBack(token) {
			const { lines, content } = parse(file.text());
			const at = lines.findIndex((line) => line.token === token);
			const before = (): Content => apply(lines.slice(0, Math.max(0, at)).flatMap(({ changes }) => changes));
			const changes = inverted(notedAs(token), before, content);
			if (changes.length === 0) return false;
			append(newToken(), changes);
			return true;
		},
		watch: (listener) => file.watch(() => listener(read())),
		close: () => file.close(),
	};
}
