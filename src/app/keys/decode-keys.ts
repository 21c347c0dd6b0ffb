/** What Ink reports about one piece of terminal input: the part of its `Key` that is used here. */
export interface KeyFlags {
	readonly upArrow: boolean;
	readonly downArrow: boolean;
	readonly leftArrow: boolean;
	readonly rightArrow: boolean;
	readonly pageUp: boolean;
	readonly pageDown: boolean;
	readonly home: boolean;
	readonly end: boolean;
	readonly return: boolean;
	readonly escape: boolean;
	readonly tab: boolean;
	readonly backspace: boolean;
	readonly delete: boolean;
	readonly ctrl: boolean;
	readonly shift: boolean;
	/** Alt, or Escape right before the key. */
	readonly meta: boolean;
	/** Only terminals with the kitty keyboard protocol send it. */
	readonly eventType?: "press" | "repeat" | "release" | undefined;
}

const SPECIAL_KEYS: readonly (readonly [keyof KeyFlags, string])[] = [
	["upArrow", "up"],
	["downArrow", "down"],
	["leftArrow", "left"],
	["rightArrow", "right"],
	["pageUp", "pageUp"],
	["pageDown", "pageDown"],
	["home", "home"],
	["end", "end"],
	["return", "enter"],
	["tab", "tab"],
	["backspace", "backspace"],
	["delete", "delete"],
];

/** Control characters with names of their own; the others are ctrl+letter. */
const CONTROL_KEYS: Readonly<Record<string, string>> = {
	"\0": "ctrl+space",
	"\b": "backspace",
	"\t": "tab",
	"\n": "enter",
	"\r": "enter",
	"\x1b": "escape",
	"\x1c": "ctrl+\\",
	"\x1d": "ctrl+]",
	"\x1e": "ctrl+^",
	"\x1f": "ctrl+-",
	"\x7f": "backspace",
};

/** A reply of the terminal that Ink does not know; Ink has already cut off its escape character. */
const STRAY_REPORT = /^\[[\d;:<=>?]+[ -/]*[A-Za-z~]$/;

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * The names of the keys in one input event of Ink, in the order in which they were pressed. Ink makes one event of all
 * that arrives in one read, so "jj", or "j" and Enter, are one event with several keys.
 * Names are those of pi's keybindings.json: "up", "enter", "ctrl+d", "shift+alt+left"; a printable character is itself.
 */
export function decodeKeys(input: string, key: KeyFlags): string[] {
	if (key.eventType === "release") return [];
	const special = SPECIAL_KEYS.find(([flag]) => key[flag] === true);
	if (special) return [withModifiers(special[1], key)];
	// Two quick presses of Escape arrive as Escape with meta.
	if (key.escape) return key.meta ? ["escape", "escape"] : ["escape"];
	if (key.ctrl) return controlName(input, key);
	if (key.meta) return input === "" ? [] : [withModifiers(input === " " ? "space" : input.toLowerCase(), key)];
	if (STRAY_REPORT.test(input)) return [];
	return splitText(input);
}

/** Ink names Ctrl with a letter by the letter, and Ctrl with Space by a backquote. */
function controlName(input: string, key: KeyFlags): string[] {
	if (input === "") return [];
	if (input === "`" || input === " ") return [withModifiers("space", key)];
	return [withModifiers(input.toLowerCase(), key)];
}

function withModifiers(name: string, key: KeyFlags): string {
	return `${key.ctrl ? "ctrl+" : ""}${key.shift ? "shift+" : ""}${key.meta ? "alt+" : ""}${name}`;
}

function splitText(text: string): string[] {
	const keys: string[] = [];
	for (const { segment } of graphemes.segment(text)) {
		// "\r\n" is one grapheme and one press of Enter; every other control character is a grapheme of its own.
		if (segment === "\r\n") keys.push("enter");
		else keys.push(nameOf(segment));
	}
	return keys;
}

function nameOf(character: string): string {
	const named = CONTROL_KEYS[character];
	if (named !== undefined) return named;
	const code = character.charCodeAt(0);
	return code < 0x20 ? `ctrl+${String.fromCharCode(code + 0x60)}` : character;
}
