/**
 * A key has the name that it has in pi's keybindings.json: "up", "enter", "ctrl+d", "shift+alt+left"; a printable character
 * is its own name. Modifiers are always in this order.
 */
const MODIFIERS = ["ctrl", "shift", "alt", "super"] as const;

const WITH_MODIFIER = /^(?:ctrl|shift|alt|super)\+/;

/** Whether a key is a printable character: a grapheme of one code unit, or with anything beyond ASCII. */
export function isTypable(key: string): boolean {
	return key.length === 1 || (/[^\u0020-\u007e]/.test(key) && !WITH_MODIFIER.test(key));
}

/** pi's names for keys that are not printable characters (pi 1.5.2, docs/keybindings.md). */
const NAMED: readonly string[] = [
	..."escape esc enter return tab space backspace delete insert clear home end".split(" "),
	..."pageUp pageDown up down left right".split(" "),
	...Array.from({ length: 12 }, (_, index) => `f${index + 1}`),
];

const SYMBOLS = "`-=[]\\;',./!@#$%^&*()_+|~{}:<>?";

const ALIASES: Readonly<Record<string, string>> = { return: "enter", esc: "escape" };

/**
 * The name of a key as it is written in keybindings.json: "shift+l" is "L", "esc" is "escape"; undefined if pi has no such
 * key.
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

/**
 * Keys that terminals cannot tell apart: ctrl+/, ctrl+- and ctrl+_ are one byte, and what a Mac sends for option with an arrow
 * is alt+b or alt+f.
 */
const SAME: Readonly<Record<string, string>> = {
	"ctrl+/": "ctrl+_",
	"ctrl+-": "ctrl+_",
	"alt+b": "alt+left",
	"alt+f": "alt+right",
};

export function keyName(base: string, pressed: ReadonlySet<string>): string {
	if (pressed.size === 0) return base === "space" ? " " : base;
	if (pressed.size === 1 && pressed.has("shift")) {
		if (/^[a-z]$/.test(base)) return base.toUpperCase();
		if (base === "space" || base === " ") return " ";
	}
	const name = [...MODIFIERS.filter((modifier) => pressed.has(modifier)), base === " " ? "space" : base].join("+");
	return SAME[name] ?? name;
}

function leading(key: string): string | undefined {
	return MODIFIERS.find((modifier) => key.startsWith(`${modifier}+`) && key.length > modifier.length + 1);
}
