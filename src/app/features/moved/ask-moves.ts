import type { SessionRow } from "../../../catalog/model/row.ts";
import { chosenOf } from "../../../ui/page/page-marks.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import type { Action } from "../../world/action.ts";
import { closeOverlay, openOverlay } from "../../world/overlays.ts";
import type { State } from "../../world/state.ts";
import { say, type Transition, transition } from "../../world/transition.ts";
import { movedGroups, movesOf, placeOf } from "./gone-groups.ts";
import { moveQuestion, placePrompt } from "./move-menus.ts";
import { choosePlace, groupHere } from "./moved-actions.ts";
import type { PlaceSubmit } from "./moved-state.ts";
import { placePrompt as openPrompt, typedPlace } from "./place-candidates.ts";

/** Asks where the sessions of the directory under the cursor belong. */
export function askForPlace(state: State): State {
	const group = groupHere(state);
	if (group === undefined) return state;
	const { home } = state.environment;
	const before = shortenHome(placeOf(state, group) ?? group.key, home);
	return openOverlay(state, placePrompt({ type: "place", gone: group.key }, before, home));
}

/** Asks where sessions belong now. */
export function askForProject(state: State, rows: readonly SessionRow[]): State {
	return openOverlay(state, placePrompt({ type: "place", rows }, "", state.environment.home));
}

/** Asks before the sessions of the marked directories, or of the one under the cursor, are forked to their places. */
export function askToFork(state: State): State {
	const groups = chosenOf(state.moved.marks, movedGroups(state), state.moved.cursor);
	const moves = movesOf(state, groups);
	if (moves.length === 0) return say(state, "No place is known for it yet: e types one", "warning");
	const unplaced = groups.filter((group) => placeOf(state, group) === undefined).length;
	return openOverlay(state, moveQuestion(state, moves, unplaced));
}

/** Enter in the prompt for a directory: it is looked at first, and the prompt stays until it is known to be there. */
export function submitPlace(state: State, of: PlaceSubmit, text: string): Transition {
	if (text === "") return transition(say(state, "Type a directory; tab completes it", "warning"));
	return transition(state, { type: "check-place", directory: typedPlace(text, state.environment), of });
}

/** Goes on with the directory that was typed, if it is there, and nothing else was done meanwhile. */
export function applyPlace(state: State, { directory, fate, of }: Extract<Action, { type: "place-checked" }>): State {
	const prompt = openPrompt(state);
	if (prompt?.submit !== of || typedPlace(prompt.value.text, state.environment) !== directory) return state;
	const shown = shortenHome(directory, state.environment.home);
	if (fate.kind === "gone") return say(state, `There is no directory ${shown}`, "warning");
	if (fate.kind === "unknown") return say(state, `${shown} cannot be looked at: ${fate.why}`, "warning");
	const closed = closeOverlay(state);
	if ("gone" in of) return choosePlace(closed, of.gone, directory);
	// As they are listed by now.
	const rows = of.rows.flatMap(({ path }) => state.catalog.rows.get(path) ?? []);
	return openOverlay(
		closed,
		moveQuestion(
			closed,
			rows.map((row) => ({ row, cwd: directory })),
		),
	);
}
