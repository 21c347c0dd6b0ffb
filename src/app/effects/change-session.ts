import { stat } from "node:fs/promises";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { trashSession } from "../../store/actions/trash.ts";
import { defaultSessionDir } from "../../store/read/session-dir.ts";
import type { Undo } from "../journal/journal-schema.ts";
import type { Effect } from "../model/effect.ts";
import type { StoreClient } from "./store-client.ts";

/** The result of a change to a session. */
export interface Changed {
	/** What was done, in words. */
	readonly text: string;
	readonly undo: Undo;
	/** Path of a new session. */
	readonly created?: string;
	/** Text of the message that the person is to say again, for the clipboard. */
	readonly sayAgain?: string | undefined;
}

/** The effects that write to sessions. */
export type ChangeEffect = Extract<Effect, { type: "rename" | "label" | "branch" | "fork" | "trash" | "resume-from" }>;

/** Describes a change in words, for the journal. */
export function nameChange(effect: ChangeEffect): string {
	switch (effect.type) {
		case "rename":
			return effect.name === "" ? "clear the name" : `rename to ${effect.name}`;
		case "label":
			return effect.label === "" ? "remove the label" : `label ${effect.label}`;
		case "branch":
			return "branch into a new session";
		case "fork":
			return "fork into a new session";
		case "trash":
			return "move to the trash";
		case "resume-from":
			return "go on from an earlier entry";
	}
}

/** Makes the change. When it rejects, the session is as it was, unless the error says otherwise. */
export async function changeSession(
	effect: ChangeEffect,
	store: StoreClient,
	sessionRoots: SessionRoots,
): Promise<Changed> {
	switch (effect.type) {
		case "rename": {
			const { before } = await store.run("renameSession", effect.path, effect.name);
			const text = effect.name === "" ? "Name cleared" : `Renamed to ${effect.name}`;
			return { text, undo: { type: "rename", path: effect.path, name: before } };
		}
		case "label": {
			const { path, entryId, label } = effect;
			const { before } = await store.run("labelEntry", path, entryId, label === "" ? undefined : label);
			const text = label === "" ? "Label removed" : `Labeled ${label}`;
			return { text, undo: { type: "label", path, entryId, label: before ?? "" } };
		}
		case "branch":
			return created(await store.run("branchSession", effect.path, effect.entryId), "Branched into a new session");
		case "fork":
			return created(
				await store.run("forkSession", effect.path, effect.cwd, dirFor(effect.cwd, sessionRoots)),
				"Forked into a new session",
			);
		case "trash":
			return { text: "Moved to the trash", undo: { type: "restore", receipt: await trashSession(effect.path) } };
		case "resume-from": {
			const { leafId, text } = await store.run("resumePoint", effect.request.path, effect.entryId);
			const { path } = effect.request;
			const undo: Undo = { type: "leaf", path, leafId, size: (await stat(path)).size };
			return { text: "The session goes on from this entry", undo, sayAgain: text };
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
