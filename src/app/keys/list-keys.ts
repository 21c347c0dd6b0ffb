import type { SessionRow } from "../../catalog/model/row.ts";
import { scopesOf } from "../list/scope.ts";
import type { ListState, Scope, State } from "../model/state.ts";
import { type Transition, transition } from "../model/transition.ts";
import { sortMenu } from "../update/menus.ts";
import { proposalFor, takeProposal } from "../update/nearest.ts";
import { openOverlay } from "../update/overlay.ts";
import { change, type Key, onSession } from "./handlers.ts";

const LIST = ["list"] as const;

const SCOPES: readonly Scope[] = ["all", "repo", "here", "archived"];
const SCOPE_HELP: Readonly<Record<Scope, string>> = {
	all: "sessions of all projects",
	repo: "sessions of this repository",
	here: "sessions of this directory",
	archived: "sessions that were put away",
};

// biome-ignore format: a table
export const LIST_KEYS: readonly Key[] = [
	{ id: "scope", keys: ["tab"], contexts: LIST, short: "scope", pi: "tui.input.tab",
		help: "sessions of all projects, of this repository, of this directory", run: change(toNextScope) },
	...SCOPES.map((scope) => ({ id: `scope-${scope}`, keys: [], contexts: LIST, help: SCOPE_HELP[scope],
		run: change((state: State) => withList(state, { scope })) })),
	{ id: "sort", keys: ["ctrl+s"], contexts: LIST, short: "sort", pi: "app.session.toggleSort",
		help: "choose the order", run: change((state) => openOverlay(state, sortMenu(state))) },
	{ id: "named", keys: ["ctrl+n"], contexts: LIST, short: "named", pi: "app.session.toggleNamedFilter",
		help: "only sessions that have a name, or all",
		run: change((state) => withList(state, { namedOnly: !state.list.namedOnly })) },
	{ id: "path", keys: ["ctrl+p"], contexts: LIST, pi: "app.session.togglePath",
		help: "show the files' paths, or the projects",
		run: change((state) => withList(state, { showPath: !state.list.showPath })) },
	{ id: "nearest", keys: ["alt+."], contexts: LIST, short: "nearest",
		help: "where nothing matches, search for what is nearest to it in names, titles and projects",
		needs: (state) => proposalFor(state) === undefined ? "Nothing is near to what is typed, or something matches it" : undefined,
		run: change(takeProposal) },
	{ id: "copy-path", keys: ["ctrl+x"], contexts: LIST, help: "copy the path of the session's file to the clipboard",
		...onSession("copy the path of", copyPath) },
];

function copyPath(state: State, { path }: SessionRow): Transition {
	return transition(state, { type: "copy", text: path, what: "the path" });
}

function withList(state: State, fields: Partial<ListState>): State {
	return { ...state, list: { ...state.list, ...fields } };
}

function toNextScope(state: State): State {
	const scopes = scopesOf(state);
	return withList(state, { scope: scopes[(scopes.indexOf(state.list.scope) + 1) % scopes.length] ?? "all" });
}
