import { expect, test } from "vitest";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { createInputSplitter } from "../../../../src/terminal/input-splitter.ts";
import { decodeKeys } from "../../../../src/ui/keys/decode-input.ts";

const ascii = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));
const finals = [..."ABCDFHPQRS"];
const numbers = [2, 3, 5, 6, 15, 17, 18, 19, 20, 21, 23, 24];
const modifiers = [2, 3, 4, 5, 6, 7, 8];

/** What an xterm sends by default: characters, also with Alt, and the other keys with their modifiers. */
const SENT: readonly string[] = [
	...ascii,
	...ascii.map((character) => `\x1b${character}`),
	...finals.flatMap((final) => [
		`\x1b[${final}`,
		`\x1bO${final}`,
		...modifiers.map((held) => `\x1b[1;${held}${final}`),
	]),
	...numbers.flatMap((number) => [`\x1b[${number}~`, ...modifiers.map((held) => `\x1b[${number};${held}~`)]),
	"\x1b[Z",
];

function keysOf(input: string): readonly string[] {
	const splitter = createInputSplitter();
	return [...splitter.push(input), ...splitter.flush()].flatMap((piece) =>
		"typed" in piece ? decodeKeys(piece.typed, (key) => key !== "ctrl+alt+c") : [],
	);
}

test("each key that is sent arrives as one key, except Escape before Escape and ctrl+c", () => {
	const odd = SENT.filter((input) => keysOf(input).length !== 1);
	expect(odd).toEqual(["\x1b\x03", "\x1b\x1b"]);
});

test("every key is one that any terminal sends", () => {
	const arriving = new Set(SENT.flatMap(keysOf));
	expect(KEYMAP.flatMap(({ keys }) => keys).filter((key) => !arriving.has(key))).toEqual([]);
});
