import { shortenHome } from "../../../ui/text/format.ts";
import { type Key, onChosen, PANES } from "../../world/keys/key.ts";
import { askToChange } from "../../world/questions/ask.ts";
import { bringIntoMenu } from "../../world/questions/bring-menus.ts";
import { destinationPrompt, openDestinationPrompt, typedDirectory } from "../../world/questions/destination-prompt.ts";
import { onlyCompletion } from "../../world/screen/prompt-completion.ts";
import type { Action } from "../../world/state/action.ts";
import { closeOverlay, withOverlay } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";

// biome-ignore format: a table
export const DESTINATION_KEYS: readonly Key[] = [
	{ id: "move-project", name: "Fork {} into another directory…", synonyms: "move project, cwd, relocate", keys: [], contexts: PANES,
		help: "fork the session, or all marked sessions, into another directory",
		...onChosen("move", (state, rows) => withOverlay(state, destinationPrompt(state, { rows, archives: false }))) },
	{ id: "choose", keys: ["enter"], contexts: ["prompt"], short: "choose", pi: "tui.input.submit", when: (state) => openDestinationPrompt(state) !== undefined,
		help: "use the typed directory, if it exists", condition: "in the prompt for a directory", run: submitDestination },
];

/** Enter in the prompt. It stays open until the directory is known to exist. */
function submitDestination(state: State): Transition {
	const { value, destination } = openDestinationPrompt(state) ?? {};
	if (value === undefined || destination === undefined) return transition(state);
	if (value.text.trim() === "") return transition(say(state, "Type a directory; tab completes it", "warning"));
	const directory = typedDirectory(value.text, state.environment);
	return transition(state, { type: "check-destination", directory, destination });
}

/** Goes on with the typed directory if it exists, unless the person has done something else meanwhile. */
export function applyDestination(
	state: State,
	{ directory, fate, destination }: Extract<Action, { type: "destination-checked" }>,
): Transition {
	const prompt = openDestinationPrompt(state);
	if (prompt?.destination !== destination || typedDirectory(prompt.value.text, state.environment) !== directory)
		return transition(state);
	const words = shortenHome(directory, state.environment.home);
	if (fate.kind === "gone") {
		const completed = onlyCompletion(state);
		if (completed !== undefined) return transition(say(completed, "Enter again takes this directory"));
		return transition(say(state, `There is no directory ${words}`, "warning"));
	}
	if (fate.kind === "unknown") return transition(say(state, `${words} cannot be checked: ${fate.why}`, "warning"));
	const closed = closeOverlay(state);
	if ("resume" in destination)
		return transition(closed, { type: "resume", request: { ...destination.resume, cwd: directory } });
	if ("bring" in destination) return withOverlay(closed, bringIntoMenu(closed, destination.bring, directory));
	return askToChange(closed, { type: "fork", to: directory, archives: destination.archives }, destination.rows);
}
