import type { SessionEntry } from "../format/schema.ts";

/**
 * The entries from the root to `leaf`; a parent cycle ends where it would repeat.
 * `parentIdOf`: by default the parent that the entry itself names; an empty id is none, as in pi.
 */
export function walkUp(
	leaf: SessionEntry,
	byId: ReadonlyMap<string, SessionEntry>,
	parentIdOf: (entry: SessionEntry) => string | undefined = ({ parentId }) => parentId || undefined,
): SessionEntry[] {
	const path = new Set<SessionEntry>();
	let current: SessionEntry | undefined = leaf;
	while (current !== undefined && !path.has(current)) {
		path.add(current);
		const parentId = parentIdOf(current);
		current = parentId === undefined ? undefined : byId.get(parentId);
	}
	return [...path].reverse();
}
