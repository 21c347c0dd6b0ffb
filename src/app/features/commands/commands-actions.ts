import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import { type Distance, target } from "../../../ui/page/page-rows.ts";
import { type CommandsOverlay, openOverlay } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { COMMANDS } from "./commands-state.ts";
import { commandRows, scrolledTo } from "./commands-view.ts";
import { beneath, shownCommands } from "./list-commands.ts";

/** Commands that are remembered as run. */
const MOST_RECENT = 10;

/** Opens the box of commands. */
export function openCommands(state: State): State {
	return openOverlay(state, { kind: "palette", query: editedText(""), index: 0, top: 0 });
}

/** Another text in the field: the best command that matches is highlighted. */
export function editCommands(overlay: CommandsOverlay, edit: (value: EditedText) => EditedText): CommandsOverlay {
	const query = edit(overlay.query);
	return query.text === overlay.query.text ? { ...overlay, query } : { ...overlay, query, index: 0, top: 0 };
}

/** Moves the highlight. */
export function moveInCommands(state: State, overlay: CommandsOverlay, distance: Distance): CommandsOverlay {
	const count = shownCommands(state, overlay).length;
	const index = Math.max(0, target(overlay.index, distance, commandRows(state), count));
	return scrolledTo(state, { ...overlay, index });
}

/** Closes the box, and runs the highlighted command as soon as the screen shows what it acts on, or says why it cannot act there. */
export function runChosen(state: State): Transition {
	const overlay = state.overlays.at(-1);
	if (overlay?.kind !== "palette") return transition(state);
	const shown = shownCommands(state, overlay)[overlay.index];
	if (shown === undefined) return transition(state);
	const { command, binding, reason } = shown;
	const below = beneath(state);
	// Whether one can act here is known once the screen shows what it acts on.
	if (binding === undefined) return transition(say(below, `${command.name}: ${reason}`, "warning"));
	const { id } = command;
	const recent = [id, ...COMMANDS.of(below).recent.filter((other) => other !== id)].slice(0, MOST_RECENT);
	const waiting = [...below.waiting, { type: "command", id, at: below.now } as const];
	return transition({ ...COMMANDS.with(below, { recent }), waiting });
}
