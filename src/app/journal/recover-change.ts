import { findInTrash } from "../../store/actions/find-in-trash.ts";
import { isMoved } from "../../store/actions/move-session.ts";
import { isThere } from "../../store/files/is-there.ts";
import { StoreError } from "../../store/files/store-error.ts";
import { type Change, pathOf } from "./change.ts";
import type { Plan, Undo } from "./journal-schema.ts";
import type { UndoingTools } from "./undo-change.ts";

/** A change that was made although nobody noted that. */
export interface Recovered {
	readonly undo: Undo;
	/** Id of the entry that was appended, if one was. */
	readonly entryId?: string;
}

/** What the journal tells of what was done since: all changes that were begun, and the ids of entries that are ours. */
interface Since {
	readonly changes: readonly Change[];
	readonly own: ReadonlySet<string>;
}

/**
 * Finds out from the files whether a change was made that was begun by a run that has been killed since; undefined: it
 * was not. Rejects when the files cannot be read.
 */
export async function recoverChange(
	change: { readonly plan: Plan; readonly at: string },
	since: Since,
	tools: UndoingTools,
): Promise<Recovered | undefined> {
	try {
		return await recover(change, since, tools);
	} catch (error) {
		// The session is gone: there is nothing left in which the change could be undone.
		if (error instanceof StoreError && error.code === "ENOENT") return undefined;
		throw error;
	}
}

async function recover(
	{ plan, at }: { readonly plan: Plan; readonly at: string },
	{ changes, own }: Since,
	{ store, marks, saved }: UndoingTools,
): Promise<Recovered | undefined> {
	const { path } = plan;
	switch (plan.type) {
		case "rename": {
			const found = await store.run("findChange", path, { type: "rename", set: plan.set }, at, own);
			return found && { undo: { type: "rename", path, name: found.before, set: plan.set }, entryId: found.entryId };
		}
		case "label": {
			const { entryId, set } = plan;
			const found = await store.run("findChange", path, { type: "label", entryId, set }, at, own);
			return found && { undo: { type: "label", path, entryId, label: found.before, set }, entryId: found.entryId };
		}
		case "leaf": {
			const found = await store.run("findChange", path, { type: "leaf", entryId: plan.entryId }, at, own);
			if (found === undefined) return undefined;
			return { undo: { type: "leaf", path, leafId: found.leafId, size: found.size }, entryId: found.entryId };
		}
		case "create": {
			const found = await store.run("findCreated", path, plan.dir, at, createdBy(changes));
			return found && { undo: { type: "created", ...found } };
		}
		case "move":
			return (await isMoved(path, plan.to)) ? { undo: { type: "moved", path, to: plan.to } } : undefined;
		case "mark":
			return marks.has(plan.token) ? { undo: { type: "mark", path, token: plan.token } } : undefined;
		case "query":
			return saved.has(plan.token) ? { undo: { type: "query", path: "", token: plan.token } } : undefined;
		case "trash": {
			if (await isThere(path)) return undefined;
			const receipt = await findInTrash(path, plan.size, at, plan.trashes);
			return receipt && { undo: { type: "restore", receipt } };
		}
		case "restore":
			return (await isMoved(plan.trashed.path, path))
				? { undo: { type: "created", path, size: plan.size } }
				: undefined;
	}
}

function createdBy(changes: readonly Change[]): Set<string> {
	return new Set(changes.flatMap(({ undo }) => (undo?.type === "created" ? [pathOf(undo)] : [])));
}
