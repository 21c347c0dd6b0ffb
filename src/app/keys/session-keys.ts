import type { SessionRow } from "../../catalog/model/row.ts";
import { sessionTitle } from "../list/draw-row.ts";
import { PANES } from "../model/binding.ts";
import type { State } from "../model/state.ts";
import { type Transition, transition } from "../model/transition.ts";
import { editedText } from "../text/edit.ts";
import { isLeaf } from "../tree/leaf.ts";
import { selectedEntry, shownSession } from "../tree/select-tree.ts";
import { branchMenu, deleteMenu, resumeMenu } from "../update/menus.ts";
import { openOverlay } from "../update/overlay.ts";
import { type Key, onSession } from "./handlers.ts";

// biome-ignore format: a table
export const SESSION_KEYS: readonly Key[] = [
	{ id: "resume", keys: ["enter"], contexts: PANES, short: "resume", pi: "tui.select.confirm",
		help: "resume in pi; on an entry that is not the leaf, choose from where", ...onSession("resume", resume) },
	{ id: "branch", keys: ["ctrl+b"], contexts: PANES, short: "branch",
		help: "branch or fork into a new session", ...onSession("branch from", askHowToBranch) },
	{ id: "rename", keys: ["ctrl+r"], contexts: PANES, short: "rename", pi: "app.session.rename",
		help: "rename the session; an empty name clears", ...onSession("rename", askForName) },
	{ id: "delete", keys: ["ctrl+d"], contexts: PANES, short: "delete", pi: "app.session.delete",
		help: "move the session's file to the trash, after asking", ...onSession("delete", askToDelete, refuseLive) },
	{ id: "undo", keys: ["ctrl+z"], contexts: PANES, short: "undo",
		help: "take back the last change: rename, label, branch, fork, going on from an entry, delete",
		run: (state) => transition(state, { type: "undo" }) },
];

function resume(state: State, row: SessionRow): Transition {
	const request = { path: row.path, cwd: row.cwd || state.environment.cwd };
	const entry = state.focus === "list" ? undefined : selectedEntry(state);
	const session = shownSession(state.detail);
	if (entry !== undefined && session !== undefined && !isLeaf(session, entry.id)) {
		return transition(openOverlay(state, resumeMenu(row, request, entry)));
	}
	return transition(state, { type: "resume", request });
}

function askHowToBranch(state: State, row: SessionRow): Transition {
	return transition(openOverlay(state, branchMenu(state, row, selectedEntry(state))));
}

function askForName(state: State, row: SessionRow): Transition {
	return transition(
		openOverlay(state, {
			kind: "prompt",
			title: "Rename session",
			body: [[{ text: sessionTitle({ ...row, name: undefined }), tone: "muted" }]],
			value: editedText(row.name ?? ""),
			submit: { type: "rename", path: row.path },
		}),
	);
}

function askToDelete(state: State, row: SessionRow): Transition {
	return transition(openOverlay(state, deleteMenu(state, row)));
}

function refuseLive({ catalog }: State, { path }: SessionRow): string | undefined {
	if (!catalog.live.has(path)) return undefined;
	return "This session is in use by a running pi, so it is not deleted; leave pi first";
}
