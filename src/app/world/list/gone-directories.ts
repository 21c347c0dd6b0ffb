import { memoLast } from "../../../shared/memo.ts";
import { setRealProject } from "../../../shared/paths.ts";
import { defineQuery } from "../effects/define-query.ts";
import { checkDirectories, type DirectoryFate } from "../effects/directories.ts";
import type { State } from "../state/state.ts";
import { withRows } from "./catalog-rows.ts";
import { directoriesHere } from "./session-groups.ts";

/** Whether directories exist, by their paths, as far as they have been checked. */
export type Fates = ReadonlyMap<string, DirectoryFate>;

/** Whether a directory has not been checked yet. */
export function isLooking(state: State): boolean {
	const fates = fatesIn(state);
	return directoriesHere(state.catalog.here).some((directory) => !fates.has(directory));
}

/** Which directories of sessions exist. They are checked once everything is listed, and again when some have been added. */
export const FATES = defineQuery<readonly string[], Fates>({
	name: "directories",
	wanted(state, { asked, isStale }) {
		if (!state.catalog.complete) return undefined;
		if (asked !== undefined && !isStale && !isLooking(state)) return asked;
		return directoriesHere(state.catalog.here);
	},
	finishes: () => true,
	load: (directories, { disk }) => checkDirectories(directories, disk.readDisk),
	answered(state, { value = NO_FATES }) {
		const renamed = new Set([...value].flatMap(([directory, fate]) => (isRenamed(directory, fate) ? [directory] : [])));
		const rows = state.catalog.here.values().filter(({ cwd }) => renamed.has(cwd));
		const catalog = withRows(
			state.catalog,
			[...rows].map((row) => ({ ...row })),
		);
		return { ...state, catalog: { ...state.catalog, ...catalog } };
	},
});

/** Whether a directory turns out to be that of another project, or the link to one. */
function isRenamed(directory: string, fate: DirectoryFate): boolean {
	return fate.kind === "there" && setRealProject(directory, fate.real);
}

export function fatesIn(state: State): Fates {
	return FATES.of(state).value ?? NO_FATES;
}

const NO_FATES: Fates = new Map();

/** The directories of sessions that do not exist any more, as far as they have been checked. */
export function goneDirectories(state: State): ReadonlySet<string> {
	return goneAmong(fatesIn(state));
}

const goneAmong = memoLast(
	(fates: Fates): ReadonlySet<string> =>
		new Set([...fates].flatMap(([directory, { kind }]) => (kind === "gone" ? [directory] : []))),
);

/** The same for a sign in the list: none where more than three quarters of the sessions would have it, as in a home that was moved. */
export function goneSigned(state: State): ReadonlySet<string> {
	return fewGone(goneDirectories(state), state.catalog.here);
}

const fewGone = memoLast((gone: ReadonlySet<string>, rows: State["catalog"]["here"]): ReadonlySet<string> => {
	const count = rows.values().reduce((sum, { cwd }) => (gone.has(cwd) ? sum + 1 : sum), 0);
	return count * 4 > rows.size * 3 ? new Set() : gone;
});
