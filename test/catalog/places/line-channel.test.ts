import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readLines } from "../../../src/catalog/places/line-channel.ts";
import { caseCount } from "../../support/cases.ts";

/** The lines of some chunks, and whether one was too long. */
async function linesOf(chunks: readonly Buffer[], most = 1000): Promise<{ lines: string[]; isTooLong: boolean }> {
	const stream = new PassThrough();
	const lines: string[] = [];
	let isTooLong = false;
	const ended = new Promise((resolve) => stream.once("close", resolve));
	readLines(stream, most, {
		onLine: (line) => lines.push(line),
		onTooLong: () => {
			isTooLong = true;
		},
	});
	for (const chunk of chunks) if (!stream.destroyed) stream.write(chunk);
	if (!stream.destroyed) stream.end();
	await ended;
	return { lines, isTooLong };
}

test("lines come out as they went in, however they are cut", async () => {
	const line = fc.string({ unit: "grapheme", maxLength: 50 }).filter((text) => !/[\r\n]/.test(text));
	const property = fc.asyncProperty(fc.array(line), fc.array(fc.nat(200)), async (all, cuts) => {
		const bytes = Buffer.from(all.map((one) => `${one}\n`).join(""));
		const places = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length];
		const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
		expect(await linesOf(chunks)).toEqual({ lines: all, isTooLong: false });
	});
	await fc.assert(property, { numRuns: caseCount(100) });
});

test("a line that is too long ends the reading; those before it are read", async () => {
	const chunks = ["one\ntwo\r\n", "x".repeat(600), "x".repeat(600), "\nthree\n"].map((text) => Buffer.from(text));
	expect(await linesOf(chunks)).toEqual({ lines: ["one", "two"], isTooLong: true });
	expect(await linesOf([Buffer.from("unfinished")])).toEqual({ lines: [], isTooLong: false });
});
