import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { percentRead } from "../../../../src/app/features/reader/reader-pane.ts";
import type { Reader } from "../../../../src/app/world/opened/select-reader.ts";
import { type Position, ReaderDocument } from "../../../../src/conversation/document/document.ts";
import { firstRow, walkForward } from "../../../../src/conversation/document/walk.ts";
import { outlineOf } from "../../../../src/conversation/entries/outline.ts";
import { placeOf } from "../../../../src/conversation/entries/place.ts";
import { readSession, type Session } from "../../../../src/store/read/read-session.ts";
import { randomSession } from "../../../support/random-session.ts";
import { FOLDED, readingOf } from "../../../support/reader.ts";
import { assistant, entry, sessionOf, user } from "../../../support/session-builder.ts";
import { tempDirOfFile } from "../../../support/temp-dir.ts";

const root = tempDirOfFile();

/** The conversation through the last entry, at its first row. */
function readerOf(session: Session, height: number): Reader | undefined {
	const path = outlineOf(session).pathThrough(session.entries.at(-1)?.id ?? "");
	const document = readingOf(session, { path, width: 60 });
	const top = firstRow(document);
	return top && { document, top, height };
}

/** The percentage at every row, from the first to the last. */
function percents(reader: Reader): number[] {
	const shown: number[] = [];
	let top: Position | undefined = reader.top;
	for (
		let before = "";
		top !== undefined && JSON.stringify(top) !== before;
		top = walkForward(reader.document, top, 1)
	) {
		before = JSON.stringify(top);
		shown.push(percentRead({ ...reader, top }));
	}
	return shown;
}

/** Answers without content: the first row of the session is not in the first piece of an entry. */
const SILENT = Buffer.from(`{"odd":"session"}
{"message":{"role":"assistant"},"timestamp":"2023-11-14T22:13:20.000Z","parentId":null,"id":"00aa0aaa","type":"message"}
{"message":{"role":"assistant"},"timestamp":"2023-11-14T22:13:20.000Z","type":"message"}
{"type":"session"}`);

const whole = "word ".repeat(4000);

describe("the position", () => {
	test("counts entries, and within an entry its text", async () => {
		const many = Array.from({ length: 8 }, (_, index) =>
			user(`m${index}`, index === 0 ? "a" : `m${index - 1}`, 3, "short"),
		);
		const session = await sessionOf(user("u", null, 1, "why"), assistant("a", "u", 2, whole), ...many);
		const reader = readerOf(session, 5) ?? expect.fail();
		const shownAt = (top: Position): number => percentRead({ ...reader, top });
		const before = shownAt({ entry: 1, piece: 0, row: 0 });
		const after = shownAt({ entry: 2, piece: 0, row: 0 });
		// The answer is the second of ten entries.
		expect(before).toBeGreaterThanOrEqual(10);
		expect(after).toBeGreaterThanOrEqual(20);
		expect(after).toBeLessThan(30);
		// The last one are the details, which are folded away.
		const piece = reader.document.pieces(1).length - 2;
		const middle = shownAt({ entry: 1, piece, row: Math.floor(reader.document.rows(1, piece).length / 2) });
		expect(middle).toBeGreaterThan(before);
		expect(middle).toBeLessThan(after);
	});

	test("does not count bookkeeping before the first message", async () => {
		const chosen = Array.from({ length: 40 }, (_, index) =>
			entry("model_change", `c${index}`, index === 0 ? null : `c${index - 1}`, 1, { provider: "p", modelId: "m" }),
		);
		const said = Array.from({ length: 40 }, (_, index) =>
			user(`u${index}`, index === 0 ? "c39" : `u${index - 1}`, 2, "why"),
		);
		const reader = readerOf(await sessionOf(...chosen, ...said), 5) ?? expect.fail();
		expect(percentRead(reader)).toBe(0);
		const second = walkForward(reader.document, reader.top, 2) ?? expect.fail();
		expect(percentRead({ ...reader, top: second })).toBeLessThan(5);
	});

	test("is 0 at the start, 100 at the end, and never falls on the way down", async () => {
		await fc.assert(
			fc.asyncProperty(randomSession, fc.integer({ min: 1, max: 30 }), async (bytes, height) => {
				const path = join(root, "random.jsonl");
				writeFileSync(path, bytes);
				const reader = readerOf(await readSession(path), height);
				if (reader === undefined) return;
				const shown = percents(reader);
				expect(shown.toSorted((a, b) => a - b)).toEqual(shown);
				expect(shown.at(-1)).toBe(100);
				// The blank row at the end need not be visible.
				const rows = shown.indexOf(100) + height;
				expect(shown[0]).toBe(rows <= height ? 100 : 0);
				expect(shown.length - rows).toBeLessThanOrEqual(1);
			}),
			{ examples: [[SILENT, 1]] },
		);
	});

	test("reads no long entry outside of the viewport", async () => {
		const session = await sessionOf(
			user("u", null, 1, whole.repeat(10)),
			assistant("a", "u", 2, whole),
			user("v", "a", 3, "why"),
			assistant("b", "v", 4, whole),
		);
		const reader = readerOf(session, 20) ?? expect.fail();
		const seen = new Set<number>();
		class WatchedDocument extends ReaderDocument {
			override pieces(entry: number) {
				seen.add(entry);
				return super.pieces(entry);
			}
		}
		const { path } = reader.document;
		const context = { session, path, place: placeOf(session, "/home/me"), options: FOLDED, renderers: undefined };
		const document = new WatchedDocument(context, 60);
		expect(percentRead({ ...reader, document, top: { entry: 3, piece: 0, row: 0 } })).toBeGreaterThan(70);
		// The entry above is short, and the row above belongs to it.
		expect([...seen].toSorted()).toEqual([2, 3]);
	});
});
