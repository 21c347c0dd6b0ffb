import type { PromptOverlay, State } from "../model/state.ts";
import { sanitizeLine } from "../text/sanitize.ts";
import { handleAction } from "./handle-action.ts";
import { closeOverlay, topOverlay } from "./overlay.ts";
import { type Transition, transition } from "./transition.ts";

/** Enter in an overlay: does what the highlighted item says, or what the prompt is for. */
export function submit(state: State): Transition {
	const overlay = topOverlay(state);
	if (overlay?.kind === "menu") {
		const action = overlay.items[overlay.index]?.action;
		return action === undefined ? transition(closeOverlay(state)) : handleAction(closeOverlay(state), action);
	}
	return overlay?.kind === "prompt" ? submitPrompt(closeOverlay(state), overlay) : transition(state);
}

function submitPrompt(state: State, { value, submit }: PromptOverlay): Transition {
	const text = sanitizeLine(value.text);
	switch (submit.type) {
		case "rename":
			return transition(state, { type: "rename", path: submit.path, name: text });
		case "label":
			return transition(state, { type: "label", path: submit.path, entryId: submit.entryId, label: text });
	}
}
