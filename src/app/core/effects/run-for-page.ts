import type { SessionRow } from "../../../catalog/model/row.ts";
import { outlooksOf } from "../../../changes/engine/outlooks.ts";
import { messageOf } from "../../../changes/engine/reason.ts";
import type { HistoryPart } from "../../../changes/journal/history-reader.ts";
import type { ContainedSessions } from "../../../store/duplicates/contained-sessions.ts";
import { examineSome, readHeads } from "../../features/maintenance/effects/examine-sessions.ts";
import { listFolders } from "../../features/maintenance/effects/list-folders.ts";
import { fateOf, lookAtDirectories } from "../../features/maintenance/effects/look-at-directories.ts";
import { readTrash, readTrashPaths } from "../../features/maintenance/effects/read-trash.ts";
import type { Family } from "../../features/maintenance/families.ts";
import type { TrashItem } from "../../features/maintenance/trash-state.ts";
import { attempt } from "../../world/effects/attempt.ts";
import type { Action } from "../../world/state/action.ts";
import type { Effect } from "../../world/state/effect.ts";
import type { EffectTools } from "./run-effect.ts";

/** The effects that look at something for a page: the history, the trash, what is to be tidied, what was moved. */
type LookingEffect = Extract<
	Effect,
	{
		type:
			| "read-history"
			| "read-trash"
			| "read-trash-paths"
			| "scan-trash"
			| "examine"
			| "read-heads"
			| "look-at-directories"
			| "compare-families"
			| "find-places"
			| "list-folders"
			| "check-place"
			| "note-git"
			| "check-history";
	}
>;

/** Looks at what a page is to show; no session is changed. */
export async function runForPage(effect: LookingEffect, tools: EffectTools): Promise<Action | undefined> {
	switch (effect.type) {
		case "read-history":
			return { type: "history-read", request: effect.request, read: await readHistory(effect.wanted, tools) };
		case "read-trash":
			return { type: "trash-read", request: effect.request, read: await attemptToRead(tools) };
		case "read-trash-paths":
			return { type: "trash-paths", paths: await readTrashPaths(tools) };
		case "scan-trash":
			return { type: "trash-scanned", rows: await scanTrash(effect.paths, tools) };
		case "examine":
			return { type: "examined", request: effect.request, found: await examineSome(effect.paths, tools) };
		case "read-heads":
			return attempt(async () => ({
				type: "heads-read",
				request: effect.request,
				found: await readHeads(effect.paths, tools),
			}));
		case "look-at-directories":
			return {
				type: "directories-looked",
				search: effect.search,
				fates: await lookAtDirectories(effect.directories, tools.patientLook),
			};
		case "compare-families":
			return { type: "families-compared", contained: await compareFamilies(effect.families, tools) };
		case "find-places": {
			const { search, gone, there } = effect;
			return { type: "places-found", search, found: await tools.placeFinder.find(search, gone, there) };
		}
		case "list-folders": {
			const { directory } = effect;
			return { type: "folders-listed", directory, names: await listFolders(directory, tools.patientLook) };
		}
		case "check-place": {
			const { directory, of } = effect;
			return { type: "place-checked", directory, fate: await fateOf(directory, tools.patientLook), of };
		}
		case "note-git":
			await tools.gitNotes.note(effect.directories);
			return undefined;
		case "check-history":
			return {
				type: "history-checked",
				ids: effect.ids,
				outlooks: await outlooksOf(effect.ids, { ...tools, store: tools.lookingStore }),
			};
	}
}

async function readHistory(
	wanted: number,
	{ history }: EffectTools,
): Promise<HistoryPart | { readonly error: string }> {
	try {
		return await history.read(wanted);
	} catch (error) {
		return { error: messageOf(error) };
	}
}

async function attemptToRead(tools: EffectTools): Promise<{ items: TrashItem[] } | { error: string }> {
	try {
		return { items: await readTrash(tools) };
	} catch (error) {
		return { error: messageOf(error) };
	}
}

async function scanTrash(paths: readonly string[], { lookingStore }: EffectTools): Promise<Map<string, SessionRow>> {
	const rows = new Map<string, SessionRow>();
	for (const path of paths) rows.set(path, await lookingStore.run("scanRow", path));
	return rows;
}

/** What cannot be compared now is compared when its files have changed: nothing is proposed that was not. */
export async function compareFamilies(
	families: readonly Family[],
	{ lookingStore }: Pick<EffectTools, "lookingStore">,
): Promise<Map<string, readonly ContainedSessions[]>> {
	const contained = new Map<string, readonly ContainedSessions[]>();
	for (const { key, paths } of families)
		contained.set(key, await lookingStore.run("compareFamily", paths[0] ?? "", paths).catch(() => []));
	return contained;
}
