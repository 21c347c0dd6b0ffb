import { lstat, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { trashDirs } from "../../store/actions/find-in-trash.ts";
import { notTold, restoreSession, trashSession } from "../../store/actions/trash.ts";
import { storeError } from "../../store/files/store-error.ts";
import { defaultSessionDir } from "../../store/read/session-dir.ts";
import { quote } from "../../ui/text/quote.ts";
import type { Plan, Undo } from "../journal/journal-schema.ts";
import type { Effect } from "../world/effect.ts";
import type { StoreClient } from "./store-client.ts";

/** The result of a change to a session. */
export interface Changed {
	/** What was done, in words. */
	readonly text: string;
	/** The way back; undefined when the session already was as it should be, so that nothing was done. */
	readonly undo?: Undo;
	/** Id of the entry that was appended, if one was. */
	readonly entryId?: string | undefined;
	/** Path of a new session. */
	readonly created?: string;
	/** Text of the message that the person is to say again, for the clipboard. */
	readonly sayAgain?: string | undefined;
}

/** The effects that write to sessions. */
export type ChangeEffect = Extract<
	Effect,
	{ type: "rename" | "label" | "forward" | "branch" | "fork" | "trash" | "restore" | "resume-from" }
>;

/** Describes a change in words, for the journal and for errors: "Cannot …". `title` is that of the session. */
export function nameChange(effect: ChangeEffect, title: string): string {
	const session = quote(title);
	switch (effect.type) {
		case "rename":
			return effect.name === "" ? `clear the name ${session}` : `rename ${session} to ${quote(effect.name)}`;
		case "label":
			return effect.label === ""
				? `remove a label in ${session}`
				: `set the label ${quote(effect.label)} in ${session}`;
		case "forward":
			return `go on from the end of ${session}`;
		case "branch":
			return `branch ${session} into a new session`;
		case "fork":
			return `fork ${session} into a new session`;
		case "trash":
			return `move ${session} to the trash`;
		case "restore":
			return `restore ${session} from the trash`;
		case "resume-from":
			return `go on in ${session} from an earlier entry`;
	}
}

/** What the change will do to which file, for the journal. Rejects with a `StoreError` when there is no such file. */
export async function planChange(effect: ChangeEffect, sessionRoots: SessionRoots): Promise<Plan> {
	switch (effect.type) {
		case "rename":
			return { type: "rename", path: effect.path, set: effect.name };
		case "label":
			return { type: "label", path: effect.path, entryId: effect.entryId, set: effect.label };
		case "forward":
			return { type: "leaf", path: effect.path, entryId: effect.entryId, forward: true };
		case "branch":
			return { type: "create", path: effect.path, dir: dirname(effect.path), entryId: effect.entryId };
		case "fork":
			return { type: "create", path: effect.path, dir: dirFor(effect.cwd, sessionRoots), cwd: effect.cwd };
		case "trash": {
			const path = resolve(effect.path);
			return { type: "trash", path, size: await sizeOf(path), trashes: trashDirs(path) };
		}
		case "restore": {
			const { size, trashed } = effect.receipt;
			if (trashed === undefined) throw notTold(effect.path);
			return { type: "restore", path: effect.path, size, trashed };
		}
		case "resume-from":
			return { type: "leaf", path: effect.request.path, entryId: effect.entryId };
	}
}

/** Makes the change. When it rejects, the session is as it was, unless the error says otherwise. */
export async function changeSession(
	effect: ChangeEffect,
	title: string,
	store: StoreClient,
	sessionRoots: SessionRoots,
): Promise<Changed> {
	const session = quote(title);
	switch (effect.type) {
		case "rename": {
			const { path, name } = effect;
			const { before, entryId } = await store.run("renameSession", path, name);
			if (entryId === undefined) return { text: `${session} already has ${name === "" ? "no name" : "that name"}` };
			const text = name === "" ? `Cleared the name ${session}` : `Renamed ${session} to ${quote(name)}`;
			return { text, undo: { type: "rename", path, name: before, set: name }, entryId };
		}
		case "label": {
			const { path, entryId: target, label } = effect;
			const { before = "", entryId } = await store.run("labelEntry", path, target, label === "" ? undefined : label);
			if (entryId === undefined) return { text: `The entry already has ${label === "" ? "no label" : "that label"}` };
			const text = label === "" ? `Label removed in ${session}` : `Label ${quote(label)} set in ${session}`;
			return { text, undo: { type: "label", path, entryId: target, label: before, set: label }, entryId };
		}
		case "forward": {
			const { path } = effect;
			const { leafId, entryId } = await store.run("forwardLeaf", path, effect.entryId);
			if (entryId === undefined) return { text: `${session} already goes on from its end` };
			const undo: Undo = { type: "leaf", path, leafId, size: (await stat(path)).size };
			return { text: `${session} goes on from its end`, undo, entryId };
		}
		case "branch":
			return created(
				await store.run("branchSession", effect.path, effect.entryId),
				`Branched ${session} into a new session`,
			);
		case "fork":
			return created(
				await store.run("forkSession", effect.path, effect.cwd, dirFor(effect.cwd, sessionRoots)),
				`Forked ${session} into a new session`,
			);
		case "trash": {
			const receipt = await trashSession(effect.path, { size: effect.shown.row.size });
			const back = receipt.trashed === undefined ? "" : " (undo brings it back)";
			return { text: `Moved ${session} to the trash${back}`, undo: { type: "restore", receipt } };
		}
		case "restore": {
			const { path } = effect;
			await restoreSession(effect.receipt, path);
			return {
				text: `Restored ${session} from the trash`,
				undo: { type: "created", path, size: (await stat(path)).size },
			};
		}
		case "resume-from": {
			const { path } = effect.request;
			const { leafId, text, entryId } = await store.run("resumePoint", path, effect.entryId);
			const undo: Undo = { type: "leaf", path, leafId, size: (await stat(path)).size };
			return { text: `${session} goes on from this entry`, undo, entryId, sayAgain: text };
		}
	}
}

/** Directory for new sessions of the project `cwd`. */
function dirFor(cwd: string, sessionRoots: SessionRoots): string {
	return sessionRoots.kind === "custom" ? sessionRoots.dir : defaultSessionDir(cwd, sessionRoots.agentDir);
}

async function created(path: string, text: string): Promise<Changed> {
	const { size } = await stat(path);
	return { text, undo: { type: "created", path, size }, created: path };
}

async function sizeOf(path: string): Promise<number> {
	try {
		return (await lstat(path)).size;
	} catch (error) {
		throw storeError(path, "move the session to the trash", error);
	}
}
