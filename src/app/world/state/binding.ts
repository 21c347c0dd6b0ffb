import { memoLast } from "../../../shared/memo.ts";
import { capital } from "../../../ui/text/format.ts";
import type { PageKind } from "./overlays.ts";
import type { Environment, Focus, State, Transition } from "./state.ts";

/**
 * Where a binding works: a pane, the saved queries above the list, the find field of the reader, the open filter of a document, or an
 * overlay that takes all keys.
 */
export type Context =
	| Focus
	| "saved"
	| "find"
	| "filter"
	| "menu"
	| "prompt"
	| "help"
	| "palette"
	| "projects"
	| "blame"
	| PageKind;

/** Sections of the help screen, in order; those of single pages come before "Pages". */
export const SECTIONS: readonly string[] = [
	"Moving",
	"Session",
	"Changes",
	"In pi",
	"List",
	"Tree",
	"Reader",
	"Panes",
	"Branches",
	"Pages",
	"Copy and save",
	"Filter",
	"Program",
];

/** The sections of a keymap, in the order of the help screen. */
export function sectionsOf(keymap: readonly Binding[]): readonly string[] {
	const ofPages = [...new Set(keymap.map(({ section }) => section))].filter((section) => !SECTIONS.includes(section));
	return SECTIONS.toSpliced(SECTIONS.indexOf("Pages"), 0, ...ofPages);
}

/** A key and what it does. The footer, the help screen and docs/keys.md are made from the table of these. */
export interface Binding {
	readonly id: string;
	/** Key names as in pi's keybindings.json; the first is shown. */
	readonly keys: readonly string[];
	readonly contexts: readonly Context[];
	readonly section: string;
	/**
	 * What it is called among the commands, in one to four words; a binding without a name is not a command. "{}" stands for what it
	 * acts on, which is named there once something is typed: "Move {} to trash…", "Copy the path of {}".
	 */
	readonly name?: string;
	/** For a name of two halves, as "Pin, or unpin": whether the command now does what the second half says. */
	readonly isOn?: (state: State) => boolean;
	/** What stands for "{}" now if not what the binding acts on; without that the name is followed by it: "archive 3 sessions", of "Undo". */
	readonly about?: (state: State) => string | undefined;
	/** Other words that find the command there; those behind ", or " only what the second half of its name says. */
	readonly synonyms?: string;
	/** One phrase for the page of keys. */
	readonly help: string;
	/** One or two words for the footer, which may name what it acts on now; bindings without are only in the help. */
	readonly short?: string | ((state: State) => string);
	/** The action's name in pi's keybindings.json, if pi has the same one. */
	readonly pi?: string;
	/** When the key does this, as a phrase for the page of keys: "on a run of a subagent". */
	readonly condition?: string;
	/** Set if the binding exists only in a browser that pi has started (`/grove`), or only in `pi-grove pick`. */
	readonly within?: "pi" | "pick";
	/** While this is false the binding does not exist: its key may belong to a later one, or is typed. */
	readonly when?: (state: State) => boolean;
	/** Why the binding cannot act now; shown if its key is pressed and can neither do anything else nor be typed. */
	readonly needs?: (state: State) => string | undefined;
	/**
	 * What the key acts on: the session under the list's cursor, all that are chosen (see `chosenRows`), the entry under the
	 * tree's cursor, whatever is under the cursor of the focused pane, all that the list shows, or its order: search results have
	 * an order of their own. Such a key waits until the screen shows the answer to what was typed before; for the order, the
	 * first results are enough. The headings of the box of commands say it.
	 */
	readonly acts?: "session" | "chosen" | "entry" | "cursor" | "list" | "order";
	readonly run: (state: State) => Transition;
}

export function contextOf(state: State): Context {
	const place = contextBelow(state);
	return state.filtering === place ? "filter" : place;
}

/** The context, whether or not the filter there is being typed. */
export function contextBelow(state: State): Exclude<Context, "filter"> {
	const isFinding = state.focus === "reader" && state.reader.find?.typing === true;
	const isOnSaved = state.focus === "list" && state.saved.index !== undefined;
	return state.overlays.at(-1)?.kind ?? (isFinding ? "find" : isOnSaved ? "saved" : state.focus);
}

/** Where a name says what the command acts on. */
export const SUBJECT_PLACE = / (?:of )?\{\}/;

/** A name without what the command acts on, as it is typed. */
export function plainName(name: string): string {
	return name.replace(SUBJECT_PLACE, "");
}

/** The half of a name of two, as "Pin {}, or unpin {}", for what the command does now. */
export function nameNow(name: string, isOn: boolean): string {
	const [off = name, on] = name.split(", or ");
	return isOn && on !== undefined ? capital(on) : off;
}

/** The bindings that can act now, in the order of the table; a key that two of them share belongs to the first. */
export function bindingsFor(state: State): readonly Binding[] {
	const takenKeys = new Set<string>();
	return bindingsHere(state).filter((binding) => {
		if (binding.needs?.(state) !== undefined) return false;
		const free = binding.keys.filter((key) => !takenKeys.has(key));
		for (const key of free) takenKeys.add(key);
		return free.length > 0;
	});
}

export function bindingFor(state: State, key: string): Binding | undefined {
	return bindingsFor(state).find(({ keys }) => keys.includes(key));
}

/** The command with this id in the present context, even if it has no key. */
export function commandFor(state: State, id: string): Binding | undefined {
	return bindingsHere(state).find((binding) => binding.id === id);
}

/** What the binding of a key acts on, whether or not it can act now. */
export function actsOn(state: State, key: string): Binding["acts"] {
	return bindingsHere(state).find(({ keys }) => keys.includes(key))?.acts;
}

/** Why the binding of a key cannot act now; undefined when the key has none in this context. */
export function whyBlocked(state: State, key: string): string | undefined {
	return bindingsHere(state)
		.find(({ keys }) => keys.includes(key))
		?.needs?.(state);
}

function bindingsHere(state: State): readonly Binding[] {
	const context = contextOf(state);
	return boundHere(state.environment).filter(
		({ contexts, when }) => contexts.includes(context) && (when?.(state) ?? true),
	);
}

/** The keymap without bindings for another kind of browser: inside pi, `pi-grove pick`. */
export const boundHere = memoLast(({ keymap, host, picks }: Environment): readonly Binding[] =>
	keymap.filter(({ within }) => {
		if (within === undefined) return true;
		return (within === "pi" ? host : picks) !== undefined;
	}),
);

const KEY_SIGNS: Readonly<Record<string, string>> = {
	left: "←",
	right: "→",
	up: "↑",
	down: "↓",
	escape: "esc",
	" ": "space",
};

export function keyLabel(key: string): string {
	if (/^[A-Z]$/.test(key)) return `shift+${key.toLowerCase()}`;
	return key
		.split("+")
		.map((part) => KEY_SIGNS[part] ?? part)
		.join("+");
}

/** The first key of a command, as it is written; undefined if it has none. */
export function keyOfCommand(keymap: readonly Binding[], id: string): string | undefined {
	const key = keymap.find((binding) => binding.id === id && binding.keys.length > 0)?.keys[0];
	return key === undefined ? undefined : keyLabel(key);
}
