import fc from "fast-check";
import { expect, test } from "vitest";
import {
	cursorIndex,
	FIRST_CURSOR,
	keepMarks,
	moveCursor,
	NO_MARKED,
	type PageCursor,
	type PageRow,
	placeCursor,
	toggleMarks,
} from "../../../src/ui/page/page-rows.ts";

const HEIGHT = 5;

function rowsOf(text: string): PageRow[] {
	return [...text].map((key) => (key === key.toUpperCase() ? { key, isSkipped: true } : { key }));
}

/** The cursor after moving down, or up, by rows. */
function after(rows: readonly PageRow[], moves: readonly number[]): PageCursor {
	return moves.reduce((cursor, by) => moveCursor(cursor, rows, { rows: by }, HEIGHT), FIRST_CURSOR);
}

test("the cursor skips headings in both directions, and never leaves the rows", () => {
	const rows = rowsOf("AbcDeF");
	expect(rows[cursorIndex(FIRST_CURSOR, rows)]?.key).toBe("b");
	expect(after(rows, [1]).selected).toBe("c");
	expect(after(rows, [1, 1]).selected).toBe("e");
	expect(after(rows, [1, 1, 1]).selected).toBe("e");
	expect(after(rows, [1, 1, -1]).selected).toBe("c");
	expect(after(rows, [1, -1, -1]).selected).toBe("b");
	expect(cursorIndex(FIRST_CURSOR, rowsOf("AB"))).toBe(-1);
	expect(cursorIndex(FIRST_CURSOR, [])).toBe(-1);
});

test("the cursor stays on its row, whatever comes before it, and at its index when the row is gone", () => {
	const cursor = placeCursor(after(rowsOf("abcd"), [2]), rowsOf("abcd"), HEIGHT);
	expect(cursorIndex(cursor, rowsOf("xyabcd"))).toBe(4);
	expect(rowsOf("abd")[cursorIndex(cursor, rowsOf("abd"))]?.key).toBe("d");
	expect(rowsOf("abXd")[cursorIndex(cursor, rowsOf("abXd"))]?.key).toBe("d");
	expect(rowsOf("a")[cursorIndex(cursor, rowsOf("a"))]?.key).toBe("a");
});

test("after any moves and any rows, the cursor is visible, on a row that it does not skip", () => {
	const rows = fc
		.uniqueArray(fc.constantFrom(..."abcdefghijABCDEF"), { maxLength: 16 })
		.map((all) => rowsOf(all.join("")));
	fc.assert(
		fc.property(fc.array(fc.tuple(rows, fc.integer({ min: -9, max: 9 })), { maxLength: 9 }), (steps) => {
			let cursor = FIRST_CURSOR;
			for (const [present, by] of steps) {
				cursor = placeCursor(moveCursor(cursor, present, { rows: by }, HEIGHT), present, HEIGHT);
				const index = cursorIndex(cursor, present);
				const selectable = present.filter(({ isSkipped }) => isSkipped !== true);
				expect(index === -1).toBe(selectable.length === 0);
				if (index === -1) continue;
				expect(present[index]?.isSkipped).not.toBe(true);
				expect(index - cursor.top).toBeGreaterThanOrEqual(0);
				expect(index - cursor.top).toBeLessThan(HEIGHT);
			}
		}),
	);
});

test("marks are toggled together, and rows that are gone lose their marks", () => {
	const rows = rowsOf("AbcDef");
	const range = toggleMarks(NO_MARKED, ["b", "c", "e"]);
	expect([...range.marked]).toEqual(["b", "c", "e"]);
	expect(toggleMarks(range, ["b", "c"]).marked).toEqual(new Set(["e"]));
	expect(toggleMarks(range, ["b", "f"]).marked).toEqual(new Set(["b", "c", "e", "f"]));
	expect([...keepMarks(range, rowsOf("Abe")).marked]).toEqual(["b", "e"]);
	expect(keepMarks(range, rows)).toBe(range);
});
