import type { DirectoryFate, FoundPlace, MovedState } from "../model/moved-state.ts";
import type { State } from "../model/state.ts";
import { type Transition, transition } from "../model/transition.ts";
import { pageOf } from "../page/open-page.ts";
import { isSearched, sessionGroups, unfound, unlooked } from "./gone-groups.ts";
import { placePrompt, proposedProjects, typedParent } from "./place-candidates.ts";
import { neighborPlaces } from "./propose-places.ts";

/** Directories that are looked at in one go, and those for which a new place is looked for. */
const LOOKED_AT_ONCE = 256;
const FOUND_AT_ONCE = 8;

/** Has the directories of sessions looked at, and the new places of those that are gone; and what a prompt proposes. */
export function syncMoved(state: State, isOpen: boolean): Transition {
	const [prompting, list] = listFolders(state);
	const [looking, look] = lookAt(prompting, wantedBy(prompting, isOpen || pageOf(state) === "maintenance"));
	const [finding, find] = isOpen ? findPlaces(looking) : transition(looking);
	return [finding, [...list, ...look, ...find]];
}

/** Directories of which it has to be known whether they are there. */
function wantedBy(state: State, isOpen: boolean): readonly string[] {
	if (state.moved.looking.length > 0) return [];
	const isUnknown = (directory: string): boolean => !state.moved.fates.has(directory);
	const proposed = placePrompt(state) === undefined ? [] : proposedProjects(state).filter(isUnknown);
	if (proposed.length > 0) return proposed;
	if (!isOpen) return [];
	const own = unlooked(state);
	if (own.length > 0) return own;
	return isSearched(state) ? besideOthers(state).filter(isUnknown) : [];
}

/** Where directories would be that were moved with others. */
function besideOthers({ moved }: State): readonly string[] {
	return [...neighborPlaces(moved.found).values()].flatMap((places) => places.map(({ directory }) => directory));
}

function lookAt(state: State, wanted: readonly string[]): Transition {
	const directories = wanted.slice(0, LOOKED_AT_ONCE);
	if (directories.length === 0) return transition(state);
	const { search } = state.moved;
	return transition(withMoved(state, { looking: directories }), { type: "look-at-directories", search, directories });
}

function findPlaces(state: State): Transition {
	const { search, fates, finding } = state.moved;
	// Known directories are where new places are likely to be, so all of them are looked at first.
	if (finding.length > 0 || unlooked(state).length > 0) return transition(state);
	const gone = unfound(state).slice(0, FOUND_AT_ONCE);
	if (gone.length === 0) return transition(state);
	const there = sessionGroups(state.catalog.rows)
		.map(({ key }) => key)
		.filter((key) => fates.get(key)?.kind === "there");
	return transition(withMoved(state, { finding: gone }), { type: "find-places", search, gone, there });
}

/** Has the folders listed to which the path that is typed can be completed. */
function listFolders(state: State): Transition {
	const prompt = placePrompt(state);
	const directory = prompt && typedParent(prompt, state.environment);
	if (directory === undefined || state.moved.folders?.directory === directory) return transition(state);
	return transition(withMoved(state, { folders: { directory, names: undefined } }), {
		type: "list-folders",
		directory,
	});
}

/** What is at the places of directories. */
export function applyFates(state: State, search: number, fates: ReadonlyMap<string, DirectoryFate>): State {
	const { moved } = state;
	if (moved.search !== search) return state;
	return withMoved(state, { fates: new Map([...moved.fates, ...fates]), looking: [] });
}

/** Where directories that are gone may be now. */
export function applyFound(state: State, search: number, found: ReadonlyMap<string, readonly FoundPlace[]>): State {
	const { moved } = state;
	if (moved.search !== search) return state;
	return withMoved(state, { found: new Map([...moved.found, ...found]), finding: [] });
}

/** The folders in the directory that is being typed. */
export function applyFolders(state: State, directory: string, names: readonly string[]): State {
	return state.moved.folders?.directory === directory ? withMoved(state, { folders: { directory, names } }) : state;
}

export function withMoved(state: State, fields: Partial<MovedState>): State {
	return { ...state, moved: { ...state.moved, ...fields } };
}
