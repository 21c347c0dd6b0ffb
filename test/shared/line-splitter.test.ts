import fc from "fast-check";
import { expect, test } from "vitest";
import { lineSplitter } from "../../src/shared/line-splitter.ts";
import { caseCount } from "../support/cases.ts";

/** The lines of some chunks, and whether one was too long. */
function linesOf(chunks: readonly Buffer[], most = 1000): { lines: string[]; isTooLong: boolean } {
	const found = { lines: [] as string[], isTooLong: false };
	const take = lineSplitter(
		most,
		(line) => found.lines.push(line),
		() => {
			found.isTooLong = true;
		},
	);
	for (const chunk of chunks) take(chunk);
	return found;
}

test("lines come out as they went in, however they are cut", () => {
	const line = fc.string({ unit: "grapheme", maxLength: 50 }).filter((text) => !/[\r\n]/.test(text));
	const property = fc.property(fc.array(line), fc.array(fc.nat(200)), (all, cuts) => {
		const bytes = Buffer.from(all.map((one) => `${one}\n`).join(""));
		const places = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length];
		const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
		expect(linesOf(chunks)).toEqual({ lines: all, isTooLong: false });
	});
	fc.assert(property, { numRuns: caseCount(100) });
});

test("a line that is too long ends the reading; those before it are read", () => {
	const chunks = ["one\ntwo\r\n", "x".repeat(600), "x".repeat(600), "\nthree\n"].map((text) => Buffer.from(text));
	expect(linesOf(chunks)).toEqual({ lines: ["one", "two"], isTooLong: true });
	expect(linesOf([Buffer.from("unfinished")])).toEqual({ lines: [], isTooLong: false });
});
