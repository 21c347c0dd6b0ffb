import { type ByFile, type Marked, type Marks, markedFile, NEVER, NO_MARKS } from "../../catalog/model/marks.ts";
import { defaultStateDir } from "../../catalog/model/session-roots.ts";
import { isObject } from "../../shared/json.ts";
import { dirname, join } from "../../shared/paths.ts";
import type { Env } from "../../shared/system.ts";
import { type CommentsFile, openCommentsFile } from "./comments.ts";
import { type NotedFile, openNotedFile } from "./noted-file.ts";

export interface ReadMarks {
	readonly marks: Marks;
	/** Sentences about lines that could not be read; they are kept in the file. */
	readonly problems: readonly string[];
}

/**
 * A pin, or with `tag` a tag, that a session gets or loses; with `done` that it needs nothing more as of the message of that time. Without
 * `file` (`markedFile`), as early versions write it, it is of all files with this id.
 */
export interface MarkChange {
	readonly id: string;
	readonly file?: string | undefined;
	readonly tag?: string | undefined;
	readonly done?: number | undefined;
	readonly on: boolean;
}

function isMarkChange(value: unknown): value is MarkChange {
	if (!isObject(value)) return false;
	const { id, file, tag, done, on } = value;
	if (typeof id !== "string" || typeof on !== "boolean") return false;
	if (file !== undefined && typeof file !== "string") return false;
	return (tag === undefined || typeof tag === "string") && (done === undefined || typeof done === "number");
}

export function changedSession(row: Marked): Pick<MarkChange, "id" | "file"> {
	return { id: row.id, file: markedFile(row) };
}

/** Identifies what a change gives or takes: two changes of the same pin or tag, or of what is done, have the same key. */
export function markKey({ id, file, tag, done }: MarkChange): string {
	return [done === undefined ? `#${tag ?? ""}` : "done", id, ...(file === undefined ? [] : [file])].join("\n");
}

/** The changes that would make a difference, each once. */
export function withEffect(changes: readonly MarkChange[], marks: Marks): readonly MarkChange[] {
	const seenKeys = new Set<string>();
	return changes.filter((change) => {
		const key = markKey(change);
		if (seenKeys.has(key) || isSet(change, marks) === change.on) return false;
		seenKeys.add(key);
		return true;
	});
}

/** The changes that take `changes` back, except what has been taken back already; `marksBefore`: the marks before them. */
function inverted(changes: readonly MarkChange[], marksBefore: () => Marks, now: Marks): readonly MarkChange[] {
	const back = changes.map((change): MarkChange => {
		const { id, file, done, on } = change;
		// A session that was done as of an earlier message is so again.
		const earlier =
			done !== undefined && on && setValue(now.done, change) === done && setValue(marksBefore().done, change);
		return typeof earlier === "number" && earlier !== NEVER
			? { id, file, done: earlier, on: true }
			: { ...change, on: !on };
	});
	return withEffect(back, now);
}

function isSet(change: MarkChange, { pinned, tags, done }: Marks): boolean {
	if (change.done !== undefined) return setValue(done, change) === change.done;
	if (change.tag === undefined) return setValue(pinned, change) ?? false;
	return setValue(tags, change)?.includes(change.tag) ?? false;
}

function setValue<Value>(marks: ByFile<Value>, { id, file = "" }: MarkChange): Value | undefined {
	const files = marks.get(id);
	return files?.get(file) ?? files?.get("");
}

export function applyChanges(changes: readonly MarkChange[]): Marks {
	const pinned = new Gathered(false);
	const tags = new Gathered<readonly string[]>([], (one, other) => one.join("\n") === other.join("\n"));
	const done = new Gathered(NEVER);
	for (const change of changes) {
		const { tag, done: time, on } = change;
		if (time !== undefined) done.change(change, (before) => (on ? time : before === time ? NEVER : before));
		else if (tag === undefined) pinned.change(change, () => on);
		else
			tags.change(change, (before) =>
				on ? [...new Set([...before, tag])].sort() : before.filter((one) => one !== tag),
			);
	}
	return { ...NO_MARKS, pinned: pinned.marks, tags: tags.marks, done: done.marks };
}

/** Marks of one kind, while changes are applied to them one after the other. */
class Gathered<Value> {
	readonly #marks = new Map<string, Map<string, Value>>();
	readonly #none: Value;
	readonly #isSame: (one: Value, other: Value) => boolean;

	/** `none`: what a session has without any change. */
	constructor(none: Value, isSame: (one: Value, other: Value) => boolean = Object.is) {
		this.#none = none;
		this.#isSame = isSame;
	}

	get marks(): ByFile<Value> {
		return this.#marks;
	}

	change({ id, file = "" }: MarkChange, changed: (before: Value) => Value): void {
		const files = this.#marks.get(id) ?? new Map<string, Value>();
		const otherValue = files.get("") ?? this.#none;
		// A change without a file is of all with this id.
		for (const name of file === "" ? new Set(["", ...files.keys()]) : [file])
			files.set(name, changed(files.get(name) ?? otherValue));
		const basis = files.get("") ?? this.#none;
		for (const [name, value] of files) if (this.#isSame(value, name === "" ? this.#none : basis)) files.delete(name);
		if (files.size > 0) this.#marks.set(id, files);
		else this.#marks.delete(id);
	}
}

/** The new marks; what is unchanged stays the same object, so that what is computed from it need not be computed again. */
export function keepSame(before: Marks, now: Marks): Marks {
	const pinned = sameMarks(before.pinned, now.pinned);
	const tags = sameMarks(before.tags, now.tags);
	const done = sameMarks(before.done, now.done);
	const comments = sameMarks(before.comments, now.comments);
	const isKept = pinned === before.pinned && tags === before.tags && done === before.done;
	return isKept && comments === before.comments ? before : { pinned, tags, done, comments };
}

/** The marks before if they have the same entries as those now. */
function sameMarks<Value>(before: ByFile<Value>, now: ByFile<Value>): ByFile<Value> {
	const textOf = (files: ReadonlyMap<string, Value> | undefined): string => JSON.stringify([...(files ?? [])]);
	const isKept = before.size === now.size && [...now].every(([id, files]) => textOf(before.get(id)) === textOf(files));
	return isKept ? before : now;
}

export interface MarksFile extends NotedFile<MarkChange, Marks, ReadMarks> {
	/** The file of comments beside it. */
	readonly comments: CommentsFile;
	/** The changes that would make a difference now. Throws an `Error` if the file cannot be read. */
	withEffect(changes: readonly MarkChange[]): readonly MarkChange[];
}

export function marksPath(env: Env, home: string): string {
	return join(defaultStateDir(env, home), "marks.jsonl");
}

/** Reads the pins and tags once, for programs without a screen. */
export function readMarks(path: string): ReadMarks {
	return openMarksFile(path).read();
}

/** Opens the file of pins and tags, and that of comments beside it, which are read and watched together. */
export function openMarksFile(path: string): MarksFile {
	const comments = openCommentsFile(join(dirname(path), "comments.jsonl"));
	const file = openNotedFile(path, {
		what: "the pins and tags",
		missing: "a pin or a tag",
		none: NO_MARKS,
		asRead: (marks: Marks, problems): ReadMarks => {
			const noted = comments.read();
			return { marks: { ...marks, comments: noted.comments }, problems: [...problems, ...noted.problems] };
		},
		isChange: isMarkChange,
		apply: applyChanges,
		inverted,
	});
	return {
		...file,
		comments,
		withEffect: (changes) => withEffect(changes, file.content()),
		watch(listener) {
			file.watch(listener);
			comments.watch(() => listener(file.read()));
		},
		close() {
			file.close();
			comments.close();
		},
	};
}
