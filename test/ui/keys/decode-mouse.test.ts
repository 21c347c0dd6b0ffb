import { expect, test } from "vitest";
import { decodeMouse, joinTurns } from "../../../src/ui/keys/decode-mouse.ts";

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
