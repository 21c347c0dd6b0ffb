import { describe, expect, test } from "vitest";
import { decodeKeys, decodeMouse, joinTurns } from "../../../src/ui/keys/decode-input.ts";

describe("typed text", () => {
	test.each<[string, string[]]>([
		["j", ["j"]],
		["jj", ["j", "j"]],
		["j\r", ["j", "enter"]],
		["\r\r", ["enter", "enter"]],
		["\r\n", ["enter"]],
		["\n", ["ctrl+j"]],
		["a\nb", ["a", "ctrl+j", "b"]],
		["\t\t", ["tab", "tab"]],
		["L ?", ["L", " ", "?"]],
		["é日👍🏽", ["é", "日", "👍🏽"]],
		["\x04\x04", ["ctrl+d", "ctrl+d"]],
		["ab\x12c\x03", ["a", "b", "ctrl+r", "c", "ctrl+c"]],
		["\0\x1c\x1d\x1e\x1f\x7f\b", ["ctrl+space", "ctrl+\\", "ctrl+]", "ctrl+^", "ctrl+_", "backspace", "backspace"]],
	])("%j is %j", (input, keys) => expect(decodeKeys(input)).toEqual(keys));
});

describe("Escape and Alt", () => {
	test.each<[string, string[]]>([
		["\x1b", ["escape"]],
		["\x1b\x1b", ["escape", "escape"]],
		["\x1b\x03", ["escape", "ctrl+c"]],
		["\x1bl", ["alt+l"]],
		["\x1bL", ["shift+alt+l"]],
		["\x1b ", ["alt+space"]],
		["\x1b\r", ["alt+enter"]],
		["\x1b\x7f", ["alt+backspace"]],
		["\x1b\x0b", ["escape", "ctrl+k"]],
		["\x1b\x1d", ["escape", "ctrl+]"]],
		["\x1bé", ["alt+é"]],
		["\x1b[", ["alt+["]],
		["\x1bO", ["shift+alt+o"]],
	])("%j is %j", (input, keys) => expect(decodeKeys(input)).toEqual(keys));

	test("with a control character Escape is alt where a key is bound to both", () =>
		expect(decodeKeys("\x1b\x0b", (key) => key === "ctrl+alt+k")).toEqual(["ctrl+alt+k"]));
});

describe("sequences", () => {
	const functions = ["OP", "OQ", "OR", "OS", "[15~", "[17~", "[18~", "[19~", "[20~", "[21~", "[23~", "[24~"];
	test.each(functions.map((sequence, index) => [sequence, `f${index + 1}`]))("%s is %s", (sequence, key) =>
		expect(decodeKeys(`\x1b${sequence}`)).toEqual([key]),
	);

	test.each<[string, string]>([
		["[A", "up"],
		["OA", "up"],
		["[1;2A", "shift+up"],
		["[1;5D", "ctrl+left"],
		["[1;3C", "alt+right"],
		["[1;8C", "ctrl+shift+alt+right"],
		["\x1b[D", "alt+left"],
		["[a", "shift+up"],
		["Od", "ctrl+left"],
		["[H", "home"],
		["[1~", "home"],
		["[8~", "end"],
		["[2~", "insert"],
		["[3~", "delete"],
		["[3;2~", "shift+delete"],
		["[3$", "shift+delete"],
		["[6^", "ctrl+pageDown"],
		["[5~", "pageUp"],
		["[Z", "shift+tab"],
		["[E", "clear"],
		["[11~", "f1"],
		["[[C", "f3"],
		["[1;2R", "shift+f3"],
		["[1;5P", "ctrl+f1"],
		["[15;6~", "ctrl+shift+f5"],
		["OM", "enter"],
		["Oq", "1"],
	])("%s is %s", (sequence, key) => expect(decodeKeys(`\x1b${sequence}`)).toEqual([key]));

	test.each([
		"[1;1R",
		"[24;80R",
		"[?62;c",
		"[?1u",
		"[I",
		"[O",
		"[<0;1;1M",
		"[200~",
		"[99~",
		"]11;rgb:0000/0000/0000\x07",
		"P>|xterm\x1b\\",
	])("%s is no key", (sequence) => expect(decodeKeys(`\x1b${sequence}`)).toEqual([]));
});

/** As the settings of the terminals list them: Terminal.app "Profiles › Keyboard", iTerm2 "Profiles › Keys". */
describe("Option on a Mac", () => {
	test.each<[string, string, string[]]>([
		["Terminal.app", "\x1bb", ["alt+left"]],
		["Terminal.app", "\x1bf", ["alt+right"]],
		["Terminal.app", "\x1b[1;5D", ["ctrl+left"]],
		["Terminal.app", "\x1b[1;2C", ["shift+right"]],
		["Terminal.app", "\x1b[3~", ["delete"]],
		["Terminal.app, shift+end", "\x1b[F", ["end"]],
		["Terminal.app, shift+page up", "\x1b[5~", ["pageUp"]],
		["Terminal.app, option+f1", "\x1b[17~", ["f6"]],
		["Terminal.app, shift+f5, which is f13", "\x1b[25~", []],
		["Terminal.app, Option as Meta", "\x1bp", ["alt+p"]],
		["Terminal.app, Option as Meta", "\x1bP", ["shift+alt+p"]],
		["Terminal.app, Option as Meta", "\x1b\x7f", ["alt+backspace"]],
		["Terminal.app, Option types", "π∂ƒ", ["π", "∂", "ƒ"]],
		["iTerm2", "\x1b\x1b[A", ["alt+up"]],
		["iTerm2", "\x1b\x1b[D", ["alt+left"]],
		["iTerm2", "\x1b[1;6A", ["ctrl+shift+up"]],
		["iTerm2, ctrl+2", "\0", ["ctrl+space"]],
		["iTerm2, ctrl+8", "\x7f", ["backspace"]],
		["iTerm2", "\x1b[1;2R", ["shift+f3"]],
		["iTerm2, Esc+", "\x1bm", ["alt+m"]],
		["iTerm2, Natural Text Editing, option+left", "\x1bb", ["alt+left"]],
		["iTerm2, Natural Text Editing, option+delete forward", "\x1bd", ["alt+d"]],
		["iTerm2, Natural Text Editing, command+left and +right", "\x01\x05", ["ctrl+a", "ctrl+e"]],
		["iTerm2, Natural Text Editing, command+backspace", "\x15", ["ctrl+u"]],
		["iTerm2, extended xterm map", "\x1b[27;4;9~", ["shift+alt+tab"]],
		["iTerm2, CSI u", "\x1b[109;3u", ["alt+m"]],
	])("%s: %j is %j", (_, input, keys) => expect(decodeKeys(input)).toEqual(keys));
});

describe("the kitty protocol and modifyOtherKeys", () => {
	test.each<[string, string[]]>([
		["[27u", ["escape"]],
		["[99;5u", ["ctrl+c"]],
		["[106;5u", ["ctrl+j"]],
		["[13;5u", ["ctrl+enter"]],
		["[13;2u", ["shift+enter"]],
		["[127;5u", ["ctrl+backspace"]],
		["[9;5u", ["ctrl+tab"]],
		["[32;5u", ["ctrl+space"]],
		["[32;2u", [" "]],
		["[111;6u", ["ctrl+shift+o"]],
		["[111:79;6u", ["ctrl+shift+o"]],
		["[108;3u", ["alt+l"]],
		["[107;9u", ["super+k"]],
		["[45;5u", ["ctrl+_"]],
		["[45:95;6u", ["ctrl+_"]],
		["[1089::99;5u", ["ctrl+c"]],
		["[1089;5u", ["ctrl+с"]],
		["[97;2u", ["A"]],
		["[97:65;2u", ["A"]],
		["[99;133u", ["ctrl+c"]],
		["[99;5:2u", ["ctrl+c"]],
		["[99;5:3u", []],
		["[1;1:3A", []],
		["[57441;2u", []],
		["[57376u", []],
		["[57414u", ["enter"]],
		["[57404u", ["5"]],
		["[57419;5u", ["ctrl+up"]],
		["[99;21u", []],
		["[99999999u", []],
		["[27;5;13~", ["ctrl+enter"]],
		["[27;6;111~", ["ctrl+shift+o"]],
		["[27;6;79~", ["ctrl+shift+o"]],
		["[27;2;13~", ["shift+enter"]],
	])("%s is %j", (sequence, keys) => expect(decodeKeys(`\x1b${sequence}`)).toEqual(keys));
});

test.each([
	["\x1b[<0;1;1M", [{ kind: "press", x: 0, y: 0 }]],
	["\x1b[<0;300;90m", [{ kind: "release", x: 299, y: 89 }]],
	["\x1b[<32;7;8M", [{ kind: "drag", x: 6, y: 7 }]],
	["\x1b[<64;3;4M", [{ kind: "wheel", rows: -3, x: 2, y: 3 }]],
	["\x1b[<65;3;4M", [{ kind: "wheel", rows: 3, x: 2, y: 3 }]],
	["\x1b[<80;3;4M", [{ kind: "wheel", rows: -3, x: 2, y: 3 }]],
	["\x1b[<66;3;4M", []],
	["\x1b[<1;3;4M", []],
	["\x1b[<2;3;4M", [{ kind: "menu", x: 2, y: 3 }]],
	["\x1b[<2;3;4m", []],
	["\x1b[<34;3;4M", []],
	["\x1b[<35;3;4M", []],
	["\x1b[<128;3;4M", []],
	["\x1b[<0;0;0M", [{ kind: "press", x: 0, y: 0 }]],
	["\x1b[<0;3M", []],
	["\x1b[<;;M", []],
	["\x1b[<999999;3;4M", []],
])("%j", (report, events) => expect(decodeMouse(report)).toEqual(events));

test("turns of the wheel over one cell, and motions, are one", () => {
	const reports = ["65;3;4M", "65;3;4M", "64;3;4M", "65;9;4M", "0;9;4M", "32;8;4M", "32;5;4M", "0;5;4m"];
	expect(joinTurns(reports.flatMap((report) => decodeMouse(`\x1b[<${report}`)))).toEqual([
		{ kind: "wheel", rows: 3, x: 2, y: 3 },
		{ kind: "wheel", rows: 3, x: 8, y: 3 },
		{ kind: "press", x: 8, y: 3 },
		{ kind: "drag", x: 4, y: 3 },
		{ kind: "release", x: 4, y: 3 },
	]);
});
