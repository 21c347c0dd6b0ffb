import fc from "fast-check";
import { expect, test } from "vitest";
import { outputOf, outputTexts } from "../../../src/conversation/entries/output.ts";
import { caseCount } from "../../support/cases.ts";
import { leastCpuMs } from "../../support/cpu-ms.ts";

const line = fc.string({ maxLength: 200 }).map((text) => text.replaceAll(/[\n[.]/g, ""));

test("lines are counted the same in short and in long texts", () => {
	fc.assert(
		fc.property(fc.array(line, { maxLength: 300 }), fc.boolean(), (lines, notice) => {
			const text = lines.join("\n");
			const end = notice && text !== "" ? "\n\n[3 more lines in file. Use offset=41 to continue.]" : "";
			const expected = text.trimEnd() === "" ? 0 : text.trimEnd().split("\n").length;
			expect(outputOf([text + end])).toMatchObject({ lines: expected, more: false });
		}),
		{ numRuns: caseCount(300) },
	);
});

test("the ends of a long text are whole lines of it, in their order", () => {
	const lines = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
	const { ends, lines: count } = outputOf([`${lines.join("\n")}\n`]);
	const shown = ends.trimEnd().split("\n");
	expect(count).toBe(5000);
	expect(shown[0]).toBe("line 0");
	expect(shown.at(-1)).toBe("line 4999");
	expect(shown.every((one) => lines.includes(one))).toBe(true);
	expect(ends.length).toBeLessThan(6001);
});

test("a text of any length is read at once; the number of lines is then a lower bound", () => {
	// Not with `repeat`, whose result is built only when it is first read.
	const text = Buffer.alloc(48_000_000, "some words of an output\n").toString("latin1");
	const read = () => outputOf(outputTexts([{ type: "text", text }]));
	expect(leastCpuMs(read)).toBeLessThan(500);
	const { lines, more } = read();
	expect(more).toBe(true);
	expect(lines).toBeGreaterThan(10_000);
	const none = outputOf(["\n".repeat(10_000_000)]);
	expect(none.ends.trim()).toBe("");
});

test("texts of any shape", () => {
	expect(outputTexts("text")).toEqual(["text"]);
	expect(outputTexts(null)).toEqual([]);
	expect(outputTexts([null, 5, { type: "text", text: 5 }, { type: "image" }, { type: "text", text: "a" }])).toEqual([
		"a",
	]);
	expect(outputOf(["a\nb", "c"])).toMatchObject({ lines: 3, ends: "a\nb\nc\n" });
});
