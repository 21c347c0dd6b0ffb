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
