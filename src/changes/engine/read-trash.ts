import { isSessionPath } from "../../catalog/model/run-place.ts";
import { rootOf, type SessionRoots, withKnownProjects } from "../../catalog/model/session-roots.ts";
import { join } from "../../shared/paths.ts";
import { listTrash } from "../../store/actions/list-trash.ts";
import type { TrashReceipt } from "../../store/actions/trash.ts";
import { type TrashedFile, trashDirOf, trashDirs } from "../../store/actions/trash-places.ts";
import { isThere } from "../../store/files/paths.ts";
import type { HistoryReader } from "../journal/history-reader.ts";
import type { Change } from "../kinds/change.ts";
import type { Plan } from "../kinds/kinds.ts";

/** A deleted session. */
export interface TrashItem {
	/** Path of the file in the trash, otherwise the id of its deletion in the journal. */
	readonly key: string;
	/** Its path before the deletion. */
	readonly path: string;
	/** Undefined if it was not found in the trash. */
	readonly trashed: TrashedFile | undefined;
	/** In bytes. */
	readonly size: number;
	/** When it was deleted, Unix ms; NaN if unknown. */
	readonly deletedMs: number;
	/** Whether pi-grove deleted it, in any run. */
	readonly isOurs: boolean;
	/** Whether pi-grove created it, as a fork for instance, and an undo moved it to the trash. */
	readonly wasUndone: boolean;
	/** Id of the change that deleted it, while that change is in effect. */
	readonly change: string | undefined;
	/** Whether the list would show it after a restore. */
	readonly isListable: boolean;
}

/** The plans of changes that make a new session. */
const MAKING: ReadonlySet<string | undefined> = new Set(["create", "bring"] satisfies Plan["type"][]);

/**
 * The sessions in the system's trash, newest first, no matter what deleted them, and those that pi-grove deleted without finding
 * them there. Rejects if the trash cannot be read.
 */
export async function readTrash(history: HistoryReader, sessionRoots: SessionRoots): Promise<TrashItem[]> {
	// Without the journal it is unknown which deletions are ours.
	const changes = await history.read(Number.MAX_SAFE_INTEGER).then(
		(part) => part.changes,
		() => [],
	);
	const deletions = deletionsIn(changes);
	const receipts = changes.flatMap(receiptsOf);
	const ours = receipts.flatMap(({ trashed }) => trashed ?? []).map(trashDirOf);
	const dirs = new Set([...trashDirs(join(rootOf(sessionRoots), "x")), ...ours]);
	const knownPaths = new Map(
		receipts.flatMap(({ trashed, path }) => (trashed && deletions.has(trashed.path) ? [[trashed.path, path]] : [])),
	);
	const listed = await listTrash([...dirs], knownPaths);
	const allRoots = withKnownProjects(sessionRoots);
	const items = listed.map(({ trashed, path, size, deletedMs }): TrashItem => {
		const deletion = deletions.get(trashed.path);
		return {
			...{ key: trashed.path, path, trashed, size, deletedMs: deletion === undefined ? deletedMs : movedAt(deletion) },
			isOurs: deletion !== undefined,
			// It was created by a change (a fork or a branch, or brought here) whose undo removed it.
			wasUndone: MAKING.has(deletion?.plan?.type) && deletion?.receipt?.trashed?.path === trashed.path,
			change: deletion?.id,
			isListable: isSessionPath(path, allRoots),
		};
	});
	return [...items, ...(await unreported(changes))].toSorted((a, b) => time(b) - time(a));
}

/** Where the sessions in the system's trash were; none if it cannot be read. */
export async function readTrashPaths(sessionRoots: SessionRoots): Promise<Set<string>> {
	try {
		const listed = await listTrash(trashDirs(join(rootOf(sessionRoots), "x")), new Map());
		return new Set(listed.map(({ path }) => path));
	} catch {
		// The trash in Maintenance says why.
		return new Set();
	}
}

/**
 * By the path of the file in the trash: the oldest change whose session is there, which is its deletion, or what created it and was
 * undone.
 */
function deletionsIn(changes: readonly Change[]): Map<string, Change> {
	const deletions = new Map<string, Change>();
	for (const change of changes) {
		const isOut = change.undo?.type === "restore" && change.fate !== "made";
		for (const { trashed } of isOut ? [] : receiptsOf(change)) if (trashed) deletions.set(trashed.path, change);
	}
	return deletions;
}

function receiptsOf({ undo, receipt }: Change): TrashReceipt[] {
	return [...(undo?.type === "restore" ? [undo.receipt] : []), ...(receipt === undefined ? [] : [receipt])];
}

/** When it was moved: the journal is more exact than the trash's note, which has whole seconds. */
function movedAt({ at, undo, undoneAt }: Change): number {
	return Date.parse(undo?.type === "restore" ? at : (undoneAt ?? at));
}

/** What was deleted, was not found in the trash, and has not come back. */
async function unreported(changes: readonly Change[]): Promise<TrashItem[]> {
	const items: TrashItem[] = [];
	for (const { id, at, fate, undo } of changes) {
		if (fate !== "made" || undo?.type !== "restore" || undo.receipt.trashed !== undefined) continue;
		const { path, size } = undo.receipt;
		if (await isThere(path).catch(() => true)) continue;
		const deletedMs = Date.parse(at);
		items.push({
			key: id,
			path,
			trashed: undefined,
			size,
			deletedMs,
			isOurs: true,
			wasUndone: false,
			change: id,
			isListable: true,
		});
	}
	return items;
}

function time({ deletedMs }: TrashItem): number {
	return Number.isNaN(deletedMs) ? 0 : deletedMs;
}
