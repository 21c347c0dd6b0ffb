import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createInputSplitter, type InputPiece } from "../../src/terminal/input-splitter.ts";

/** The pieces of chunks that come right after each other, and of what is left at the end. */
function split(...chunks: readonly string[]): (string | Exclude<InputPiece, { typed: string }>)[] {
	const splitter = createInputSplitter();
	const pieces: InputPiece[] = chunks.flatMap((chunk) => splitter.push(chunk));
	while (splitter.patienceMs !== undefined) pieces.push(...splitter.flush());
	return pieces.map((piece) => ("typed" in piece ? piece.typed : piece));
}

test.each<[string, string[]]>([
	["abc", ["abc"]],
	["a\x1b[Ab", ["a", "\x1b[A", "b"]],
	["\x1b", ["\x1b"]],
	["\x1bl", ["\x1bl"]],
	["\x1b\x03", ["\x1b\x03"]],
	["\x1b\x1b\x03", ["\x1b\x1b", "\x03"]],
	["\x1b\x1b[A", ["\x1b\x1b[A"]],
	["\x1b[3$\x1b[3$", ["\x1b[3$", "\x1b[3$"]],
	["\x1bOP\x1b[[A", ["\x1bOP", "\x1b[[A"]],
	["\x1b👍x", ["\x1b👍", "x"]],
	["\x1b[", ["\x1b["]],
	["\x1b]", ["\x1b]"]],
	["\x1b]hello", ["\x1b]", "hello"]],
	["\x1b]11;rgb:1/2/3\x1b\\x", ["\x1b]11;rgb:1/2/3\x1b\\", "x"]],
	["\x1bP>|a\x07x", ["\x1bP>|a\x07", "x"]],
	["\x1b[\x03", ["\x1b[", "\x03"]],
	["\x1b]0;\x03", ["\x1b]", "0;\x03"]],
	["\x1b[1;", []],
	["\x1b\x1b[I", ["\x1b", "\x1b[I"]],
	["\x1b\x1b[O\x1b[I", ["\x1b", "\x1b[O", "\x1b[I"]],
])("%j is %j", (input, pieces) => expect(split(input)).toEqual(pieces));

test("mouse reports are separate pieces, and those of the old form are dropped", () => {
	expect(split("a\x1b[<0;10;5Mb", "\x1b[<6", "5;1;1m")).toEqual([
		"a",
		{ mouse: "\x1b[<0;10;5M" },
		"b",
		{ mouse: "\x1b[<65;1;1m" },
	]);
	expect(split("x\x1b[M !!y", "\x1b[M", " \ufffd", "\ufffdz")).toEqual(["x", "y", "z"]);
	expect(split("\x1b[M\x03").at(-1)).toMatch(/\x03$/);
});

test("pieces do not depend on how they are spread over reads", () => {
	const pieces = [
		"abc",
		"é日",
		"\x1b[A",
		"\x1b[1;5D",
		"\x1bOP",
		"\x1b[99;5u",
		"\x1b[?1;2c",
		"\x1b]11;rgb:1/2/3\x1b\\",
		"\r",
		"\x03",
	];
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...pieces)), fc.array(fc.nat(40)), (parts, cuts) => {
			const input = parts.join("");
			const chunks: string[] = [];
			let at = 0;
			for (const cut of cuts) {
				chunks.push(input.slice(at, at + cut));
				at += cut;
			}
			chunks.push(input.slice(at));
			expect(split(...chunks).join("")).toBe(input);
			expect(split(...chunks).filter((piece) => String(piece).startsWith("\x1b"))).toEqual(
				parts.filter((part) => part.startsWith("\x1b")),
			);
		}),
	);
});

test("no key is ever lost: whatever arrives, ctrl+c after it does too", () => {
	fc.assert(
		fc.property(
			fc.string({ unit: fc.constantFrom("\x1b", "[", "]", "O", "P", "1", ";", "u", "~", "x", "\x1b[200~") }),
			(noise) => {
				const splitter = createInputSplitter();
				const pieces = [...splitter.push(noise), ...splitter.push("\x03")];
				expect(pieces.at(-1)).toEqual({ typed: expect.stringMatching(/\x03$/) });
			},
		),
	);
});

describe("pasted text", () => {
	const paste = (text: string): string => `\x1b[200~${text}\x1b[201~`;
	test("is one piece, with its line ends and escape characters, in its place", () => {
		expect(split(`a${paste("one\r\ntwo\x1b[A")}b`)).toEqual(["a", { paste: "one\r\ntwo\x1b[A" }, "b"]);
		expect(split(paste(""), paste("x"))).toEqual([{ paste: "" }, { paste: "x" }]);
	});
	test("may come in any pieces", () => {
		const input = `${paste("a long text\x1b[20")}\x1b[B`;
		for (let size = 1; size < input.length; size++) {
			const chunks = Array.from({ length: Math.ceil(input.length / size) }, (_, index) =>
				input.slice(index * size, (index + 1) * size),
			);
			expect(split(...chunks)).toEqual([{ paste: "a long text\x1b[20" }, "\x1b[B"]);
		}
	});
	test("that never ends can be left", () => {
		expect(split("\x1b[200~abc", "\x03")).toEqual([{ paste: "abc" }, "\x03"]);
	});
	test("of many chunks takes time linear in its size", () => {
		const chunks = Array.from({ length: 2000 }, () => "x".repeat(4096));
		expect(split("\x1b[200~", ...chunks, "\x1b[201~")).toEqual([{ paste: chunks.join("") }]);
	});
});

test("a lone Escape is waited for as long as a person cannot press two keys, a torn sequence longer", () => {
	const splitter = createInputSplitter();
	expect(splitter.patienceMs).toBeUndefined();
	splitter.push("\x1b");
	expect(splitter.patienceMs).toBe(20);
	splitter.push("[1;");
	expect(splitter.patienceMs).toBe(150);
	expect(splitter.push("5D")).toEqual([{ typed: "\x1b[1;5D" }]);
	expect(splitter.patienceMs).toBeUndefined();
});
