import type { Binding } from "../model/binding.ts";
import {
	deleteAfter,
	deleteBefore,
	deleteToEnd,
	deleteToStart,
	deleteWordBefore,
	type EditedText,
	moveBack,
	moveForward,
	moveToEnd,
	moveToStart,
} from "../text/edit.ts";
import { edit } from "../update/text-input.ts";
import { change, type Key } from "./handlers.ts";

const EDITED = ["list", "tree", "branches", "find", "prompt", "palette"] as const;
const PROMPT = ["prompt", "find"] as const;
const FIELDS = [...PROMPT, "palette"] as const;

// biome-ignore format: a table
export const FILTER_KEYS: readonly Key[] = [
	{ id: "erase", keys: ["backspace"], contexts: EDITED, pi: "tui.editor.deleteCharBackward",
		help: "delete the character before the cursor", run: edits(deleteBefore) },
	{ id: "erase-word", keys: ["ctrl+w", "alt+backspace"], contexts: EDITED, pi: "tui.editor.deleteWordBackward",
		help: "delete the word before the cursor", run: edits(deleteWordBefore) },
	{ id: "erase-all", keys: ["ctrl+u"], contexts: ["list", "branches", "find", "prompt", "palette"], pi: "tui.editor.deleteToLineStart",
		help: "delete all before the cursor", run: edits(deleteToStart) },
	{ id: "erase-next", keys: ["delete", "ctrl+d"], contexts: PROMPT, pi: "tui.editor.deleteCharForward",
		help: "delete the character after the cursor", run: edits(deleteAfter) },
	{ id: "erase-rest", keys: ["ctrl+k"], contexts: PROMPT, pi: "tui.editor.deleteToLineEnd",
		help: "delete all after the cursor", run: edits(deleteToEnd) },
	{ id: "cursor-back", keys: ["left", "ctrl+b"], contexts: FIELDS, pi: "tui.editor.cursorLeft", help: "cursor back",
		run: edits(moveBack) },
	{ id: "cursor-forward", keys: ["right", "ctrl+f"], contexts: FIELDS, pi: "tui.editor.cursorRight",
		help: "cursor forward", run: edits(moveForward) },
	{ id: "cursor-start", keys: ["home", "ctrl+a"], contexts: PROMPT, pi: "tui.editor.cursorLineStart",
		help: "cursor to the start", run: edits(moveToStart) },
	{ id: "cursor-end", keys: ["end", "ctrl+e"], contexts: PROMPT, pi: "tui.editor.cursorLineEnd",
		help: "cursor to the end", run: edits(moveToEnd) },
];

function edits(edited: (value: EditedText) => EditedText): Binding["run"] {
	return change((state) => edit(state, edited));
}
