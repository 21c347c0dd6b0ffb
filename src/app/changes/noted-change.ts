import { basename } from "node:path";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { pathOf } from "../journal/change.ts";
import type { Journal } from "../journal/journal.ts";
import type { Group } from "../journal/journal-schema.ts";
import type { Message } from "../world/state.ts";
import { type Changed, type ChangeEffect, changeSession, nameChange, planChange } from "./change-session.ts";
import type { StoreClient } from "./store-client.ts";
import { tellNoted, withNote } from "./with-note.ts";

/** What a change needs of the world outside. */
export interface ChangeTools {
	readonly journal: Journal;
	readonly store: StoreClient;
	readonly sessionRoots: SessionRoots;
	/** The title of a session, as the list shows it; undefined when it is not listed. */
	readonly titleOf: (path: string) => string | undefined;
	/** Has the catalog read these session files, which were changed, created or removed. */
	readonly changed: (paths: readonly string[]) => void;
	/** Has the catalog compare itself with the disk. */
	readonly refresh: () => void;
}

/** A change that was made, with what there is to say of it. */
export interface Noted extends Changed {
	readonly message: Message;
	/** Why it could not be noted that it was made, if it could not: it may not be possible to undo it. */
	readonly unnoted: unknown;
	/** Of the change in the journal. */
	readonly id: string;
}

/**
 * Changes a session, with a note in the journal before, and the way to undo it after. Rejects with what could not be done,
 * to which session, and why. `group`: what it is a part of.
 */
export async function makeChange(effect: ChangeEffect, tools: ChangeTools, group?: Group): Promise<Noted> {
	const { journal, store, sessionRoots } = tools;
	const path = effect.type === "resume-from" ? effect.request.path : effect.path;
	const title = (effect.type === "restore" ? effect.title : tools.titleOf(path)) ?? basename(path);
	const begun = { what: nameChange(effect, title), plan: planChange(effect, sessionRoots), group };
	const { made, unnoted, id } = await withNote(journal, begun, async () => {
		try {
			const changed = await changeSession(effect, title, store, sessionRoots);
			if (changed.undo !== undefined) tools.changed([pathOf(changed.undo)]);
			return changed;
		} catch (error) {
			// What has failed half-way may have left anything behind.
			tools.refresh();
			throw error;
		}
	});
	const message =
		made.undo === undefined ? ({ text: made.text, tone: "muted" } as const) : tellNoted(made.text, unnoted);
	return { ...made, message, unnoted, id };
}
