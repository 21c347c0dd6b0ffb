import { graphemesOf } from "../../shared/graphemes.ts";
import type { Cell } from "../view.ts";
import { keyName } from "./key-name.ts";

/** Control characters that have a name; the others are ctrl+letter. */
const CONTROL_KEYS: Readonly<Record<string, string>> = {
	"\0": "ctrl+space",
	"\b": "backspace",
	"\t": "tab",
	"\r": "enter",
	"\x1b": "escape",
	"\x1c": "ctrl+\\",
	"\x1d": "ctrl+]",
	"\x1e": "ctrl+^",
	"\x1f": "ctrl+_",
	"\x7f": "backspace",
};

/** Last byte of CSI and SS3 sequences → key. */
const BY_LETTER: Readonly<Record<string, string>> = {
	A: "up",
	B: "down",
	C: "right",
	D: "left",
	E: "clear",
	F: "end",
	H: "home",
	P: "f1",
	Q: "f2",
	R: "f3",
	S: "f4",
};

/** First number of `CSI … ~` → key. */
const BY_NUMBER: readonly (string | undefined)[] = [
	...[undefined, "home", "insert", "delete", "end", "pageUp", "pageDown", "home", "end", undefined, undefined],
	...["f1", "f2", "f3", "f4", "f5", undefined, "f6", "f7", "f8", "f9", "f10", undefined, "f11", "f12"],
];

/** Keys that the keypad in application mode sends as SS3 and a letter, from "j" on. */
const KEYPAD = "*+,-./0123456789";

/** Key codes of the kitty protocol for keys that are not characters: ASCII controls and the keypad. */
const BY_CODE: ReadonlyMap<number, string> = new Map([
	[8, "backspace"],
	[9, "tab"],
	[13, "enter"],
	[27, "escape"],
	[127, "backspace"],
	...Array.from("0123456789./*-+", (key, index): [number, string] => [57399 + index, key]),
	[57414, "enter"],
	[57415, "="],
	[57416, ","],
	...["left", "right", "up", "down", "pageUp", "pageDown", "home", "end", "insert", "delete", "clear"].map(
		(key, index): [number, string] => [57417 + index, key],
	),
]);

/** Codes for other keys that are not characters: modifiers alone, media keys, F13 and above. */
const PRIVATE_USE = { first: 57344, last: 63743 };

const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
const SUPER = 8;
const HYPER = 16;
const META = 32;
const CAPS_LOCK = 64;

const RELEASE = "3";

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
/** Key code : with Shift : on a US keyboard ; modifiers : event ; text. */
const KITTY = /^\x1b\[(\d+)(?::(\d*))?(?::(\d*))?(?:;(\d*)(?::(\d+))?)?(?:;[\d:]*)?u$/;
/** Sent by xterm and tmux for `modifyOtherKeys`. */
const OTHER_KEYS = /^\x1b\[27;(\d+);(\d+)~$/;
const NUMBERED = /^(\x1b?)\x1b\[(\d+)(?:;(\d+)(?::(\d+))?)?([~$^@])$/;
const LETTERED = /^(\x1b?)\x1b(?:\[|O)(?:1;(\d+)(?::(\d+))?)?([A-FHP-S])$/;
/** rxvt: CSI with Shift, SS3 with Ctrl. */
const RXVT_ARROW = /^(\x1b?)\x1b([[O])([a-e])$/;
const CONSOLE_FUNCTION = /^\x1b\[\[([A-E])$/;
const KEYPAD_KEY = /^\x1bO([I-M\]j-y])$/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: escape sequences begin with one

/**
 * The names (`key-name.ts`) of the keys in typed text or in one escape sequence, in order. A sequence that no key sends,
 * such as an answer of the terminal, gives none. Escape and a control character are what ctrl and alt with that key send, too:
 * they are one key only where `isBound` knows it, since a slow connection joins what was pressed apart.
 *
 * Understands what VT220, xterm, rxvt and the Linux console send, and the kitty keyboard protocol
 * (https://sw.kovidgoyal.net/kitty/keyboard-protocol/).
 */
export function decodeKeys(input: string, isBound: (key: string) => boolean = () => false): readonly string[] {
	if (!input.startsWith("\x1b")) return typedKeys(input);
	if (input === "\x1b") return ["escape"];
	if (input === "\x1b\x1b") return ["escape", "escape"];
	return isSequence(input) ? sequenceKeys(input) : altKeys(input.slice(1), isBound);
}

function isSequence(input: string): boolean {
	return input.length > 2 && (input.startsWith("\x1b\x1b") || "[O]P^_".includes(input[1] ?? ""));
}

function typedKeys(text: string): string[] {
	return graphemesOf(text).flatMap((segment) =>
		// One press of Enter if the terminal is in newline mode.
		segment === "\r\n" ? "enter" : nameOf(segment),
	);
}

function nameOf(character: string): string {
	const named = CONTROL_KEYS[character];
	if (named !== undefined) return named;
	const code = character.charCodeAt(0);
	return code < 0x20 ? `ctrl+${String.fromCharCode(code + 0x60)}` : character;
}

function altKeys(character: string, isBound: (key: string) => boolean): string[] {
	const name = nameOf(character);
	if (/^[A-Z]$/.test(name)) return [`shift+alt+${name.toLowerCase()}`];
	const withAlt = name.replace(/^ctrl\+/, "ctrl+alt+");
	if (withAlt !== name) return isBound(withAlt) ? [withAlt] : ["escape", name];
	return [keyName(name, new Set(["alt"]))];
}

function sequenceKeys(sequence: string): readonly string[] {
	const kitty = KITTY.exec(sequence);
	if (kitty) {
		const [, code, shifted, base, modifiers, event] = kitty;
		return event === RELEASE ? [] : coded(Number(code), pressed(modifiers), Number(shifted), Number(base));
	}
	const other = OTHER_KEYS.exec(sequence);
	if (other) return coded(Number(other[2]), pressed(other[1]), 0, 0);
	const numbered = NUMBERED.exec(sequence);
	if (numbered) {
		const [, before, number, modifiers, event, end] = numbered;
		const held = { "~": 0, $: SHIFT, "^": CTRL, "@": SHIFT | CTRL }[end ?? ""] ?? 0;
		return event === RELEASE ? [] : named(BY_NUMBER[Number(number)], pressed(modifiers) | held | (before ? ALT : 0));
	}
	const lettered = LETTERED.exec(sequence);
	if (lettered) {
		const [, before, modifiers, event, letter] = lettered;
		// A cursor position report ends with R as well; F3 never has "1;1".
		if (letter === "R" && modifiers === "1") return [];
		return event === RELEASE ? [] : named(BY_LETTER[letter ?? ""], pressed(modifiers) | (before ? ALT : 0));
	}
	const arrow = RXVT_ARROW.exec(sequence);
	if (arrow) {
		const [, before, kind, letter] = arrow;
		return named(BY_LETTER[(letter ?? "").toUpperCase()], (kind === "[" ? SHIFT : CTRL) | (before ? ALT : 0));
	}
	const functionKey = CONSOLE_FUNCTION.exec(sequence)?.[1];
	if (functionKey !== undefined) return [`f${functionKey.charCodeAt(0) - 64}`];
	const keypad = KEYPAD_KEY.exec(sequence)?.[1];
	if (keypad !== undefined) return keypad === "M" ? ["enter"] : keypad === "I" ? ["tab"] : keypadKey(keypad);
	return sequence === "\x1b[Z" ? ["shift+tab"] : [];
}

function keypadKey(letter: string): string[] {
	const key = KEYPAD[letter.charCodeAt(0) - "j".charCodeAt(0)];
	return key === undefined ? [] : [key];
}

/** The modifiers of a sequence, which are sent with one added. */
function pressed(parameter: string | undefined): number {
	return parameter ? Math.max(0, Number(parameter) - 1) : 0;
}

function named(base: string | undefined, modifiers: number): string[] {
	return base === undefined ? [] : [keyName(base, namesOf(modifiers))];
}

/**
 * A key by its code, the character that it types without Shift. `shifted`: the one with Shift; `base`: the one on a US
 * keyboard, which names keys with Ctrl or Alt on layouts without Latin letters; 0 or NaN if they are not sent.
 */
function coded(code: number, modifiers: number, shifted: number, base: number): string[] {
	const key = BY_CODE.get(code);
	if (modifiers & HYPER) return [];
	if (key !== undefined) return named(key, modifiers);
	if (code < 32 || code > 0x10ffff || (code >= PRIVATE_USE.first && code <= PRIVATE_USE.last)) return [];
	if ((modifiers & (CTRL | ALT | SUPER | META)) === 0) {
		const character = String.fromCodePoint(modifiers & SHIFT && shifted > 0 ? shifted : code);
		return [modifiers & (SHIFT | CAPS_LOCK) ? character.toUpperCase() : character];
	}
	const letter = String.fromCodePoint(code > 0x7f && base > 0 ? base : code).toLowerCase();
	if (modifiers & SHIFT && shifted > 0 && shifted <= 0x7f && !/^[a-z]$/.test(letter))
		return named(String.fromCodePoint(shifted), modifiers & ~SHIFT);
	return named(letter, modifiers);
}

function namesOf(modifiers: number): ReadonlySet<string> {
	const held: string[] = [];
	if (modifiers & CTRL) held.push("ctrl");
	if (modifiers & SHIFT) held.push("shift");
	if (modifiers & (ALT | META)) held.push("alt");
	if (modifiers & SUPER) held.push("super");
	return new Set(held);
}

/** An action of a button or the wheel, over a cell of the screen; `menu`: the right button was pressed. */
export type MouseEvent = Cell &
	(
		| { readonly kind: "press" | "drag" | "release" | "menu" }
		/** `rows`: how far to scroll down; negative: up. */
		| { readonly kind: "wheel"; readonly rows: number }
	);

const REPORT = /^\x1b\[<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])$/;

/** Bits of the first number of a report. */
const BUTTON = 3;
const RIGHT = 2;
const MOVED = 32;
const WHEEL = 64;
const MORE_BUTTONS = 128;

const WHEEL_ROWS = 3;

/** Decodes a mouse report (SGR, mode 1006); none for the middle button and motion without a button. */
export function decodeMouse(report: string): MouseEvent[] {
	const [, code = "", column = "", row = "", end] = REPORT.exec(report) ?? [];
	if (end === undefined) return [];
	const bits = Number(code);
	const button = bits & BUTTON;
	const cell = { x: Math.max(0, Number(column) - 1), y: Math.max(0, Number(row) - 1) };
	if ((bits & MORE_BUTTONS) !== 0) return [];
	if ((bits & WHEEL) !== 0)
		return button > 1 ? [] : [{ kind: "wheel", rows: button === 0 ? -WHEEL_ROWS : WHEEL_ROWS, ...cell }];
	if (button === RIGHT) return end === "M" && (bits & MOVED) === 0 ? [{ kind: "menu", ...cell }] : [];
	if (button !== 0) return [];
	if ((bits & MOVED) !== 0) return [{ kind: "drag", ...cell }];
	return [{ kind: end === "M" ? "press" : "release", ...cell }];
}

/** Joins successive turns of the wheel over the same cell into one; of a drag, keeps only the last event. */
export function joinTurns(events: readonly MouseEvent[]): MouseEvent[] {
	const joined: MouseEvent[] = [];
	for (const event of events) {
		const last = joined.at(-1);
		if (event.kind === "wheel" && last?.kind === "wheel" && last.x === event.x && last.y === event.y)
			joined[joined.length - 1] = { ...event, rows: last.rows + event.rows };
		else if (event.kind === "drag" && last?.kind === "drag") joined[joined.length - 1] = event;
		else joined.push(event);
	}
	return joined;
}
