import { lineOfMistake } from "../../../shared/json-places.ts";
import type { Keybindings } from "./keybindings.ts";
import { KEYMAP } from "./keymap.ts";

/** The keys in a keybindings.json, and what of it cannot be used, in sentences. */
export interface ParsedKeybindings {
	readonly keys: Keybindings;
	readonly problems: readonly string[];
}

/** Names from before pi 0.61, which pi still reads (pi 1.5.2, core/keybindings.js), of the actions that exist here too. */
const OLD_NAMES: Readonly<Record<string, string>> = {
	cursorLeft: "tui.editor.cursorLeft",
	cursorRight: "tui.editor.cursorRight",
	cursorLineStart: "tui.editor.cursorLineStart",
	cursorLineEnd: "tui.editor.cursorLineEnd",
	deleteCharBackward: "tui.editor.deleteCharBackward",
	deleteCharForward: "tui.editor.deleteCharForward",
	deleteWordBackward: "tui.editor.deleteWordBackward",
	deleteToLineStart: "tui.editor.deleteToLineStart",
	deleteToLineEnd: "tui.editor.deleteToLineEnd",
	submit: "tui.input.submit",
	tab: "tui.input.tab",
	selectUp: "tui.select.up",
	selectDown: "tui.select.down",
	selectPageUp: "tui.select.pageUp",
	selectPageDown: "tui.select.pageDown",
	selectConfirm: "tui.select.confirm",
	selectCancel: "tui.select.cancel",
	suspend: "app.suspend",
	fork: "app.session.fork",
	treeFoldOrUp: "app.tree.foldOrUp",
	treeUnfoldOrDown: "app.tree.unfoldOrDown",
	treeEditLabel: "app.tree.editLabel",
	treeToggleLabelTimestamp: "app.tree.toggleLabelTimestamp",
	toggleSessionPath: "app.session.togglePath",
	toggleSessionSort: "app.session.toggleSort",
	toggleSessionNamedFilter: "app.session.toggleNamedFilter",
	renameSession: "app.session.rename",
	deleteSession: "app.session.delete",
	deleteSessionNoninvasive: "app.session.deleteNoninvasive",
};

/** pi's actions that exist here too; pi has others, and so may other programs that read the file. */
const ACTIONS: ReadonlySet<string | undefined> = new Set(KEYMAP.map(({ pi }) => pi));

/** Reads the text of pi's keybindings.json: an object with one key, or a list of keys, for each action. Never throws. */
export function parseKeybindings(text: string): ParsedKeybindings {
	const json = text.replace(/^\uFEFF/, "");
	let content: unknown;
	try {
		content = JSON.parse(json);
	} catch (error) {
		const line = lineOfMistake(json, error);
		const reason = error instanceof Error ? error.message : String(error);
		return {
			keys: {},
			problems: [`Line ${line} is not JSON: ${reason}. Correct it; until then the default keys apply.`],
		};
	}
	if (typeof content !== "object" || content === null || Array.isArray(content)) {
		return {
			keys: {},
			problems: ['It must be an object such as {"app.session.rename": "ctrl+e"}. Until then the default keys apply.'],
		};
	}
	const keys = new Map<string, readonly string[]>();
	const problems: string[] = [];
	for (const [name, value] of Object.entries(content)) {
		const isOld = Object.hasOwn(OLD_NAMES, name);
		const action = isOld ? (OLD_NAMES[name] ?? name) : name;
		if (!ACTIONS.has(action) || (isOld && Object.hasOwn(content, action))) continue;
		const list: unknown[] = Array.isArray(value) ? value : [value];
		const written = list.filter((key) => typeof key === "string");
		if (written.length === list.length) keys.set(action, written);
		else
			problems.push(
				`${name} must be a key or a list of keys, such as "ctrl+x" or []; its default keys apply until it is one.`,
			);
	}
	return { keys: Object.fromEntries(keys), problems };
}
