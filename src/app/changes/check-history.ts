import { stat } from "node:fs/promises";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { isInTrash, type TrashReceipt } from "../../store/actions/trash.ts";
import { isThere } from "../../store/files/is-there.ts";
import { storedName } from "../../store/format/new-entry.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { type Change, isMade } from "../journal/change.ts";
import { checkUndo, type Outlook } from "../journal/check-undo.ts";
import type { HistoryReader } from "../journal/history-reader.ts";
import type { Undo } from "../journal/journal-schema.ts";
import { sentence } from "../world/effects/reason.ts";
import { dependentsOf } from "./depends.ts";
import type { StoreClient } from "./store-client.ts";

/** What looking at changes needs of the world outside. */
export interface CheckTools {
	readonly history: HistoryReader;
	/** Only reads. */
	readonly store: StoreClient;
	readonly sessionRoots: SessionRoots;
}

const CLEAR: Outlook = { kind: "clear" };

/** What stands in the way of undoing these changes, or of doing again those that were undone; by id. */
export async function checkChanges(ids: readonly string[], tools: CheckTools): Promise<Map<string, Outlook>> {
	const found = new Map<string, Outlook>();
	for (const id of ids) {
		const change = tools.history.get(id);
		if (change === undefined) continue;
		try {
			found.set(id, await (isMade(change) ? outlookOfUndo(change, tools) : outlookOfRedo(change, tools)));
		} catch (error) {
			found.set(id, { kind: "refuse", why: sentence(error) });
		}
	}
	return found;
}

async function outlookOfUndo(change: Change, { history, store, sessionRoots }: CheckTools): Promise<Outlook> {
	const { undo } = change;
	// The undo finds it out, and notes it: looking writes nothing.
	if (undo === undefined) return { kind: "ask", why: "Nobody has noted whether it was made." };
	const dependents = dependentsOf([change], history.since(change.id)).length;
	if (dependents > 0) {
		const which = dependents === 1 ? "A later change depends" : `${formatCounted(dependents, "later change")} depend`;
		return { kind: "ask", why: `${which} on it, and would be undone too.` };
	}
	const check = await checkUndo(undo, history.ownEntries(), store, sessionRoots);
	if (check.kind === "done") return { kind: "refuse", why: "everything is as it was before it already" };
	if (check.kind === "clear" && undo.type === "restore") return outlookOfRestore(undo.receipt);
	return check;
}

async function outlookOfRestore(receipt: TrashReceipt): Promise<Outlook> {
	if (receipt.trashed === undefined)
		return { kind: "refuse", why: "this system does not tell where its trash put the file; restore it there" };
	if (!(await isInTrash(receipt))) return { kind: "refuse", why: "it is no longer in the trash" };
	return (await isThere(receipt.path)) ? { kind: "refuse", why: "a file of that name is in its place" } : CLEAR;
}

/**
 * Whether an undone change can be made again: whether everything is as it was before the change. Rejects when the files
 * cannot be read.
 */
export async function outlookOfRedo(
	{ undo, plan, receipt }: Change,
	{ history, store }: Pick<CheckTools, "history" | "store">,
): Promise<Outlook> {
	const own = history.ownEntries();
	switch (undo?.type) {
		case undefined:
			return { kind: "refuse", why: "the journal does not say how it was made" };
		case "rename": {
			const { name } = await store.run("sessionNow", undo.path, { own });
			return textOutlook("name", name, undo.set === undefined ? undefined : storedName(undo.set), undo.name);
		}
		case "label": {
			const { label } = await store.run("sessionNow", undo.path, { labelOf: undo.entryId, own });
			return textOutlook("label", label, undo.set, undo.label);
		}
		case "leaf": {
			if (plan?.type !== "leaf") return { kind: "refuse", why: "the journal does not say from which entry" };
			const { since } = await store.run("sessionNow", undo.path, { fromByte: undo.size, own });
			return since.messages + since.others === 0
				? CLEAR
				: { kind: "refuse", why: "the session has been gone on with since" };
		}
		case "mark":
			return CLEAR;
		case "moved":
			if (!(await isThere(undo.path))) return { kind: "refuse", why: "the session is not where it was" };
			return (await isThere(undo.to)) ? { kind: "refuse", why: "a file of that name is in its place" } : CLEAR;
		case "query":
			return { kind: "refuse", why: "queries are saved anew in the list" };
		case "restore": {
			const { size } = await stat(undo.receipt.path);
			return size === undo.receipt.size
				? CLEAR
				: { kind: "ask", why: "Since then something has been written to the session." };
		}
		case "created":
			return outlookOfMaking(undo, plan, receipt);
	}
}

async function outlookOfMaking(
	undo: Extract<Undo, { type: "created" }>,
	plan: Change["plan"],
	receipt: TrashReceipt | undefined,
): Promise<Outlook> {
	if (await isThere(undo.path)) return { kind: "refuse", why: "a file of that name is in its place" };
	if (receipt !== undefined && (await isInTrash(receipt))) return CLEAR;
	const isKnown = plan?.type === "create" && (plan.entryId ?? plan.cwd) !== undefined;
	if (!isKnown) return { kind: "refuse", why: "the session that it made is no longer in the trash" };
	return (await isThere(plan.path))
		? { kind: "ask", why: "The session that it made is no longer in the trash: it is copied anew." }
		: { kind: "refuse", why: "the session that it copied is gone" };
}

/** `set`: what the change sets; `before`: what there was before it. */
function textOutlook(noun: string, now: string, set: string | undefined, before: string): Outlook {
	if (set === undefined) return { kind: "refuse", why: `the journal does not say which ${noun} it set` };
	if (now === set) return { kind: "refuse", why: `the ${noun} is that already` };
	if (now === before) return CLEAR;
	const why =
		now === "" ? `Since then the ${noun} has been cleared.` : `Since then the ${noun} has been changed to “${now}”.`;
	return { kind: "ask", why };
}
