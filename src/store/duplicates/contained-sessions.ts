import { readContent, type SessionContent } from "./session-content.ts";

/** A session, all of which stands in others, too. */
export interface ContainedSession {
	readonly path: string;
	/** Paths of these. Two sessions that are the same stand in each other. */
	readonly within: readonly string[];
}

/**
 * Which of these sessions hold nothing that does not stand in another one of them, entry for entry, with the same labels and the
 * same name, if it has one. Reads the files, and blocks its thread meanwhile. Nothing is written.
 */
export function findContained(paths: readonly string[]): readonly ContainedSession[] {
	const all = paths.flatMap((path) => {
		const content = readContent(path);
		return content === undefined ? [] : [{ path, content }];
	});
	const found: ContainedSession[] = [];
	for (const one of all) {
		const within = all.filter((other) => other !== one && holdsBooks(other.content, one.content));
		const left = holdersOf(one.content, within);
		if (left.length > 0) found.push({ path: one.path, within: left.map(({ path }) => path) });
	}
	return found;
}

/** Those that have all entries. */
function holdersOf<Held extends { readonly content: SessionContent }>(
	{ entries }: SessionContent,
	others: readonly Held[],
): readonly Held[] {
	let left = others;
	for (const entry of entries) {
		if (left.length === 0) break;
		left = left.filter(({ content }) => content.entries.has(entry));
	}
	return left;
}

/** Whether a session has the name and the labels of another one. */
function holdsBooks({ name, labels, entries }: SessionContent, other: SessionContent): boolean {
	if (other.entries.size > entries.size || (other.name !== "" && other.name !== name)) return false;
	return [...other.labels].every(([id, label]) => labels.get(id) === label);
}
