import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Layout, layoutFor, moveDivider, SMALLEST } from "../../../../src/app/world/screen/layout.ts";
import type { Focus } from "../../../../src/app/world/state/state.ts";
import { FIRST_SPLIT, type Split } from "../../../../src/app/world/state/state.ts";
import type { Box } from "../../../../src/ui/view.ts";
import { caseCount } from "../../../support/cases.ts";

type Input = Parameters<typeof layoutFor>[0];

const FOCUSES = ["list", "tree", "reader"] as const;
const lay = (columns: number, rows: number, focus: Focus, more: Partial<Input> = {}): Layout =>
	layoutFor({ size: { columns, rows }, focus, zoom: false, split: FIRST_SPLIT, ...more });
const panesOf = (layout: Layout): [Focus, Box][] =>
	FOCUSES.flatMap((id) => (layout[id] === undefined ? [] : [[id, layout[id]] as [Focus, Box]]));
const sizes = {
	columns: fc.integer({ min: SMALLEST.columns, max: 400 }),
	rows: fc.integer({ min: SMALLEST.rows, max: 120 }),
};
const share = fc.double({ min: 0, max: 1, noNaN: true });
const split: fc.Arbitrary<Split> = fc.record({
	"list-columns": share,
	"list-rows": share,
	columns: share,
	rows: share,
});
const inputs: fc.Arbitrary<Input> = fc
	.record({ ...sizes, focus: fc.constantFrom(...FOCUSES), zoom: fc.boolean(), split })
	.map(({ columns, rows, ...rest }) => ({ size: { columns, rows }, ...rest }));

test("at any size panes, their titles, the lines between them, header and footer fill the screen, each cell once", () => {
	fc.assert(
		fc.property(inputs, (input) => {
			const { columns, rows } = input.size;
			const layout = layoutFor(input);
			const cells = new Uint8Array(columns * rows);
			const fill = ({ x, y, width, height }: Box): void => {
				for (let row = y; row < y + height; row++)
					for (let column = x; column < x + width; column++)
						cells[row * columns + column] = (cells[row * columns + column] ?? 9) + 1;
			};
			fill({ x: 0, y: 0, width: columns, height: 1 });
			fill({ x: 0, y: rows - 1, width: columns, height: 1 });
			for (const [, pane] of panesOf(layout)) fill({ ...pane, y: pane.y - 1, height: pane.height + 1 });
			for (const { box } of layout.dividers) if (box.width === 1) fill(box);
			if (layout.bottom !== undefined) fill({ x: 0, y: layout.bottom, width: columns, height: 1 });
			expect(cells.every((count) => count === 1)).toBe(true);
			expect(layout[input.focus]).toBeDefined();
			for (const [, { width, height }] of panesOf(layout)) {
				expect(width).toBeGreaterThanOrEqual(24);
				expect(height).toBeGreaterThanOrEqual(3);
			}
		}),
		{ numRuns: caseCount(12, 80) },
	);
});

describe("a larger window", () => {
	test.each(FOCUSES)("never shows fewer panes, with the focus in the %s", (focus) => {
		for (let rows: number = SMALLEST.rows; rows < 80; rows++) {
			for (let columns: number = SMALLEST.columns; columns < 320; columns++) {
				const names = panesOf(lay(columns, rows, focus)).map(([id]) => id);
				expect(panesOf(lay(columns + 1, rows, focus)).map(([id]) => id)).toEqual(expect.arrayContaining(names));
				expect(panesOf(lay(columns, rows + 1, focus)).map(([id]) => id)).toEqual(expect.arrayContaining(names));
			}
		}
	});

	test("makes no pane smaller while the arrangement stays the same", () => {
		const names = (layout: Layout): string =>
			[
				layout.bottom === undefined,
				...panesOf(layout).map(([id]) => id),
				...layout.dividers.map(({ name }) => name),
			].join();
		fc.assert(
			fc.property(inputs, fc.nat(3), fc.nat(3), (input, columns, rows) => {
				const before = layoutFor(input);
				const size = { columns: input.size.columns + columns, rows: input.size.rows + rows };
				const after = layoutFor({ ...input, size });
				if (names(before) !== names(after)) return;
				for (const [id, { width, height }] of panesOf(before)) {
					expect(after[id]?.width).toBeGreaterThanOrEqual(width);
					expect(after[id]?.height).toBeGreaterThanOrEqual(height);
				}
			}),
		);
	});
});

test("which panes there are", () => {
	const at = (columns: number, rows: number, focus: Focus): string =>
		panesOf(lay(columns, rows, focus))
			.map(([id, { x, y, width, height }]) => `${id} ${width}×${height} at ${x},${y}`)
			.join(", ");
	expect(at(40, 10, "reader")).toBe("reader 40×7 at 0,2");
	expect(at(60, 20, "list")).toBe("list 60×11 at 0,2, reader 60×5 at 0,14");
	expect(at(80, 19, "list")).toBe("list 80×16 at 0,2");
	expect(at(80, 24, "list")).toBe("list 80×14 at 0,2, reader 80×6 at 0,17");
	expect(at(80, 24, "tree")).toBe("tree 80×10 at 0,2, reader 80×10 at 0,13");
	expect(at(80, 24, "reader")).toBe("tree 80×10 at 0,2, reader 80×10 at 0,13");
	expect(at(120, 35, "list")).toBe("list 65×31 at 0,2, reader 54×31 at 66,2");
	expect(at(120, 15, "tree")).toBe("tree 57×11 at 0,2, reader 62×11 at 58,2");
	expect(at(160, 29, "list")).toBe("list 87×25 at 0,2, reader 72×25 at 88,2");
	expect(at(160, 45, "list")).toBe("list 87×41 at 0,2, tree 72×20 at 88,2, reader 72×20 at 88,23");
	expect(at(160, 45, "tree")).toBe("tree 76×41 at 0,2, reader 83×41 at 77,2");
	expect(at(200, 60, "list")).toBe("list 108×56 at 0,2, tree 91×28 at 109,2, reader 91×27 at 109,31");
});

test("a zoomed pane is alone, without dividers", () => {
	for (const focus of FOCUSES) {
		const layout = lay(200, 60, focus, { zoom: true });
		expect([panesOf(layout), layout.dividers]).toEqual([[[focus, { x: 0, y: 2, width: 200, height: 57 }]], []]);
	}
});

test("a divider moves as far as the panes beside it allow", () => {
	fc.assert(
		fc.property(inputs, fc.integer({ min: -20, max: 420 }), (input, to) => {
			for (const { name } of layoutFor({ ...input, zoom: false }).dividers) {
				const before = layoutFor({ ...input, zoom: false }).dividers.find((each) => each.name === name);
				if (before === undefined) throw new Error("the divider is gone");
				const moved = layoutFor({ ...input, zoom: false, split: moveDivider(input.split, before, to) });
				const there = moved.dividers.find((each) => each.name === name);
				const place = there?.box.height === 1 ? there.box.y : (there?.box.x ?? -1);
				const { start, cells, least } = before;
				expect(place - start).toBe(Math.max(least, Math.min(to - start, cells - least)));
			}
		}),
	);
});
