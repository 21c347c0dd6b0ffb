import { type Distance, target } from "../../../ui/page/distance.ts";
import { moveInBranches } from "../../features/branches/branches-actions.ts";
import { moveInCommands } from "../../features/commands/commands-box.ts";
import { moveInProjects } from "../../features/list/projects-overlay.ts";
import { scrollReader } from "../../features/reader/scroll.ts";
import { moveInTree } from "../../features/tree/tree-cursor.ts";
import { moveInList } from "../../world/list/list-view.ts";
import { replaceTop, topOverlay } from "../../world/state/overlays.ts";
import type { Focus, State } from "../../world/state/state.ts";
import { openedPage } from "../features/pages.ts";
import { scrollHelp } from "../screen/help.ts";

/** Moves in the open overlay, otherwise in the focused pane; never past an end. */
export function move(state: State, distance: Distance): State {
	return state.overlays.length > 0 ? moveInOverlay(state, distance) : moveIn(state, state.focus, distance);
}

/** Moves the cursor of a pane, or scrolls the reader. */
export function moveIn(state: State, pane: Focus, distance: Distance): State {
	switch (pane) {
		case "list":
			return moveInList(state, distance);
		case "tree":
			return moveInTree(state, distance);
		case "reader":
			return scrollReader(state, distance);
		case "branches":
			return moveInBranches(state, distance);
	}
}

/** Moves the highlight of the topmost overlay or the cursor of a page, or scrolls the help. */
export function moveInOverlay(state: State, distance: Distance): State {
	const overlay = topOverlay(state);
	if (overlay?.kind === "menu") {
		return replaceTop(state, {
			...overlay,
			index: target(overlay.index, distance, overlay.items.length, overlay.items.length),
		});
	}
	if (overlay?.kind === "palette") return replaceTop(state, moveInCommands(state, overlay, distance));
	if (overlay?.kind === "projects") return replaceTop(state, moveInProjects(state, overlay, distance));
	if (overlay?.kind === "help") return replaceTop(state, { ...overlay, top: scrollHelp(state, overlay, distance) });
	if (overlay?.kind === "prompt") return state;
	return openedPage(state)?.move(state, distance) ?? state;
}
