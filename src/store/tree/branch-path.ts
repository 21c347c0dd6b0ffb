import { newEntryId } from "../format/new-entry.ts";
import type { FileEntry, LabelEntry, SessionEntry } from "../format/schema.ts";
import type { ResolvedLabel } from "./labels.ts";

/** An entry to be written, and the entry in the source that it was made from. */
export interface EntryCopy {
	readonly entry: FileEntry;
	readonly original: FileEntry;
}

/** The entries of a branched session: the path, and the labels of its entries. */
export interface BranchedPath {
	readonly path: readonly EntryCopy[];
	readonly labels: readonly LabelEntry[];
}

/**
 * What a new session takes from one path of another. The rules are pi's: label entries are left out, and their children
 * follow the entry before them; a compaction whose first kept entry is a label keeps from the next entry on; at the end
 * come the present labels of the path's entries, with their old times, in the order in which they were set.
 */
export function branchedPath(path: readonly SessionEntry[], labels: ReadonlyMap<string, ResolvedLabel>): BranchedPath {
	const copies: EntryCopy[] = [];
	const replacementOf = new Map<string, string>();
	let skipped: string[] = [];
	let parentId: string | null = null;
	for (const original of path) {
		if (original.type === "label") {
			skipped.push(original.id);
			continue;
		}
		for (const id of skipped) replacementOf.set(id, original.id);
		skipped = [];
		copies.push({ entry: rechained(original, parentId, replacementOf), original });
		parentId = original.id;
	}
	return { path: copies, labels: labelEntries(copies, labels, parentId) };
}

function rechained(
	original: SessionEntry,
	parentId: string | null,
	replacementOf: ReadonlyMap<string, string>,
): SessionEntry {
	if (original.type !== "compaction") return original.parentId === parentId ? original : { ...original, parentId };
	const { firstKeptEntryId } = original;
	// A compaction that names itself keeps nothing.
	if (firstKeptEntryId === original.id) return { ...original, parentId };
	return { ...original, parentId, firstKeptEntryId: replacementOf.get(firstKeptEntryId) ?? firstKeptEntryId };
}

function labelEntries(
	copies: readonly EntryCopy[],
	labels: ReadonlyMap<string, ResolvedLabel>,
	lastId: string | null,
): LabelEntry[] {
	const ids = new Set(copies.map(({ original }) => ("id" in original ? original.id : "")));
	const pathLabels = [...labels].filter(([targetId]) => ids.has(targetId));
	let parentId = lastId;
	return pathLabels.map(([targetId, { text, timestamp }]) => {
		const id = newEntryId((used) => ids.has(used));
		ids.add(id);
		const entry: LabelEntry = { type: "label", id, parentId, timestamp, targetId, label: text };
		parentId = id;
		return entry;
	});
}
