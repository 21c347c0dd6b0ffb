import { complete } from "../../../ui/field/complete.ts";
import { change, type Key, onChosen } from "../../world/keys/key.ts";
import { replaceTop } from "../../world/state/overlays.ts";
import { type State, transition } from "../../world/state/state.ts";
import { askForProject } from "./ask-moves.ts";
import { openPlacePrompt, placeCandidates } from "./place-candidates.ts";

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
