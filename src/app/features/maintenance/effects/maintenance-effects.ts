import type { SessionRow } from "../../../../catalog/model/row.ts";
import { messageOf } from "../../../../changes/reason.ts";
import { expectErrors, type Runners } from "../../../world/effects/runners.ts";
import { checkDirectories, fateOf, listFolders } from "./check-directories.ts";
import { compareFamilies, examineSome, planRepairs, readHeads } from "./examine-sessions.ts";
import type { PlaceFinder } from "./find-places.ts";
import type { GitNotes } from "./git-notes.ts";
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
	| "find-places"
	| "list-folders"
	| "check-place"
	| "note-git";

/** What remembers something of directories between two effects. */
export interface DirectoryTools {
	readonly placeFinder: PlaceFinder;
	readonly gitNotes: GitNotes;
}

/** What the view Maintenance finds out; no session is changed. */
export function maintenanceEffects({ placeFinder, gitNotes }: DirectoryTools): Runners<MaintenanceEffectType> {
	return {
		async "read-trash"({ request }, { store, journal }) {
			const read = await readTrash({ history: journal.history, sessionRoots: store.roots }).then(
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
				return { type: "heads-read", request, found: await readHeads(paths, store.readThread) };
			},
		}),
		"plan-repair": ({ paths }, tools) => planRepairs(paths, tools),
		async "compare-families"({ families }, { store }) {
			return { type: "families-compared", contained: await compareFamilies(families, store.readThread) };
		},
		async "check-directories"({ search, directories }, { disk }) {
			return { type: "directories-checked", search, fates: await checkDirectories(directories, disk.patientLook) };
		},
		async "find-places"({ search, gone, there }) {
			return { type: "places-found", search, found: await placeFinder.find(search, gone, there) };
		},
		async "list-folders"({ directory }, { disk }) {
			return { type: "folders-listed", directory, names: await listFolders(directory, disk.patientLook) };
		},
		async "check-place"({ directory, of }, { disk }) {
			return { type: "place-checked", directory, fate: await fateOf(directory, disk.patientLook), of };
		},
		async "note-git"({ directories }) {
			await gitNotes.note(directories);
			return undefined;
		},
	};
}
