import type { SessionRow } from "../../../catalog/model/row.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { transition } from "../../world/state/transition.ts";
import { sessionGroups, unfound, unlooked } from "./gone-groups.ts";
import type { DirectoryFate, FoundPlace } from "./moved-state.ts";
import { MOVED } from "./moved-state.ts";
import { placePrompt, proposedProjects, typedParent } from "./place-candidates.ts";

/** Directories that are looked at in one go, and those for which a new place is looked for. */
const LOOKED_AT_ONCE = 256;
const FOUND_AT_ONCE = 8;
/** Of each of these so many sessions are read for the files that they touched, and none that is larger. */
const READ_FOR_FILES = 3;
const MOST_READ_BYTES = 8_000_000;

/**
 * Has the directories of sessions looked at, if they are `wanted`, and the new places of those that are gone, if those are
 * shown; and what a prompt proposes.
 */
export function syncMoved(state: State, wanted: { readonly fates: boolean; readonly places: boolean }): Transition {
	const [prompting, list] = listFolders(state);
	const [looking, look] = lookAt(prompting, unknownDirectories(prompting, wanted.fates));
	const [finding, find] = wanted.places ? findPlaces(looking) : transition(looking);
	return [finding, [...list, ...look, ...find]];
}

/** Directories of which it has to be known whether they are there. */
function unknownDirectories(state: State, wantsAll: boolean): readonly string[] {
	if (MOVED.of(state).looking.length > 0) return [];
	const proposed = placePrompt(state) === undefined ? [] : proposedProjects(state);
	const unknown = proposed.filter((directory) => !MOVED.of(state).fates.has(directory));
	return unknown.length > 0 || !wantsAll ? unknown : unlooked(state);
}

function lookAt(state: State, wanted: readonly string[]): Transition {
	const directories = wanted.slice(0, LOOKED_AT_ONCE);
	if (directories.length === 0) return transition(state);
	const { search } = MOVED.of(state);
	return transition(MOVED.with(state, { looking: directories }), { type: "look-at-directories", search, directories });
}

function findPlaces(state: State): Transition {
	const { search, fates, finding: before } = MOVED.of(state);
	// Known directories are where new places are likely to be, so all of them are looked at first.
	if (before.length > 0 || unlooked(state).length > 0) return transition(state);
	const gone = unfound(state).slice(0, FOUND_AT_ONCE);
	if (gone.length === 0) return transition(state);
	const there = sessionGroups(state.catalog.rows)
		.map(({ key }) => key)
		.filter((key) => fates.get(key)?.kind === "there");
	const finding = gone.map(({ key }) => key);
	const wanted = gone.map(({ key, rows }) => ({ directory: key, sessions: toRead(rows) }));
	return transition(MOVED.with(state, { finding }), { type: "find-places", search, gone: wanted, there });
}

/** Sessions of a directory that say which files it had: the newest, but for large ones. */
function toRead(rows: readonly SessionRow[]): readonly string[] {
	const newest = rows.toSorted((a, b) => b.modified.getTime() - a.modified.getTime());
	return newest
		.filter(({ size }) => size <= MOST_READ_BYTES)
		.slice(0, READ_FOR_FILES)
		.map(({ path }) => path);
}

/** Has the folders listed to which the path that is typed can be completed. */
function listFolders(state: State): Transition {
	const prompt = placePrompt(state);
	const directory = prompt && typedParent(prompt, state.environment);
	if (directory === undefined || MOVED.of(state).folders?.directory === directory) return transition(state);
	return transition(MOVED.with(state, { folders: { directory, names: undefined } }), {
		type: "list-folders",
		directory,
	});
}

/** What is at the places of directories. */
export function applyFates(state: State, search: number, fates: ReadonlyMap<string, DirectoryFate>): State {
	const moved = MOVED.of(state);
	if (moved.search !== search) return state;
	return MOVED.with(state, { fates: new Map([...moved.fates, ...fates]), looking: [] });
}

/** Where directories that are gone may be now. */
export function applyFound(state: State, search: number, found: ReadonlyMap<string, readonly FoundPlace[]>): State {
	const moved = MOVED.of(state);
	if (moved.search !== search) return state;
	return MOVED.with(state, { found: new Map([...moved.found, ...found]), finding: [] });
}

/** The folders in the directory that is being typed. */
export function applyFolders(state: State, directory: string, names: readonly string[]): State {
	return MOVED.of(state).folders?.directory === directory
		? MOVED.with(state, { folders: { directory, names } })
		: state;
}
