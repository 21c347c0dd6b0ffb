import { basename } from "node:path";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { errorCode } from "../../store/files/store-error.ts";
import { pathOf } from "../journal/change.ts";
import type { Journal } from "../journal/journal.ts";
import type { Group } from "../journal/journal-schema.ts";
import type { Message } from "../model/state.ts";
import { type Changed, type ChangeEffect, changeSession, nameChange, planChange } from "./change-session.ts";
import { sentence } from "./reason.ts";
import type { StoreClient } from "./store-client.ts";

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
}

/**
 * Changes a session, with a note in the journal before, and the way to undo it after. Rejects with what could not be done,
 * to which session, and why. `group`: what it is a part of.
 */
export async function makeChange(effect: ChangeEffect, tools: ChangeTools, group?: Group): Promise<Noted> {
	const { journal, store, sessionRoots } = tools;
	const path = effect.type === "resume-from" ? effect.request.path : effect.path;
	const title = (effect.type === "restore" ? effect.title : tools.titleOf(path)) ?? basename(path);
	const what = nameChange(effect, title);
	const failure = (error: unknown): Error => new Error(`Cannot ${what}: ${sentence(error)}`, { cause: error });
	let id: string;
	try {
		id = await journal.begin(what, await planChange(effect, sessionRoots), group);
	} catch (error) {
		throw failure(error);
	}
	let changed: Changed;
	try {
		changed = await changeSession(effect, title, store, sessionRoots);
	} catch (error) {
		// What has failed half-way may have left anything behind.
		tools.refresh();
		// Where the thread died nobody knows what was done: the next undo finds out from the file. So it does if this note
		// cannot be written.
		if (errorCode(error) !== "worker-ended") await journal.discard(id).catch(() => undefined);
		throw failure(error);
	}
	const { undo } = changed;
	if (undo === undefined) {
		// Where this cannot be noted, the next undo finds out from the file that nothing was done.
		await journal.discard(id).catch(() => undefined);
		return { ...changed, message: { text: changed.text, tone: "muted" } };
	}
	tools.changed([pathOf(undo)]);
	try {
		await journal.done(id, undo, changed.entryId);
		return { ...changed, message: { text: changed.text, tone: "text" } };
	} catch (error) {
		const text = `${changed.text}; it may not be possible to undo that, since ${sentence(error)}`;
		return { ...changed, message: { text, tone: "warning" } };
	}
}
