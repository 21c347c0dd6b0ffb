import { complete } from "../../ui/field/complete.ts";
import { placeCandidates, placePrompt } from "../features/maintenance/place-candidates.ts";
import type { State } from "../model/state.ts";
import { transition } from "../model/transition.ts";
import { askForProject } from "../update/ask-moves.ts";
import { edit } from "../update/text-input.ts";
import { change, type Key, onChosen } from "./handlers.ts";

const PROMPT = ["prompt"] as const;

// biome-ignore format: a table
export const PLACE_KEYS: readonly Key[] = [
	{ id: "move-project", keys: ["alt+j"], contexts: ["list"],
		help: "fork all marked sessions, or the one under the cursor, into another directory",
		...onChosen("move", (state, rows) => transition(askForProject(state, rows))) },
	{ id: "complete-place", keys: ["tab"], contexts: PROMPT, short: "complete", when: isPlacePrompt, needs: whyNoPlace,
		help: "complete the directory that is typed; again, the next one that it may be", run: change(completePlace(1)) },
	{ id: "complete-place-back", keys: ["shift+tab"], contexts: PROMPT, when: isPlacePrompt, needs: whyNoPlace,
		help: "the one before of the directories that it may be", run: change(completePlace(-1)) },
];

function isPlacePrompt(state: State): boolean {
	return placePrompt(state) !== undefined;
}

function whyNoPlace(state: State): string | undefined {
	const isCompleting = state.typing.last?.kind === "complete" && state.typing.last.candidates.length > 1;
	return isCompleting || placeCandidates(state).length > 0 ? undefined : "No known directory begins like this";
}

function completePlace(by: 1 | -1): (state: State) => State {
	return (state) => edit(state, complete(placeCandidates(state), by));
}
