import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { Frame } from "../../src/terminal/frame-painter.ts";
import { printFrame, readFrame } from "../../src/terminal/plain-frames.ts";

const frame = (rows: readonly string[], y: number, typed?: number): Frame => ({
	rows,
	selected: { x: 0, y },
	typed: typed === undefined ? undefined : { x: typed, y },
});

/** The rows that are written, in their order. */
function heard(before: Frame | undefined, now: Frame): readonly string[] {
	return readFrame(now, before)
		.split(/\x1b\[\d+;\d+H/)
		.map((part) => stripVTControlCharacters(part))
		.filter((row) => row !== "");
}

const LIST = ["list", "one", "two", "three", "four", "keys"];

test("the first frame is all of its rows", () => {
	expect(heard(undefined, frame(LIST, 1))).toEqual(LIST);
});

test("moving writes the row that is selected now, on which the cursor stands; nothing new writes nothing", () => {
	const before = frame(LIST, 1);
	expect(heard(before, frame(LIST, 2))).toEqual(["two"]);
	expect(readFrame(frame(LIST, 2), before)).toMatch(/\x1b\[3;1H\x1b\[\?25h\x1b\[\?2026l$/);
	expect(readFrame(frame([...LIST], 1), before)).toBe("");
});

test("what has changed comes before the selected row", () => {
	const changed = ["list, 5 hits", "one", "two", "3", "four", "keys"];
	expect(heard(frame(LIST, 1), frame(changed, 2))).toEqual(["list, 5 hits", "3", "two"]);
	expect(heard(frame(LIST, 1), frame(changed, 1))).toEqual(["list, 5 hits", "3"]);
});

test("of the row that is typed in only its end is written, in whole characters", () => {
	const typedIn = (row: string, x: number): Frame => frame([row, "one", "two"], 0, x);
	expect(heard(typedIn("list, par", 9), typedIn("list, pars", 10))).toEqual(["s"]);
	expect(heard(typedIn("list, e", 7), typedIn("list, e\u0301", 7))).toEqual(["e\u0301"]);
	// The row is read as a whole once it is no longer typed in.
	expect(heard(typedIn("list, par", 9), frame(["list, par", "one", "two"], 1))).toEqual(["one"]);
});

test("the terminal scrolls what is only moved", () => {
	const text = Array.from({ length: 20 }, (_, row) => `line ${row}`);
	const page = (from: number): Frame => frame(["title", ...text.slice(from, from + 10), "keys"], 1);
	expect(heard(page(0), page(1))).toEqual(["line 10"]);
	expect(readFrame(page(1), page(0))).toContain("\x1b[2;11r\x1b[1S\x1b[r");
	expect(readFrame(page(0), page(3))).toContain("\x1b[2;11r\x1b[3T\x1b[r");
});

test("without escape sequences the same rows are printed one below the other", () => {
	expect(printFrame(frame(LIST, 2), frame(LIST, 1))).toBe("\r\ntwo");
	expect(printFrame(frame(["list", "", "two"], 2), undefined)).toBe("\r\nlist\r\ntwo");
	expect(printFrame(frame(LIST, 1), frame(LIST, 1))).toBe("");
});
