import { isAbsolute } from "node:path";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { plainDirectory } from "../../../catalog/places/placed-rows.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { projectKey } from "../../../store/files/paths.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { allProjects } from "../list/projects.ts";
import { CANCEL, menu, sentence, titleRow } from "../screen/menus.ts";
import type { Action } from "../state/action.ts";
import type { Effect } from "../state/effect.ts";
import { type MenuItem, type MenuOverlay, openOverlay, type PromptOverlay } from "../state/overlays.ts";
import type { State } from "../state/state.ts";

/** Asks the disk which directories of this machine a session of another place may be copied into. */
export function findHomeFor(state: State, { path, cwd }: SessionRow): Effect {
	const here = allProjects(state.catalog.rows).flatMap(({ directory }) => (isAbsolute(directory) ? [directory] : []));
	return { type: "find-home", path, own: plainDirectory(cwd), projects: here };
}

/** For a session of another place: a copy of it becomes a session of this machine. */
export function bringMenu(
	state: State,
	row: SessionRow,
	{ missing, directories }: Pick<Extract<Action, { type: "home-found" }>, "missing" | "directories">,
): MenuOverlay {
	const { cwd, home } = state.environment;
	const into = (directory: string): MenuItem => bringItem(row, directory, home);
	const gone: Line[] =
		missing === undefined ? [] : [[span(`${sanitizeLine(shortenHome(missing, home))} (not on this machine)`, "muted")]];
	const isHere = directories.some((directory) => projectKey(directory) === projectKey(cwd));
	return menuFor(state, row, gone, [
		...directories.map(into),
		{ label: "Copy it into another directory…", change: (now) => openOverlay(now, bringPrompt(row)) },
		...(isHere ? [] : [into(cwd)]),
	]);
}

/** The same once a directory was typed. */
export function bringIntoMenu(state: State, row: SessionRow, directory: string): MenuOverlay {
	return menuFor(state, row, [], [bringItem(row, directory, state.environment.home)]);
}

function menuFor(state: State, row: SessionRow, lines: readonly Line[], items: readonly MenuItem[]): MenuOverlay {
	const isInUse = state.catalog.live.sessions.has(row.path);
	const body = isInUse
		? sentence(state, `It is in use in ${row.place}: what is said there from now on stays there.`, "warning")
		: [];
	return menu(`Bring this session here from ${row.place}`, [titleRow(sessionTitle(row)), ...lines, ...body], {
		items: [...items, CANCEL],
	});
}

function bringItem(row: SessionRow, directory: string, home: string): MenuItem {
	return {
		label: `Copy it into ${sanitizeLine(shortenHome(directory, home))}`,
		effect: { type: "bring-here", path: row.path, title: sessionTitle(row), cwd: directory },
	};
}

function bringPrompt(row: SessionRow): PromptOverlay {
	return {
		kind: "prompt",
		title: "Copy it into another directory",
		body: [titleRow(sessionTitle(row))],
		value: editedText(""),
		submit: { type: "destination", bring: row.path },
	};
}
