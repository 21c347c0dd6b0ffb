import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import { type Distance, target } from "../../../ui/page/distance.ts";
import type { PaletteOverlay } from "../../world/state/overlays.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { say, transition } from "../../world/state/transition.ts";
import { beneath, whyNot } from "./palette-commands.ts";
import { lastPaletteTop, pageRows, palettePage, shownCommands } from "./palette-view.ts";

/** No command is highlighted before the person has moved or typed. */
const NONE = -1;

export function newPalette(): PaletteOverlay {
	return { kind: "palette", query: editedText(""), index: NONE, top: 0 };
}

/** Another text in the field: the best of the commands that match is highlighted. */
export function editPalette(overlay: PaletteOverlay, edit: (value: EditedText) => EditedText): PaletteOverlay {
	const query = edit(overlay.query);
	if (query.text === overlay.query.text) return { ...overlay, query };
	return { ...overlay, query, index: query.text.trim() === "" ? NONE : 0, top: 0 };
}

/** Rows move the highlight, and at the end the page; pages and ends move the page. */
export function moveInPalette(state: State, overlay: PaletteOverlay, distance: Distance): PaletteOverlay {
	const last = lastPaletteTop(state, overlay);
	if (!("rows" in distance)) return { ...overlay, top: target(overlay.top, distance, pageRows(state), last + 1) };
	const { items } = palettePage(state, overlay);
	const index = overlay.index + distance.rows;
	const item = items[Math.max(0, Math.min(index, items.length - 1))];
	if (item === undefined || index < 0 || index >= items.length)
		return { ...overlay, top: Math.max(0, Math.min(overlay.top + distance.rows, last)) };
	const lowest = item.row + item.height - pageRows(state);
	return { ...overlay, index, top: Math.max(0, Math.min(Math.max(lowest, Math.min(overlay.top, item.row)), last)) };
}

/** Scrolls the page; the highlight stays where it is. */
export function scrollPalette(state: State, overlay: PaletteOverlay, rows: number): PaletteOverlay {
	return { ...overlay, top: Math.max(0, Math.min(overlay.top + rows, lastPaletteTop(state, overlay))) };
}

/** Runs the highlighted command where the page was opened, or says why it cannot act there. */
export function runChosen(state: State): Transition {
	const overlay = state.overlays.at(-1);
	if (overlay?.kind !== "palette") return transition(state);
	const command = shownCommands(state, overlay)[overlay.index];
	if (command === undefined) return transition(state);
	const reason = whyNot(state, command);
	const below = beneath(state);
	if (reason === undefined) return command.binding.run(below);
	return transition(say(below, `${command.binding.help}: ${reason}`, "warning"));
}
