import { type ParseError, parse } from "jsonc-parser";
import { attempt, messageOf } from "../../../shared/attempt.ts";
import { lineAt, printJson } from "../../../shared/json.ts";
import { isTypable, parseKey } from "../../../ui/keys/key-name.ts";
import { type Binding, type Context, keyLabel } from "../../world/state/binding.ts";
import { TYPING_PAGES } from "../features/features.ts";
import { KEYMAP } from "./keymap.ts";

/** Contexts where letters are text, so that no printable character may be a command. */
export const TEXT_CONTEXTS: readonly Context[] = [
	"list",
	"saved",
	"filter",
	"prompt",
	"palette",
	"projects",
	...TYPING_PAGES,
];

/** pi's keybindings.json: action name → the keys that replace its default ones; an empty list removes them. */
type Keybindings = Readonly<Record<string, readonly string[]>>;

/** The resulting keymap, and which of the person's keys could not be applied, in sentences. */
interface AppliedKeybindings {
	readonly keymap: readonly Binding[];
	readonly problems: readonly string[];
}

const LEADS_OUT = "ctrl+c";

/**
 * The keymap with the person's own keys; a key chosen for one action is removed from the default ones in its contexts. Keys
 * that would swallow text or the way out, or are chosen for two actions, are left out and reported.
 */
export function applyKeybindings(chosen: Keybindings): AppliedKeybindings {
	const problems = new Set<string>();
	const actions = new Map<string, string>();
	const ownParts = KEYMAP.map((binding) => {
		const keys = binding.pi !== undefined && Object.hasOwn(chosen, binding.pi) ? chosen[binding.pi] : undefined;
		if (binding.pi === undefined || keys === undefined) return undefined;
		const parsed = parseKeys(binding.pi, keys, problems);
		const usable = withoutWayOut(binding, parsed, problems);
		return splitByText(binding, usable, problems).map((part) => withoutTaken(part, actions, problems));
	});
	const all = ownParts.flatMap((parts) => parts ?? []);
	const keymap = KEYMAP.flatMap((binding, index) => {
		const parts = ownParts[index];
		if (parts !== undefined) return parts;
		if (binding.id === "leave") return [binding];
		const lost = all.filter(
			(other) => takesFrom(other, binding) && other.contexts.some((context) => binding.contexts.includes(context)),
		);
		return [{ ...binding, keys: binding.keys.filter((key) => !lost.some(({ keys }) => keys.includes(key))) }];
	});
	return { keymap, problems: [...problems] };
}

/**
 * Whether a chosen key is removed from a default binding in the same context. Keys for the text of a filter are not removed
 * from bindings that pi itself puts first there, and keys that pass on what they do not need are never removed.
 */
function takesFrom(chosen: Binding, other: Binding): boolean {
	if (chosen.section !== "Filter") return true;
	return !passesOn(chosen) && (other.pi === undefined || other.section === "Filter");
}

/** Whether a key is passed on to other bindings while there is no text for it. */
function passesOn({ section, when }: Binding): boolean {
	return section === "Filter" && when !== undefined;
}

function parseKeys(action: string, written: readonly string[], problems: Set<string>): string[] {
	return written.flatMap((key) => {
		const name = parseKey(key);
		if (name === undefined)
			problems.add(
				`${action}: ${printJson(key, { limit: 40 })} is not a key. Keys are written as ctrl+x, shift+alt+left or f2; letters are lower case.`,
			);
		return name ?? [];
	});
}

function withoutWayOut({ id, pi }: Binding, keys: readonly string[], problems: Set<string>): readonly string[] {
	// In pi the same action closes its list; here ctrl+c leaves the list anyway.
	if (!keys.includes(LEADS_OUT) || id === "cancel") return keys;
	if (id !== "back")
		problems.add(`${pi}: ctrl+c always goes back or leaves, so it does nothing else. Choose another key.`);
	return keys.filter((key) => key !== LEADS_OUT);
}

/** Splits a binding with typable keys in two: where letters are text, only its other keys apply, else the default ones. */
function splitByText(binding: Binding, keys: readonly string[], problems: Set<string>): Binding[] {
	const typable = keys.filter(isTypable);
	const isText = (context: Context): boolean => TEXT_CONTEXTS.includes(context);
	if (typable.length === 0 || !binding.contexts.some(isText)) return [{ ...binding, keys }];
	const otherKeys = keys.filter((key) => !isTypable(key));
	const instead = otherKeys.length > 0 ? otherKeys : binding.keys;
	for (const key of typable) {
		const other = instead.length === 0 ? "it does nothing" : `${instead.map(keyLabel).join(" or ")} does it`;
		problems.add(`${binding.pi}: ${keyLabel(key)} is text where letters are typed, so there ${other}.`);
	}
	return [
		{ ...binding, keys: instead, contexts: binding.contexts.filter(isText) },
		{ ...binding, keys, contexts: binding.contexts.filter((context) => !isText(context)) },
	].filter(({ contexts }) => contexts.length > 0);
}

/** Leaves out the keys that an earlier action has in the same context. */
function withoutTaken(binding: Binding, actions: Map<string, string>, problems: Set<string>): Binding {
	if (passesOn(binding)) return binding;
	const action = binding.pi ?? binding.id;
	const keys = binding.keys.filter((key) => {
		const slots = binding.contexts.map((context) => `${context} ${key}`);
		const first = slots.map((slot) => actions.get(slot)).find((other) => other !== undefined && other !== action);
		if (first === undefined) {
			// While its condition does not hold, the key belongs to the next one.
			if (binding.when === undefined && binding.within === undefined)
				for (const slot of slots) actions.set(slot, action);
			return true;
		}
		problems.add(
			`${keyLabel(key)} is chosen for both ${first} and ${action}; it does the first. Choose another for one.`,
		);
		return false;
	});
	return { ...binding, keys };
}

/** The keys in a keybindings.json, and what of it cannot be used, in sentences. */
interface ParsedKeybindings {
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
	toggleSessionPath: "app.session.togglePath",
	toggleSessionSort: "app.session.toggleSort",
	toggleSessionNamedFilter: "app.session.toggleNamedFilter",
	renameSession: "app.session.rename",
	deleteSession: "app.session.delete",
	deleteSessionNoninvasive: "app.session.deleteNoninvasive",
};

/** pi's actions that exist here too; pi has others, and so may other programs that read the file. */
const ACTIONS: ReadonlySet<string | undefined> = new Set(KEYMAP.map(({ pi }) => pi));

/** The offset of the first mistake in a text that is not JSON: V8 does not say it of an unexpected token. */
function mistakeIn(json: string): number {
	const errors: ParseError[] = [];
	// The parser is recursive.
	attempt(() => parse(json, errors, { disallowComments: true }));
	return errors[0]?.offset ?? 0;
}

/** Reads the text of pi's keybindings.json: an object with one key, or a list of keys, for each action. Never throws. */
export function parseKeybindings(text: string): ParsedKeybindings {
	const json = text.replace(/^\uFEFF/, "");
	let content: unknown;
	try {
		content = JSON.parse(json);
	} catch (error) {
		const reason = messageOf(error);
		return {
			keys: {},
			problems: [
				`Line ${lineAt(json, mistakeIn(json))} is not JSON: ${reason}. Correct it; until then the default keys apply.`,
			],
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
				`${name} must be a key or a list of keys, such as "ctrl+x" or []; its default keys apply until you correct it.`,
			);
	}
	return { keys: Object.fromEntries(keys), problems };
}
