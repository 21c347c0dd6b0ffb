import type { EditedText } from "../../ui/field/edit.ts";
import { type Distance, target } from "../../ui/page/distance.ts";
import { editProjects, moveInProjects } from "../features/list/projects-overlay.ts";
import { editPalette, moveInPalette } from "../features/palette/palette-actions.ts";
import { replaceTop, topOverlay } from "../world/state/overlays.ts";
import type { State } from "../world/state/state.ts";
import { openedPage } from "./features/pages.ts";
import { scrollHelp } from "./screen/help.ts";

/** Moves the highlight of a menu, or scrolls the help. */
export function moveInOverlay(state: State, distance: Distance): State {
	const overlay = topOverlay(state);
	if (overlay?.kind === "menu") {
		return replaceTop(state, {
			...overlay,
			index: target(overlay.index, distance, overlay.items.length, overlay.items.length),
		});
	}
	if (overlay?.kind === "palette") return replaceTop(state, moveInPalette(state, overlay, distance));
	if (overlay?.kind === "projects") return replaceTop(state, moveInProjects(state, overlay, distance));
	if (overlay?.kind === "help") return replaceTop(state, { ...overlay, top: scrollHelp(state, overlay, distance) });
	if (overlay?.kind === "prompt") return state;
	return openedPage(state)?.move(state, distance) ?? state;
}

/** Changes the text of an open prompt, or of the field of the commands. */
export function editPrompt(state: State, edit: (value: EditedText) => EditedText): State {
	const overlay = topOverlay(state);
	if (overlay?.kind === "palette") return replaceTop(state, editPalette(overlay, edit));
	if (overlay?.kind === "projects") return replaceTop(state, editProjects(overlay, edit));
	if (overlay?.kind === "prompt") return replaceTop(state, { ...overlay, value: edit(overlay.value) });
	const field = openedPage(state)?.field;
	return field === undefined ? state : field.edit(state, edit(field.of(state)));
}
