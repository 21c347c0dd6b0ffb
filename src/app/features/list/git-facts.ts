import { noteGit, repositoryOf } from "../../../catalog/git/git-notes.ts";
import { findBranches } from "../../../catalog/git/git-repository.ts";
import { flatConditions } from "../../../catalog/query/conditions.ts";
import { memoLast } from "../../../shared/memo.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { searchOf } from "../../world/list/list-search.ts";
import { listColumns } from "../../world/list/list-view.ts";
import { orderInUse } from "../../world/list/select-list.ts";
import { directoriesHere } from "../../world/list/session-groups.ts";
import { layoutFor } from "../../world/screen/layout.ts";
import type { State } from "../../world/state/state.ts";

/** Directories whose facts from Git are stored: those used last. */
const MAX_NOTED = 500;
/** Before everything is listed, the directories of sessions are not known. */
const NOT_LISTED: readonly string[] = [];

/**
 * The repository of the present directory, read when the first rows are shown. Once everything is listed, Git's facts about the
 * directories of sessions are stored, to find them again when they are moved, and it is read again: only now are those of its
 * worktrees known that are gone.
 */
export const REPOSITORY = defineQuery<readonly string[], readonly string[] | undefined>({
	name: "repository",
	wanted({ catalog }, { asked }) {
		if (catalog.here.size === 0) return undefined;
		if (asked !== undefined && (asked !== NOT_LISTED || !catalog.complete)) return asked;
		return catalog.complete ? directoriesHere(catalog.here) : NOT_LISTED;
	},
	finishes: () => true,
	async load(directories, { disk }) {
		if (directories !== NOT_LISTED) await noteGit(directories.slice(0, MAX_NOTED), disk);
		return repositoryOf(disk.cwd, directories, disk);
	},
	answered(state, { value: repository = state.git.repository }) {
		return { ...state, git: { ...state.git, repository } };
	},
});

/** The branches of the directories of all sessions, while the list shows them. */
export const BRANCHES_OF_DIRECTORIES = defineQuery<readonly string[], ReadonlyMap<string, string>>({
	name: "branches of directories",
	wanted(state) {
		const { catalog, git } = state;
		// Not before the first rows are shown.
		if (catalog.here.size === 0 || !showsBranches(state)) return undefined;
		const directories = unknownDirectories(catalog.here, git.branches);
		return directories.length === 0 ? undefined : directories;
	},
	finishes: () => true,
	load: findBranches,
	answered(state, { value = [] }) {
		return { ...state, git: { ...state.git, branches: new Map([...state.git.branches, ...value]) } };
	},
});

function showsBranches(state: State): boolean {
	const box = layoutFor(state).list;
	if (box === undefined) return false;
	if (flatConditions(searchOf(state).query.conditions).some(({ field }) => field === "branch")) return true;
	return orderInUse(state).sort === "git" || listColumns(state, box.width).some(({ column }) => column === "git");
}

const unknownDirectories = memoLast(
	(rows: State["catalog"]["rows"], branches: State["git"]["branches"]): readonly string[] => {
		const unknown = new Set<string>();
		for (const { cwd } of rows.values()) if (cwd !== "" && !branches.has(cwd)) unknown.add(cwd);
		return [...unknown];
	},
);
