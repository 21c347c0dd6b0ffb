import type { SessionRow } from "../../../../catalog/model/row.ts";
import { describeOutcome, eachSession } from "../../../../changes/engine/each-session.ts";
import { messageOf, sentence } from "../../../../changes/reason.ts";
import type { StoreClient } from "../../../../changes/store-thread/store-client.ts";
import type { ContainedSessions } from "../../../../store/doctor/contained-sessions.ts";
import { type Examination, unreadable } from "../../../../store/doctor/examine-session.ts";
import type { PlannedCopy } from "../../../../store/doctor/repair-session.ts";
import type { SessionHead } from "../../../../store/doctor/session-head.ts";
import { quote } from "../../../../ui/text/width.ts";
import type { Capabilities } from "../../../world/effects/capabilities.ts";
import { type GitNotes, repositoryOf } from "../../../world/effects/git-notes.ts";
import { expectErrors, type Runners } from "../../../world/effects/runners.ts";
import type { Action } from "../../../world/state/action.ts";
import type { Family } from "../duplicates.ts";
import { checkDirectories, type FindDestinations, fateOf, listFolders } from "./find-destinations.ts";
import { readTrash, readTrashPaths } from "./read-trash.ts";

type MaintenanceEffectType =
	| "read-trash"
	| "read-trash-paths"
	| "scan-trash"
	| "examine"
	| "read-heads"
	| "plan-repair"
	| "compare-families"
	| "check-directories"
	| "find-destinations"
	| "list-folders"
	| "check-destination"
	| "note-git";

/** What remembers something of directories between two effects. */
export interface DirectoryTools {
	readonly findDestinations: FindDestinations;
	readonly gitNotes: GitNotes;
}

/** What the view Maintenance finds out; no session is changed. */
export function maintenanceEffects({ findDestinations, gitNotes }: DirectoryTools): Runners<MaintenanceEffectType> {
	return {
		async "read-trash"({ request }, { store, journal }) {
			const read = await readTrash(journal.history, store.roots).then(
				(items) => ({ items }),
				(error: unknown) => ({ error: messageOf(error) }),
			);
			return { type: "trash-read", request, read };
		},
		"read-trash-paths": async (_, { store }) => ({ type: "trash-paths", paths: await readTrashPaths(store.roots) }),
		async "scan-trash"({ paths }, { store }) {
			const rows = new Map<string, SessionRow>();
			for (const path of paths) rows.set(path, await store.readThread.run("scanRow", path));
			return { type: "trash-scanned", rows };
		},
		async examine({ request, paths }, { store }) {
			return { type: "examined", request, found: await examineSome(paths, store.readThread) };
		},
		...expectErrors<"read-heads">({
			async "read-heads"({ request, paths }, { store }) {
				const found: SessionHead[] = [];
				for (const path of paths) found.push(await store.readThread.run("readHead", path));
				return { type: "heads-read", request, found };
			},
		}),
		"plan-repair": ({ paths }, tools) => planRepairs(paths, tools),
		async "compare-families"({ families }, { store }) {
			return { type: "families-compared", contained: await compareFamilies(families, store.readThread) };
		},
		async "check-directories"({ search, directories }, { disk }) {
			return { type: "directories-checked", search, fates: await checkDirectories(directories, disk.readDisk) };
		},
		async "find-destinations"({ search, gone, there }) {
			return { type: "destinations-found", search, found: await findDestinations(search, gone, there) };
		},
		async "list-folders"({ directory }, { disk }) {
			return { type: "folders-listed", directory, names: await listFolders(directory, disk.readDisk) };
		},
		async "check-destination"({ directory, of }, { disk }) {
			return { type: "destination-checked", directory, fate: await fateOf(directory, disk.readDisk), of };
		},
		async "note-git"({ directories, all }, { disk }) {
			await gitNotes.note(directories);
			// Only now are the directories known that nobody has seen.
			return { type: "git-read", repository: await repositoryOf(disk.cwd, all, disk), branches: new Map() };
		},
	};
}

/** Findings of this time, in ms, are shown together. */
const BATCH_MS = 100;

/** A store thread that only reads. */
type ReadThread = Pick<StoreClient, "run">;

/** Examines the first of these sessions: at least one, and as many as there is time for. A failure is a finding. */
async function examineSome(paths: readonly string[], thread: ReadThread): Promise<Examination[]> {
	const end = performance.now() + BATCH_MS;
	const found: Examination[] = [];
	for (const path of paths) {
		found.push(await thread.run("examineSession", path).catch((error: unknown) => unreadable(path, sentence(error))));
		if (performance.now() >= end) break;
	}
	return found;
}

/**
 * Which sessions of each family are wholly contained in another one of it, by the family's key. A family that cannot be compared
 * proposes nothing, and is compared again when its files have changed.
 */
export async function compareFamilies(
	families: readonly Family[],
	thread: ReadThread,
): Promise<Map<string, readonly ContainedSessions[]>> {
	const contained = new Map<string, readonly ContainedSessions[]>();
	for (const { key, paths } of families)
		contained.set(key, await thread.run("compareFamily", paths[0] ?? "", paths).catch(() => []));
	return contained;
}

/** Finds out what repaired copies of these sessions would contain; writes nothing. Never rejects. */
async function planRepairs(
	paths: readonly string[],
	{ store, terminal }: Pick<Capabilities, "store" | "terminal">,
): Promise<Action> {
	const nameOf = (path: string): string => quote(store.titleOf(path) ?? path);
	const one = async (path: string): Promise<readonly [string, readonly PlannedCopy[]]> => [
		path,
		await store.readThread.run("planRepair", path),
	];
	const outcome = await eachSession(paths, "Planning repaired copies", { nameOf, one }, terminal.work);
	if (outcome.left === 0 && outcome.done.length > 0) return { type: "repair-planned", planned: new Map(outcome.done) };
	const words = { changed: 0, done: "Nothing was repaired", left: "were not looked at" };
	return { type: "done", message: describeOutcome(outcome, words) };
}
