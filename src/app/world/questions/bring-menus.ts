import type { SessionRow } from "../../../catalog/model/row.ts";
import { plainDirectory } from "../../../catalog/places/placed-rows.ts";
import type { Note } from "../../../changes/answer.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { isAbsolute, isOfThisSystem, projectKey } from "../../../shared/paths.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { allProjects } from "../list/projects.ts";
import { CANCEL } from "../screen/menus.ts";
import type { Action } from "../state/action.ts";
import type { Effect } from "../state/effect.ts";
import { type MenuItem, type MenuOverlay, openOverlay } from "../state/overlays.ts";
import type { State } from "../state/state.ts";
import { questionMenu } from "./ask.ts";
import { destinationPrompt } from "./destination-prompt.ts";

/** Asks the disk which directories of this machine a session of another place may be copied into. */
export function findHomeFor(state: State, { path, cwd }: SessionRow): Effect {
	const here = allProjects(state.catalog.rows).flatMap(({ directory }) => (isAbsolute(directory) ? [directory] : []));
	return { type: "find-home", path, own: isOfThisSystem(cwd) ? plainDirectory(cwd) : undefined, projects: here };
}

/** For a session of another place: a copy of it becomes a session of this machine. */
export function bringMenu(
	state: State,
	row: SessionRow,
	{ missing, directories }: Pick<Extract<Action, { type: "home-found" }>, "missing" | "directories">,
): MenuOverlay {
	const { cwd, home } = state.environment;
	const into = (directory: string): MenuItem => bringItem(row, directory, home);
	const missingNotes: readonly Note[] =
		missing === undefined
			? []
			: [{ text: `${shortenHome(missing, home)} (not on this machine)`, tone: "muted", shape: "row" }];
	const isHere = directories.some((directory) => projectKey(directory) === projectKey(cwd));
	return menuFor(state, row, missingNotes, [
		...directories.map(into),
		{
			label: "Copy it into another directory…",
			change: (now) => openOverlay(now, destinationPrompt(now, { bring: row })),
		},
		...(isHere ? [] : [into(cwd)]),
	]);
}

/** The question after a directory was typed. */
export function bringIntoMenu(state: State, row: SessionRow, directory: string): MenuOverlay {
	return menuFor(state, row, [], [bringItem(row, directory, state.environment.home)]);
}

function menuFor(state: State, row: SessionRow, notes: readonly Note[], items: readonly MenuItem[]): MenuOverlay {
	const text = `It is in use in ${row.place}: later messages there are not copied.`;
	const isInUse = state.catalog.live.sessions.has(row.path);
	const body: readonly Note[] = isInUse ? [...notes, { text, tone: "warning" }] : notes;
	const title = `Bring this session here from ${row.place}`;
	const menu = questionMenu(state, { title, about: sessionTitle(row), body, choices: [], danger: false });
	return { ...menu, items: [...items, CANCEL] };
}

function bringItem(row: SessionRow, directory: string, home: string): MenuItem {
	return {
		label: `Copy it into ${sanitizeLine(shortenHome(directory, home))}`,
		effect: { type: "bring-here", path: row.path, title: sessionTitle(row), cwd: directory },
	};
}
