import { join } from "node:path";
import { defaultStateDir } from "../../catalog/model/session-roots.ts";
import { isObject } from "../../shared/json.ts";
import { sameMembers } from "../../shared/memo.ts";
import { type NotedFile, openNotedFile } from "./noted-file.ts";

/**
 * The pins and tags of sessions. They are in our state directory, never in pi's files, and by session id: a file that is moved
 * keeps its marks, and a fork, which has its own id, inherits none. Being archived is not a mark: the path of the file shows
 * it (`SessionRow.archived`).
 */
export interface Marks {
	/** Ids of the pinned sessions. */
	readonly pinned: ReadonlySet<string>;
	/** The tags of each session that has any, by its id, in alphabetical order. */
	readonly tags: ReadonlyMap<string, readonly string[]>;
	/**
	 * The sessions that need nothing more although they end with a question or were stopped, by id, with the time of their last
	 * message, Unix ms: a later one counts again.
	 */
	readonly done: ReadonlyMap<string, number>;
}

export const NO_MARKS: Marks = { pinned: new Set(), tags: new Map(), done: new Map() };

/** The content of the file of marks. */
export interface ReadMarks {
	readonly marks: Marks;
	/** Sentences about lines that could not be read; they are kept in the file. */
	readonly problems: readonly string[];
}

/**
 * A pin, or with `tag` a tag, that the session of this id gets or loses; with `done` that it needs nothing more as of the
 * message of that time.
 */
export interface MarkChange {
	readonly id: string;
	readonly tag?: string | undefined;
	readonly done?: number | undefined;
	readonly on: boolean;
}

/** Whether a stored value is a change. */
function isMarkChange(value: unknown): value is MarkChange {
	if (!isObject(value)) return false;
	const { id, tag, done, on } = value;
	if (typeof id !== "string" || typeof on !== "boolean") return false;
	return (tag === undefined || typeof tag === "string") && (done === undefined || typeof done === "number");
}

/** Identifies what a change gives or takes: two changes of the same pin or tag, or of what is done, have the same key. */
export function markKey({ id, tag, done }: MarkChange): string {
	return `${done === undefined ? `#${tag ?? ""}` : "done"}\n${id}`;
}

/** The changes that would make a difference, each once. */
export function withEffect(changes: readonly MarkChange[], marks: Marks): readonly MarkChange[] {
	const seen = new Set<string>();
	return changes.filter((change) => {
		const key = markKey(change);
		if (seen.has(key) || isSet(change, marks) === change.on) return false;
		seen.add(key);
		return true;
	});
}

/** The changes that take `changes` back, except what has been taken back already; `before`: the marks before them. */
function inverted(changes: readonly MarkChange[], before: () => Marks, now: Marks): readonly MarkChange[] {
	const back = changes.map((change): MarkChange => {
		const { id, done, on } = change;
		// A session that was done as of an earlier message is so again.
		const earlier = done !== undefined && on && now.done.get(id) === done ? before().done.get(id) : undefined;
		return earlier === undefined ? { ...change, on: !on } : { id, done: earlier, on: true };
	});
	return withEffect(back, now);
}

function isSet({ id, tag, done: time }: MarkChange, { pinned, tags, done }: Marks): boolean {
	if (time !== undefined) return done.get(id) === time;
	return tag === undefined ? pinned.has(id) : (tags.get(id)?.includes(tag) ?? false);
}

/** The marks that changes come to. */
export function applyChanges(changes: readonly MarkChange[]): Marks {
	const pinned = new Set<string>();
	const tags = new Map<string, Set<string>>();
	const done = new Map<string, number>();
	for (const { id, tag, done: time, on } of changes) {
		if (time !== undefined) {
			if (on) done.set(id, time);
			else if (done.get(id) === time) done.delete(id);
		} else if (tag === undefined) {
			if (on) pinned.add(id);
			else pinned.delete(id);
		} else if (on) tags.set(id, (tags.get(id) ?? new Set()).add(tag));
		else tags.get(id)?.delete(tag);
	}
	const sorted = [...tags].filter(([, all]) => all.size > 0).map(([id, all]) => [id, [...all].sort()] as const);
	return { pinned, tags: new Map(sorted), done };
}

/** The new marks; what is unchanged stays the same object, so that what is computed from it need not be computed again. */
export function keepSame(before: Marks, now: Marks): Marks {
	const pinned = sameMembers(before.pinned, now.pinned) ? before.pinned : now.pinned;
	const tags = sameEntries(before.tags, now.tags, (one, other) => one.join("\n") === other.join("\n"));
	const done = sameEntries(before.done, now.done, Object.is);
	return pinned === before.pinned && tags === before.tags && done === before.done ? before : { pinned, tags, done };
}

/** The map before if it has the same entries as the one now. */
function sameEntries<Value>(
	before: ReadonlyMap<string, Value>,
	now: ReadonlyMap<string, Value>,
	isSame: (one: Value, other: Value) => boolean,
): ReadonlyMap<string, Value> {
	const isKept = ([id, value]: [string, Value]): boolean => {
		const known = before.get(id);
		return known !== undefined && isSame(known, value);
	};
	return before.size === now.size && [...now].every(isKept) ? before : now;
}

/** The pins and tags of a person. */
export interface MarksFile extends NotedFile<MarkChange, Marks, ReadMarks> {
	/** The changes that would make a difference now. Throws an `Error` if the file cannot be read. */
	withEffect(changes: readonly MarkChange[]): readonly MarkChange[];
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
	const file = openNotedFile(path, {
		what: "the pins and tags",
		missing: "a pin or a tag",
		none: NO_MARKS,
		asRead: (marks, problems): ReadMarks => ({ marks, problems }),
		isChange: isMarkChange,
		apply: applyChanges,
		inverted,
	});
	return { ...file, withEffect: (changes) => withEffect(changes, file.content()) };
}
