/**
 * The name of a key is that of pi's keybindings.json, as it is when the key is pressed: "up", "enter", "ctrl+d",
 * "shift+alt+left"; a printable character is itself. Modifiers are always in this order.
 */
export const MODIFIERS = ["ctrl", "shift", "alt", "super"] as const;

const WITH_MODIFIER = /^(?:ctrl|shift|alt|super)\+/;

/** Whether a key is a printable character: a grapheme, of one code unit or with something beyond ASCII. */
export function isTypable(key: string): boolean {
	return key.length === 1 || (/[^\u0020-\u007e]/.test(key) && !WITH_MODIFIER.test(key));
}
