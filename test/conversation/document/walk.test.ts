import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Position, ReaderDocument } from "../../../src/conversation/document/document.ts";
import {
	backward,
	comparePositions,
	firstRow,
	isEndVisible,
	lastRow,
	lastTop,
	rowsFrom,
	walkForward,
} from "../../../src/conversation/document/walk.ts";
import { readSession, type Session } from "../../../src/store/read/read-session.ts";
import { lineWidth } from "../../../src/ui/text/width.ts";
import { caseCount } from "../../support/cases.ts";
import { leastCpuMs } from "../../support/cpu-ms.ts";
import { fixture } from "../../support/fixture.ts";
import { randomSession } from "../../support/random-session.ts";
import { readingOf } from "../../support/reader.ts";
import { sessionOf, user } from "../../support/session-builder.ts";
import { tempDirOfFile } from "../../support/temp-dir.ts";

const root = tempDirOfFile();
const FIXTURES = ["conversation", "pi-1.5.2", "every-entry-type", "odd-fields", "bad-lines", "escape-sequences"];

/** All rows by going down row by row. */
function downwards(document: ReaderDocument): Position[] {
	const seen: Position[] = [];
	let at = firstRow(document);
	while (at !== undefined && JSON.stringify(at) !== JSON.stringify(seen.at(-1))) {
		seen.push(at);
		at = walkForward(document, at, 1);
	}
	return seen;
}

/** The same from the end. */
function upwards(document: ReaderDocument): Position[] {
	const seen: Position[] = [];
	let at = lastRow(document);
	while (JSON.stringify(at) !== JSON.stringify(seen.at(-1))) {
		seen.push(at);
		at = backward(document, at, 1);
	}
	return seen;
}

function checkRows(session: Session, width: number): void {
	const document = readingOf(session, { width });
	const down = downwards(document);
	if (down.length === 0) return;
	expect(upwards(document).reverse()).toEqual(down);
	const first = firstRow(document);
	const all = first === undefined ? [] : rowsFrom(document, first, Number.MAX_SAFE_INTEGER);
	expect(all.map(({ at }) => at)).toEqual(down);
	for (const { row } of all) {
		expect(lineWidth(row.line)).toBeLessThanOrEqual(width);
		expect(row.line.map(({ text }) => text).join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
	}
}

test.each(FIXTURES)(
	"%s: down from the top are the same rows as up from the end, and none is too wide",
	async (name) => {
		const session = await readSession(fixture(name).path);
		for (const width of [120, 79, 37]) checkRows(session, width);
	},
);

test("the same for any session and width", async () => {
	const path = join(root, "session.jsonl");
	await fc.assert(
		fc.asyncProperty(randomSession, fc.integer({ min: 8, max: 130 }), async (bytes, width) => {
			writeFileSync(path, bytes);
			checkRows(await readSession(path), width);
		}),
		{ numRuns: caseCount(40) },
	);
});

test.each(FIXTURES)(
	"%s: the last page is full, and the pages on which the end is visible begin there",
	async (name) => {
		const document = readingOf(await readSession(fixture(name).path));
		const all = downwards(document);
		for (const height of [1, 2, 7, 40, 100_000]) {
			const last = lastTop(document, height);
			const shown = rowsFrom(document, last, height);
			expect(shown.length).toBe(Math.min(height, all.length));
			// The blank row at the end is left out, unless there is room for it.
			const end = lastRow(document);
			const at = shown.at(-1)?.at ?? expect.fail();
			if (comparePositions(at, end) < 0) expect(walkForward(document, at, 1)).toEqual(end);
			for (const top of all) expect(isEndVisible(document, top, height)).toBe(comparePositions(top, last) >= 0);
		}
	},
);

test("steps of any length lead to the row that single steps lead to", async () => {
	const document = readingOf(await readSession(fixture("conversation").path));
	const all = downwards(document);
	fc.assert(
		fc.property(fc.nat(all.length - 1), fc.nat(all.length * 2), (from, by) => {
			const start = all[from] ?? { entry: 0, piece: 0, row: 0 };
			expect(walkForward(document, start, by)).toEqual(all[Math.min(all.length - 1, from + by)]);
			expect(backward(document, start, by)).toEqual(all[Math.max(0, from - by)]);
		}),
	);
});

test("an anchor finds its row again, in a grown session and at another width the same piece", async () => {
	const session = await readSession(fixture("conversation").path);
	const grown = {
		...session,
		entries: [...session.entries, ...(await sessionOf(user("new", null, 1, "more"))).entries],
	};
	const document = readingOf(session);
	const others = [
		readingOf(grown),
		readingOf(session, { width: 50 }),
		readingOf(session, { options: { toolsOpen: true } }),
	];
	for (const at of downwards(document)) {
		const anchor = document.anchorAt(at);
		if (anchor === undefined) throw new Error("no anchor");
		expect(document.positionOf(anchor)).toEqual(at);
		for (const other of others) {
			const found = other.positionOf(anchor);
			const back = found === undefined ? undefined : other.anchorAt(found);
			expect(back).toMatchObject({ entryId: anchor.entryId, block: anchor.block });
		}
	}
});

test("of a long answer only what is in sight is laid out", async () => {
	const text = "Some words of an answer.\n\n".repeat(400_000);
	const session = await sessionOf(
		user("u", null, 1, "first"),
		user("long", "u", 2, text),
		user("v", "long", 3, "last"),
	);
	const lookAtBothEnds = () => {
		const document = readingOf(session);
		const start = firstRow(document);
		if (start === undefined) throw new Error("nothing to read");
		expect(rowsFrom(document, start, 45)).toHaveLength(45);
		const end = lastRow(document);
		expect(rowsFrom(document, backward(document, end, 44), 45)).toHaveLength(45);
		expect(rowsFrom(document, end, 45)).toHaveLength(1);
	};
	// Once: what is laid out is kept. Far below the seconds that all of it would take.
	expect(leastCpuMs(lookAtBothEnds, 1)).toBeLessThan(400);
});
