import type { PromptOverlay, State } from "../model/state.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { act } from "./act.ts";
import { closeOverlay, topOverlay } from "./overlay.ts";
import { type Step, step } from "./step.ts";

/** Enter in an overlay: does what the highlighted item says, or what the prompt is for. */
export function choose(state: State): Step {
	const overlay = topOverlay(state);
	if (overlay?.kind === "menu") {
		const action = overlay.items[overlay.index]?.action;
		return action === undefined ? step(closeOverlay(state)) : act(closeOverlay(state), action);
	}
	return overlay?.kind === "prompt" ? submit(closeOverlay(state), overlay) : step(state);
}

function submit(state: State, { value, submit }: PromptOverlay): Step {
	const text = sanitiseLine(value.text);
	switch (submit.type) {
		case "rename":
			return step(state, { type: "rename", path: submit.path, name: text });
		case "label":
			return step(state, { type: "label", path: submit.path, entryId: submit.entryId, label: text });
	}
}
