import type { Binding } from "../model/binding.ts";
import { KEYMAP } from "./keymap.ts";

/** pi's keybindings.json: action name → the keys that replace its default ones; an empty list removes them. */
export type Keybindings = Readonly<Record<string, readonly string[]>>;

const ALIASES: Readonly<Record<string, string>> = { return: "enter", esc: "escape", space: " " };
const MODIFIERS = ["ctrl", "shift", "alt", "super"] as const;

/** The keymap with the person's own keys; a key chosen for one action is taken from the default ones in its contexts. */
export function applyKeybindings(chosen: Keybindings): readonly Binding[] {
	const overridden = KEYMAP.map((binding) => {
		const keys = binding.pi === undefined ? undefined : chosen[binding.pi];
		return keys === undefined ? undefined : { ...binding, keys: keys.map(normalizeKey) };
	});
	return KEYMAP.map((binding, index) => {
		const own = overridden[index];
		if (own !== undefined) return own;
		const taken = overridden.filter((other) => other !== undefined && sharesContext(other, binding));
		return { ...binding, keys: binding.keys.filter((key) => !taken.some((other) => other?.keys.includes(key))) };
	});
}

/** The name that a key of keybindings.json has when it is pressed: "shift+l" is "L", "esc" is "escape". */
export function normalizeKey(key: string): string {
	const parts = key.split("+");
	const last = key.endsWith("+") ? "+" : (parts.at(-1) ?? "");
	const pressed = new Set(parts.slice(0, key.endsWith("+") ? -2 : -1));
	const name = ALIASES[last] ?? last;
	if (pressed.size === 1 && pressed.has("shift") && /^[a-z]$/.test(name)) return name.toUpperCase();
	return [...MODIFIERS.filter((modifier) => pressed.has(modifier)), name].join("+");
}

function sharesContext(a: Binding, b: Binding): boolean {
	return a.contexts.some((context) => b.contexts.includes(context));
}
