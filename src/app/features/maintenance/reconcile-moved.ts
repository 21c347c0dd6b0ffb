import type { SessionRow } from "../../../catalog/model/row.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import { openDestinationPrompt, proposedProjects, typedParent } from "./ask-moves.ts";
import { sessionGroups, uncheckedDirectories, unsearchedGroups } from "./gone-groups.ts";
import { type DirectoryFate, type FoundDestination, MOVED } from "./maintenance-state.ts";

/** Directories checked with one effect, and missing ones whose replacements are searched with one. */
const CHECKED_AT_ONCE = 256;
const FOUND_AT_ONCE = 8;
/** Sessions of a missing directory that are read for the files they touched, and the largest size for that. */
const READ_FOR_FILES = 3;
const MOST_READ_BYTES = 8_000_000;

/**
 * Requests checks of the directories of sessions (`fates`), of candidates for the missing ones (`places`), and of what a
 * prompt proposes.
 */
export function syncDirectories(
	state: State,
	wanted: { readonly fates: boolean; readonly places: boolean },
): Transition {
	const [prompting, list] = listFolders(state);
	const [checking, check] = checkNext(prompting, unknownDirectories(prompting, wanted.fates));
	const [finding, find] = wanted.places ? findDestinations(checking) : transition(checking);
	return [finding, [...list, ...check, ...find]];
}

/** Directories still to be checked; those that a prompt proposes come first. */
function unknownDirectories(state: State, wantsAll: boolean): readonly string[] {
	if (MOVED.of(state).checking.length > 0) return [];
	const proposed = openDestinationPrompt(state) === undefined ? [] : proposedProjects(state);
	const unknown = proposed.filter((directory) => !MOVED.of(state).fates.has(directory));
	return unknown.length > 0 || !wantsAll ? unknown : uncheckedDirectories(state);
}

function checkNext(state: State, wanted: readonly string[]): Transition {
	const directories = wanted.slice(0, CHECKED_AT_ONCE);
	if (directories.length === 0) return transition(state);
	const { search } = MOVED.of(state);
	return transition(MOVED.with(state, { checking: directories }), { type: "check-directories", search, directories });
}

function findDestinations(state: State): Transition {
	const { search, fates, finding: before } = MOVED.of(state);
	// Known directories are the likeliest candidates, so all of them are checked first.
	if (before.length > 0 || uncheckedDirectories(state).length > 0) return transition(state);
	const gone = unsearchedGroups(state).slice(0, FOUND_AT_ONCE);
	if (gone.length === 0) return transition(state);
	const there = sessionGroups(state.catalog.here)
		.map(({ key }) => key)
		.filter((key) => fates.get(key)?.kind === "there");
	const finding = gone.map(({ key }) => key);
	const wanted = gone.map(({ key, rows }) => ({ directory: key, sessions: toRead(rows) }));
	return transition(MOVED.with(state, { finding }), { type: "find-destinations", search, gone: wanted, there });
}

/** The sessions to read for the files that a directory had: the newest, without large ones. */
function toRead(rows: readonly SessionRow[]): readonly string[] {
	const newest = rows.toSorted((a, b) => b.modified.getTime() - a.modified.getTime());
	return newest
		.filter(({ size }) => size <= MOST_READ_BYTES)
		.slice(0, READ_FOR_FILES)
		.map(({ path }) => path);
}

/** Requests the folders to which the typed path can be completed. */
function listFolders(state: State): Transition {
	const prompt = openDestinationPrompt(state);
	const directory = prompt && typedParent(prompt, state.environment);
	if (directory === undefined || MOVED.of(state).folders?.directory === directory) return transition(state);
	return transition(MOVED.with(state, { folders: { directory, names: undefined } }), {
		type: "list-folders",
		directory,
	});
}

/** Stores whether directories exist. */
export function applyFates(state: State, search: number, fates: ReadonlyMap<string, DirectoryFate>): State {
	const moved = MOVED.of(state);
	if (moved.search !== search) return state;
	return MOVED.with(state, { fates: new Map([...moved.fates, ...fates]), checking: [] });
}

/** Stores the candidates for missing directories. */
export function applyFound(
	state: State,
	search: number,
	found: ReadonlyMap<string, readonly FoundDestination[]>,
): State {
	const moved = MOVED.of(state);
	if (moved.search !== search) return state;
	return MOVED.with(state, { found: new Map([...moved.found, ...found]), finding: [] });
}

/** Stores the folders in the directory being typed. */
export function applyFolders(state: State, directory: string, names: readonly string[]): State {
	return MOVED.of(state).folders?.directory === directory
		? MOVED.with(state, { folders: { directory, names } })
		: state;
}
