import type { SessionRow } from "../../../catalog/model/row.ts";
import { complete } from "../../../ui/field/complete.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { change, type Key, onChosen } from "../../world/keys/key.ts";
import type { Action } from "../../world/state/action.ts";
import { closeOverlay, type MenuItem, openOverlay, type PlaceSubmit, replaceTop } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { chosenMoves } from "./chosen-rows.ts";
import { destinationOf, proposalsFor } from "./gone-groups.ts";
import { MOVED } from "./maintenance-state.ts";
import { moveQuestion, placePrompt } from "./move-menus.ts";
import { openPlacePrompt, placeCandidates, typedPlace } from "./place-candidates.ts";

const PROMPT = ["prompt"] as const;

// biome-ignore format: a table
export const PLACE_KEYS: readonly Key[] = [
	{ id: "move-project", name: "Fork into another directory…", synonyms: "move, project, cwd", keys: [], contexts: ["list"],
		help: "fork all marked sessions, or the one under the cursor, into another directory",
		...onChosen("move", (state, rows) => transition(askForProject(state, rows))) },
	{ id: "complete-place", keys: ["tab"], contexts: PROMPT, short: "complete", when: isPlacePrompt, needs: whyNoPlace,
		help: "complete the typed directory; again: the next candidate", run: change(completePlace(1)) },
	{ id: "complete-place-back", keys: ["shift+tab"], contexts: PROMPT, when: isPlacePrompt, needs: whyNoPlace,
		help: "the previous candidate", run: change(completePlace(-1)) },
];

function isPlacePrompt(state: State): boolean {
	return openPlacePrompt(state) !== undefined;
}

function whyNoPlace(state: State): string | undefined {
	const isCompleting = state.typing.last?.kind === "complete" && state.typing.last.candidates.length > 1;
	return isCompleting || placeCandidates(state).length > 0 ? undefined : "No known directory begins with this";
}

function completePlace(by: 1 | -1): (state: State) => State {
	return (state) => {
		const prompt = openPlacePrompt(state);
		if (prompt === undefined) return state;
		const [value, typing] = complete(placeCandidates(state), by)(prompt.value, state.typing);
		return replaceTop({ ...state, typing }, { ...prompt, value });
	};
}

/** Asks where the sessions of a missing directory belong. */
function askForPlace(state: State, gone: string): State {
	const { home } = state.environment;
	const before = shortenHome(destinationOf(state, gone) ?? gone, home);
	return openOverlay(state, placePrompt({ type: "place", gone }, before, home));
}

/** Asks into which directory to fork these sessions. */
function askForProject(state: State, rows: readonly SessionRow[]): State {
	return openOverlay(state, placePrompt({ type: "place", rows }, "", state.environment.home));
}

/**
 * Asks before the marked sessions of missing directories, or those of the directory under the cursor, are forked to where they
 * belong and archived. If no replacement is known, asks for that first.
 */
export function askToFix(state: State): State {
	const { moves, directories, unplaced } = chosenMoves(state);
	const [directory, ...others] = directories;
	if (directory === undefined) return state;
	const only = others.length === 0 ? directory : undefined;
	if (moves.length === 0) return only === undefined ? say(state, NO_PLACE, "warning") : askForPlace(state, only);
	const more = only === undefined ? [] : otherPlaces(state, only);
	return openOverlay(state, moveQuestion(state, moves, { archives: true, unplaced: unplaced.length, more }));
}

const NO_PLACE = "No new directory is known for these: press enter on one of them to type it";

/** The other directories proposed, and a prompt for any directory. */
function otherPlaces(state: State, gone: string): MenuItem[] {
	const { home } = state.environment;
	const place = destinationOf(state, gone);
	const others = proposalsFor(state, gone).filter(({ directory }) => directory !== place);
	return [
		...others.map(({ directory }) => ({
			label: `Into ${shortenHome(directory, home)} instead`,
			change: (now: State) => askToFix(choosePlace(now, gone, directory)),
		})),
		{ label: "Into another directory …", change: (now) => askForPlace(now, gone) },
	];
}

function choosePlace(state: State, gone: string, place: string): State {
	return MOVED.with(state, { chosen: new Map([...MOVED.of(state).chosen, [gone, place]]) });
}

/** Enter in the prompt for a directory. The prompt stays open until the directory is known to exist. */
export function submitPlace(state: State, of: PlaceSubmit, text: string): Transition {
	if (text === "") return transition(say(state, "Type a directory; tab completes it", "warning"));
	return transition(state, { type: "check-place", directory: typedPlace(text, state.environment), of });
}

/** Continues with the typed directory if it exists, unless the person has done something else meanwhile. */
export function applyPlace(state: State, { directory, fate, of }: Extract<Action, { type: "place-checked" }>): State {
	const prompt = openPlacePrompt(state);
	if (prompt?.submit !== of || typedPlace(prompt.value.text, state.environment) !== directory) return state;
	const shown = shortenHome(directory, state.environment.home);
	if (fate.kind === "gone") return say(state, `There is no directory ${shown}`, "warning");
	if (fate.kind === "unknown") return say(state, `${shown} cannot be checked: ${fate.why}`, "warning");
	const closed = closeOverlay(state);
	if ("gone" in of) return askToFix(choosePlace(closed, of.gone, directory));
	// Their rows may have changed since.
	const rows = of.rows.flatMap(({ path }) => state.catalog.rows.get(path) ?? []);
	return openOverlay(
		closed,
		moveQuestion(
			closed,
			rows.map((row) => ({ row, cwd: directory })),
		),
	);
}
