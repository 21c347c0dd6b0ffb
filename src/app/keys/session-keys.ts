import { basename } from "node:path";
import { usesOf } from "../../catalog/model/live.ts";
import { type SessionRow, whyNotASession } from "../../catalog/model/row.ts";
import { sessionTitle } from "../list/draw-row.ts";
import { PANES } from "../model/binding.ts";
import type { State } from "../model/state.ts";
import { type Transition, transition } from "../model/transition.ts";
import { keyLabel } from "../screen/footer.ts";
import { editedText } from "../text/edit.ts";
import { isLeaf } from "../tree/leaf.ts";
import { selectedEntry, shownSession } from "../tree/select-tree.ts";
import { branchMenu, resumeMenu } from "../update/menus.ts";
import { openOverlay } from "../update/overlay.ts";
import { deleteQuestion, resumeQuestion } from "../update/use-menus.ts";
import { type Key, onSession } from "./handlers.ts";

// biome-ignore format: a table
export const SESSION_KEYS: readonly Key[] = [
	{ id: "resume", keys: ["enter"], contexts: PANES, short: "resume", pi: "tui.select.confirm",
		help: "resume in pi; on an entry that is not the leaf, choose from where", ...onSession("resume", resume, refuseOther) },
	{ id: "branch", keys: ["ctrl+b"], contexts: PANES, short: "branch",
		help: "branch or fork into a new session", ...onSession("branch from", askHowToBranch) },
	{ id: "rename", keys: ["ctrl+r"], contexts: PANES, short: "rename", pi: "app.session.rename",
		help: "rename the session; an empty name clears", ...onSession("rename", askForName) },
	{ id: "delete", keys: ["ctrl+d"], contexts: PANES, short: "delete", pi: "app.session.delete",
		help: "move the session's file to the trash, after asking", ...onSession("delete", askToDelete) },
	{ id: "undo", keys: ["ctrl+z"], contexts: PANES, short: "undo",
		help: "take back the last change: rename, label, branch, fork, delete",
		run: (state) => transition(state, { type: "undo" }) },
];

function resume(state: State, row: SessionRow): Transition {
	const request = { path: row.path, cwd: row.cwd || state.environment.cwd, shown: { row, uses: [] } };
	const entry = state.focus === "list" ? undefined : selectedEntry(state);
	const session = shownSession(state.detail);
	if (entry !== undefined && session !== undefined && !isLeaf(session, entry.id)) {
		return transition(openOverlay(state, resumeMenu(row, request, entry)));
	}
	const effect = { type: "resume", request } as const;
	const uses = usesOf(state.catalog.live, row, "resume");
	if (uses.length > 0)
		return transition(openOverlay(state, resumeQuestion(state, effect, { row, uses })), {
			type: "look",
			path: row.path,
		});
	return transition(state, effect);
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
	return transition(openOverlay(state, deleteQuestion(state, row)), { type: "look", path: row.path });
}

/** pi would end with an error in the place of the browser. */
function refuseOther(state: State, row: SessionRow): string | undefined {
	const reason = whyNotASession(row);
	if (reason === undefined) return undefined;
	const key = state.environment.keymap.find(({ id, contexts }) => id === "delete" && contexts.includes(state.focus))
		?.keys[0];
	const trash = key === undefined ? "" : `; ${keyLabel(key)} moves it to the trash`;
	return `${basename(row.path)} is no pi session: ${reason} It is kept as it is${trash}.`;
}
