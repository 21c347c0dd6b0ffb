import { MODIFIERS } from "./key-name.ts";

/** The names that pi has for keys that are no printable character (pi 1.5.2, docs/keybindings.md). */
const NAMED: readonly string[] = [
	..."escape esc enter return tab space backspace delete insert clear home end".split(" "),
	..."pageUp pageDown up down left right".split(" "),
	...Array.from({ length: 12 }, (_, index) => `f${index + 1}`),
];

const SYMBOLS = "`-=[]\\;',./!@#$%^&*()_+|~{}:<>?";

const ALIASES: Readonly<Record<string, string>> = { return: "enter", esc: "escape" };

/**
 * The name that a key of keybindings.json has when it is pressed: "shift+l" is "L", "esc" is "escape"; undefined for what is
 * no key in pi. ctrl+- and ctrl+_ are one byte in a terminal, and one key here.
 */
export function parseKey(written: string): string | undefined {
	const pressed = new Set<string>();
	let base = written;
	for (let modifier = leading(base); modifier !== undefined; modifier = leading(base)) {
		if (pressed.has(modifier)) return undefined;
		pressed.add(modifier);
		base = base.slice(modifier.length + 1);
	}
	if (!/^[a-z0-9]$/.test(base) && !NAMED.includes(base) && !(base.length === 1 && SYMBOLS.includes(base)))
		return undefined;
	return keyName(ALIASES[base] ?? base, pressed);
}

/** The one name of a key and the modifiers that are held with it. */
export function keyName(base: string, pressed: ReadonlySet<string>): string {
	if (pressed.size === 0) return base === "space" ? " " : base;
	if (pressed.size === 1 && pressed.has("shift")) {
		if (/^[a-z]$/.test(base)) return base.toUpperCase();
		if (base === "space" || base === " ") return " ";
	}
	const last = base === " " ? "space" : base === "-" && pressed.size === 1 && pressed.has("ctrl") ? "_" : base;
	return [...MODIFIERS.filter((modifier) => pressed.has(modifier)), last].join("+");
}

function leading(key: string): string | undefined {
	return MODIFIERS.find((modifier) => key.startsWith(`${modifier}+`) && key.length > modifier.length + 1);
}
