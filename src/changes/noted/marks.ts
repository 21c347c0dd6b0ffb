import { isObject } from "../../shared/is-object.ts";

/**
 * What the person has noted about sessions, in our state directory and never in pi's files. By session id: a file that
 * is moved keeps its marks, and a fork, which has an id of its own, inherits none. Whether a session is archived is no
 * mark: where its file is says so (`SessionRow.archived`).
 */
export interface Marks {
	/** Ids of the pinned sessions. */
	readonly pinned: ReadonlySet<string>;
	/** The tags of each session that has any, by its id, in alphabetical order. */
	readonly tags: ReadonlyMap<string, readonly string[]>;
}

export const NO_MARKS: Marks = { pinned: new Set(), tags: new Map() };

/** What the file of the marks holds. */
export interface ReadMarks {
	readonly marks: Marks;
	/** What could not be read, in sentences; it is kept, and the rest counts. */
	readonly problems: readonly string[];
}

/** A pin, or with `tag` a tag, that the session of this id gets or loses. */
export interface MarkChange {
	readonly id: string;
	readonly tag?: string | undefined;
	readonly on: boolean;
}

/** Whether a stored value is a change. */
export function isMarkChange(value: unknown): value is MarkChange {
	if (!isObject(value)) return false;
	const { id, tag, on } = value;
	return typeof id === "string" && typeof on === "boolean" && (tag === undefined || typeof tag === "string");
}

/** The changes that would make a difference, each once. */
export function withEffect(changes: readonly MarkChange[], marks: Marks): readonly MarkChange[] {
	const seen = new Set<string>();
	return changes.filter((change) => {
		const key = `${change.tag ?? ""}\n${change.id}`;
		if (seen.has(key) || isSet(change, marks) === change.on) return false;
		seen.add(key);
		return true;
	});
}

/** What takes changes back, where nobody has done so since. */
export function inverted(changes: readonly MarkChange[], marks: Marks): readonly MarkChange[] {
	return withEffect(
		changes.map((change) => ({ ...change, on: !change.on })),
		marks,
	);
}

function isSet({ id, tag }: MarkChange, { pinned, tags }: Marks): boolean {
	return tag === undefined ? pinned.has(id) : (tags.get(id)?.includes(tag) ?? false);
}

/** The marks after changes, made one after the other; `before` stays as it is. */
export function applyChanges(before: Marks, lists: Iterable<readonly MarkChange[]>): Marks {
	const pinned = new Set(before.pinned);
	const tags = new Map([...before.tags].map(([id, all]) => [id, new Set(all)]));
	for (const changes of lists) {
		for (const { id, tag, on } of changes) {
			if (tag === undefined) {
				if (on) pinned.add(id);
				else pinned.delete(id);
			} else if (on) tags.set(id, (tags.get(id) ?? new Set()).add(tag));
			else tags.get(id)?.delete(tag);
		}
	}
	const sorted = [...tags].filter(([, all]) => all.size > 0).map(([id, all]) => [id, [...all].sort()] as const);
	return { pinned, tags: new Map(sorted) };
}

/** The new marks; what is as it was before stays the same object, so that nobody computes anew what shows only that. */
export function keepSame(before: Marks, now: Marks): Marks {
	const pinned = sameSet(before.pinned, now.pinned) ? before.pinned : now.pinned;
	const tags = sameTags(before.tags, now.tags) ? before.tags : now.tags;
	return pinned === before.pinned && tags === before.tags ? before : { pinned, tags };
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
	return a.size === b.size && [...a].every((id) => b.has(id));
}

function sameTags(a: Marks["tags"], b: Marks["tags"]): boolean {
	return a.size === b.size && [...a].every(([id, tags]) => tags.join("\n") === b.get(id)?.join("\n"));
}
