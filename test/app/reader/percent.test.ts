import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Position, ReaderDocument } from "../../../src/app/features/reader/document.ts";
import { entryWeight } from "../../../src/app/features/reader/entry-weight.ts";
import { PathWeights, weightsOf } from "../../../src/app/features/reader/path-weights.ts";
import { percentRead, positionAtPercent } from "../../../src/app/features/reader/percent.ts";
import type { Reader } from "../../../src/app/features/reader/select-reader.ts";
import { firstRow, forward, lastRow } from "../../../src/app/features/reader/walk.ts";
import { outlineOf } from "../../../src/conversation/entries/outline.ts";
import { HeldMessage } from "../../../src/store/held/held-message.ts";
import { holdSession } from "../../../src/store/held/hold-session.ts";
import { extendSession } from "../../../src/store/read/extend-session.ts";
import { readSession, type Session } from "../../../src/store/read/read-session.ts";
import { largeSession } from "../../support/large-session.ts";
import { randomSession } from "../../support/random-session.ts";
import { readingOf } from "../../support/reader.ts";
import { assistant, header, sessionOf, toolResult, user } from "../../support/session-builder.ts";
import { tempDirOfFile } from "../../support/temp-dir.ts";

const root = tempDirOfFile();

/** The conversation through the last entry, from its first row on. */
function readerOf(session: Session, height: number): Reader | undefined {
	const path = outlineOf(session).pathThrough(session.entries.at(-1)?.id ?? "");
	const document = readingOf(session, { path, width: 60 });
	const top = firstRow(document);
	return top && { document, top, height, weights: weightsOf(session, path) };
}

/** What is shown at every row, from the first one to the last. */
function percents(reader: Reader): number[] {
	const shown: number[] = [];
	let top: Position | undefined = reader.top;
	for (let before = ""; top !== undefined && JSON.stringify(top) !== before; top = forward(reader.document, top, 1)) {
		before = JSON.stringify(top);
		shown.push(percentRead({ ...reader, top }) ?? expect.fail("it is not weighed"));
	}
	return shown;
}

const whole = "word ".repeat(4000);

describe("the position", () => {
	test("is of the text, not of the entries", async () => {
		const many = Array.from({ length: 50 }, (_, index) =>
			user(`m${index}`, index === 0 ? "a" : `m${index - 1}`, 3, "short"),
		);
		const session = await sessionOf(user("u", null, 1, "why"), assistant("a", "u", 2, whole), ...many);
		const reader = readerOf(session, 20) ?? expect.fail();
		expect(percentRead({ ...reader, top: { entry: 1, piece: 0, row: 0 } })).toBeLessThan(2);
		// The answer is 2 of 52 entries, and most of what there is to read.
		expect(percentRead({ ...reader, top: { entry: 2, piece: 0, row: 0 } })).toBeGreaterThan(75);
	});

	test("counts of what is folded only what is seen", async () => {
		const session = await sessionOf(
			user("u", null, 1, "why"),
			toolResult("r", "u", 2, "line\n".repeat(100_000)),
			assistant("a", "r", 3, whole),
		);
		const reader = readerOf(session, 20) ?? expect.fail();
		expect(percentRead({ ...reader, top: { entry: 2, piece: 0, row: 0 } })).toBeLessThan(12);
	});

	test("is 0 at the start, 100 at the end, and never less further down", async () => {
		await fc.assert(
			fc.asyncProperty(randomSession, fc.integer({ min: 1, max: 30 }), async (bytes, height) => {
				const path = join(root, "random.jsonl");
				writeFileSync(path, bytes);
				const reader = readerOf(await readSession(path), height);
				if (reader === undefined) return;
				const shown = percents(reader);
				expect(shown.toSorted((a, b) => a - b)).toEqual(shown);
				expect(shown.at(-1)).toBe(100);
				expect(shown[0]).toBe(shown.length <= height ? 100 : 0);
			}),
		);
	});

	test("looks at no long entry that is not in sight", async () => {
		const session = await sessionOf(
			user("u", null, 1, whole.repeat(10)),
			assistant("a", "u", 2, whole),
			user("v", "a", 3, "why"),
			assistant("b", "v", 4, whole),
		);
		const reader = readerOf(session, 20) ?? expect.fail();
		const seen = new Set<number>();
		const source = {
			level: (id: string) => reader.document.path.findIndex((entry) => entry.id === id),
			blocks: (entry: number) => {
				seen.add(entry);
				return reader.document.wholeBlocks(entry);
			},
			wholeBlocks: (entry: number) => reader.document.wholeBlocks(entry),
		};
		const document = new ReaderDocument(reader.document.path, source, 60);
		expect(percentRead({ ...reader, document, top: { entry: 3, piece: 0, row: 0 } })).toBeGreaterThan(80);
		expect([...seen]).toEqual([3]);
	});

	test.each([0, 1, 25, 50, 99, 100])("%d percent are found", async (percent) => {
		const turns = Array.from({ length: 30 }, (_, index) => [
			user(`u${index}`, index === 0 ? null : `a${index - 1}`, 1, "why"),
			assistant(`a${index}`, `u${index}`, 2, whole.slice(0, 1 + 37 * index * index)),
		]);
		const reader = readerOf(await sessionOf(...turns.flat()), 20) ?? expect.fail();
		const top = positionAtPercent(reader, percent);
		expect(percentRead({ ...reader, top })).toBe(percent);
	});
});

describe("the weights of a long path", () => {
	test("are not told before all of it is weighed; then they are those of its entries", async () => {
		const session = await readSession(largeSession(10_000).path);
		const reader = readerOf(session, 20) ?? expect.fail();
		const { weights } = reader;
		expect([weights.isComplete, percentRead(reader)]).toEqual([false, undefined]);
		// The end is the end.
		expect(percentRead({ ...reader, top: lastRow(reader.document) })).toBe(100);
		const steps = weights.steps();
		steps.next();
		expect(weights.isComplete).toBe(false);
		for (const _ of steps);
		expect([weights.isComplete, percentRead(reader)]).toEqual([true, 0]);
		expect(weights.total).toBe(session.entries.reduce((sum, _, index) => sum + entryWeight(session, index), 0));
		expect(weights.entryAt(weights.before(1234))).toBe(1234);
		expect(weights.entryAt(weights.before(1234) + 1)).toBe(1234);
	});

	test("of a large session are told by the bytes of its lines, which are not parsed", async () => {
		const path = join(root, "held.jsonl");
		const damaged = assistant("a", "u", 2, whole).replace("word word", "word \t word");
		const result = toolResult("r", "a", 3, whole);
		writeFileSync(path, `${[header(), user("u", null, 1, "why"), damaged, result].join("\n")}\n`);
		const session = (await holdSession(path, { minBytes: 0 })) ?? expect.fail("it is not held");
		expect(session.entries.map((entry) => entry instanceof HeldMessage)).toEqual([true, true, true]);
		const [prompt = 0, answer = 0, output = 0] = session.entries.map((_, index) => entryWeight(session, index));
		expect(prompt).toBeLessThan(200);
		expect(answer).toBeGreaterThan(10_000);
		expect(output).toBeLessThan(2000);
	});

	test("of what two paths have in common are known, also in a session that grows", async () => {
		const { path, last } = largeSession(10_000);
		const session = await readSession(path);
		const pathOf = (one: Session, id: string) => outlineOf(one).pathThrough(id);
		for (const _ of weightsOf(session, pathOf(session, last)).steps());
		writeFileSync(path, `${user("more", last, 1, "more")}\n`, { flag: "a" });
		const grown = (await extendSession(session)) ?? expect.fail();
		const longer = pathOf(grown, "more");
		const weights = weightsOf(grown, longer);
		expect([longer.length, weights.isComplete]).toEqual([10_001, true]);
		const anew = new PathWeights(grown, longer);
		for (const _ of anew.steps());
		expect(weights.total).toBe(anew.total);
		expect(weightsOf(grown, longer)).toBe(weights);
	});
});
