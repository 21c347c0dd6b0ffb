import { complete } from "../../../ui/field/complete.ts";
import { change, type Key } from "../../world/key.ts";
import { replaceTop } from "../../world/overlays.ts";
import { closePage } from "../../world/page/open-page.ts";
import type { State } from "../../world/state.ts";
import { transition } from "../../world/transition.ts";
import { onChosen } from "../list/on-session.ts";
import { askForPlace, askForProject, askToFork } from "./ask-moves.ts";
import { groupHere, openMoved, scrollMoved, turnPlace } from "./moved-actions.ts";
import { placeCandidates, placePrompt } from "./place-candidates.ts";

const MOVED = ["moved"] as const;
const PROMPT = ["prompt"] as const;

// biome-ignore format: a table
export const MOVED_KEYS: readonly Key[] = [
	{ id: "moved", keys: ["alt+e"], contexts: ["list"],
		help: "moved projects: sessions whose directory is gone, and where they may belong now", run: change((state) => openMoved(state)) },
	{ id: "move-project", keys: ["alt+j"], contexts: ["list"],
		help: "fork all marked sessions, or the one under the cursor, into another directory",
		...onChosen("move", (state, rows) => transition(askForProject(state, rows))) },
	{ id: "fork-moved", keys: ["enter"], contexts: MOVED, short: "fork …", needs: needsGroup,
		help: "fork the sessions of the marked directories, or of the one under the cursor, to their new places, after asking",
		run: change(askToFork) },
	{ id: "next-place", keys: ["right"], contexts: MOVED, short: "other place", needs: needsGroup,
		help: "the next of the places that are proposed", run: change(turnPlace(1)) },
	{ id: "previous-place", keys: ["left"], contexts: MOVED, needs: needsGroup,
		help: "the one before of the places that are proposed", run: change(turnPlace(-1)) },
	{ id: "type-place", keys: ["e"], contexts: MOVED, short: "type", needs: needsGroup,
		help: "type where the sessions of the directory belong now", run: change(askForPlace) },
	{ id: "moved-up", keys: ["shift+up"], contexts: MOVED, help: "back up in what is said of the directory",
		run: change((state) => scrollMoved(state, -1)) },
	{ id: "moved-down", keys: ["shift+down"], contexts: MOVED, help: "on in what is said of the directory",
		run: change((state) => scrollMoved(state, 1)) },
	{ id: "cancel", keys: ["alt+e"], contexts: MOVED, help: "back to the panes",
		run: change((state) => closePage(state, "moved")) },
	{ id: "complete-place", keys: ["tab"], contexts: PROMPT, short: "complete", when: isPlacePrompt, needs: whyNoPlace,
		help: "complete the directory that is typed; again, the next one that it may be", run: change(completePlace(1)) },
	{ id: "complete-place-back", keys: ["shift+tab"], contexts: PROMPT, when: isPlacePrompt, needs: whyNoPlace,
		help: "the one before of the directories that it may be", run: change(completePlace(-1)) },
];

function needsGroup(state: State): string | undefined {
	return groupHere(state) === undefined ? "There is no directory that is gone" : undefined;
}

function isPlacePrompt(state: State): boolean {
	return placePrompt(state) !== undefined;
}

function whyNoPlace(state: State): string | undefined {
	const isCompleting = state.typing.last?.kind === "complete" && state.typing.last.candidates.length > 1;
	return isCompleting || placeCandidates(state).length > 0 ? undefined : "No known directory begins like this";
}

function completePlace(by: 1 | -1): (state: State) => State {
	return (state) => {
		const prompt = placePrompt(state);
		if (prompt === undefined) return state;
		const [value, typing] = complete(placeCandidates(state), by)(prompt.value, state.typing);
		return replaceTop({ ...state, typing }, { ...prompt, value });
	};
}
