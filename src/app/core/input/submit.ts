import { renameSaved, saveAs } from "../../features/list/saved-actions.ts";
import { submitPlace } from "../../features/maintenance/ask-moves.ts";
import { submitTags } from "../../features/sessions/tag-prompt.ts";
import { labelEnds } from "../../world/questions/several-menus.ts";
import type { MenuItem, PromptOverlay } from "../../world/state/overlays.ts";
import { closeOverlay, topOverlay } from "../../world/state/overlays.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { transition } from "../../world/state/transition.ts";

/** Enter in an overlay: chooses the highlighted item, or submits the prompt. */
export function submit(state: State): Transition {
	const overlay = topOverlay(state);
	// The prompt stays open until the directory is known to exist.
	if (overlay?.kind === "prompt" && overlay.submit.type === "place")
		return submitPlace(state, overlay.submit, overlay.value.text.trim());
	const closed = closeOverlay(state);
	if (overlay?.kind === "menu") return choose(closed, overlay.items[overlay.index]);
	return overlay?.kind === "prompt" ? submitPrompt(closed, overlay) : transition(state);
}

function choose(state: State, item: MenuItem | undefined): Transition {
	const next = item?.change?.(state) ?? state;
	return item?.effect === undefined ? transition(next) : transition(next, item.effect);
}

function submitPrompt(state: State, { value, submit }: PromptOverlay): Transition {
	const text = value.text.trim();
	switch (submit.type) {
		case "rename":
			return transition(state, { type: "rename", path: submit.path, name: text });
		case "tags":
			return submitTags(state, submit, text);
		case "label-ends":
			return transition(state, labelEnds(submit.rows, text));
		case "save-query":
			return saveAs(state, text, submit.text);
		case "rename-query":
			return renameSaved(state, submit.name, text);
		case "place":
			return submitPlace(state, submit, text);
		case "label":
			return transition(state, { type: "label", path: submit.path, entryId: submit.entryId, label: text });
	}
}
