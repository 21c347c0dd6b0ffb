import { expect, test } from "vitest";
import { screenInWords } from "../../../../src/app/core/screen/screen-in-words.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { SIGNS, type SignPlace } from "../../../../src/app/features/help/signs.ts";
import { layoutFor } from "../../../../src/app/world/screen/layout.ts";
import type { AppPane } from "../../../../src/app/world/state/state.ts";
import { span } from "../../../../src/ui/text/line.ts";
import { rowAsWords } from "../../../../src/ui/text/plain-text.ts";
import { blanks } from "../../../../src/ui/text/sanitize.ts";
import { a, b, c, complete, keys, rows, startOf, stateAfter } from "../../../support/listed-state.ts";

const size = { columns: 160, rows: 45 };

/** A row with one sign before its title, as it is read. */
function read(sign: string, place: SignPlace): string {
	const pane: AppPane = {
		...{ id: place === "list" ? "list" : "tree", x: 0, y: 2, width: 80, height: 1, title: [], settings: [] },
		...{ position: blanks(0), focused: true },
		rows: [{ key: "a", line: [span(" "), span(`${sign} `), span("Title")], selected: true }],
	};
	const view = { columns: 80, rows: 24, header: [], footer: [], panes: [pane], cursor: undefined };
	return rowAsWords(screenInWords(view).panes[0]?.rows[0]?.line ?? []);
}

/** Signs that are words, or stand in numbers. */
const WORDS = /^(?:|\w+|#x|…|[+−]\d+|[→↓↻])$/;

test("each sign of the legend is read as a word, or is only drawn", () => {
	const signs = SIGNS.filter(({ place }) => place !== "timeline").flatMap(({ sign, place }) =>
		sign
			.replace(/[\u2500-\u257f]/g, "")
			.split(" ")
			.flatMap((one) => (WORDS.test(one) ? [] : [[one, place] as const])),
	);
	expect(signs.length).toBeGreaterThan(20);
	for (const [sign, place] of signs)
		expect([sign, read(sign, place)]).toEqual([sign, expect.stringMatching(/^[\w, ]*Title$/)]);
	expect(["✗2", "⚑1", "◫3"].map((sign) => read(sign, "list"))).toEqual([
		"2 failed, Title",
		"label, Title",
		"3 runs, Title",
	]);
});

test("there is one pane, and the cursor is where something was typed, otherwise on the selected row", () => {
	const state = stateAfter(startOf(size, { plain: true }), rows(a, b, c), complete);
	const { list, tree, reader } = layoutFor(state);
	expect([list?.width, tree, reader]).toEqual([160, undefined, undefined]);
	const view = selectScreen(state);
	expect(view.panes.map(({ id }) => id)).toEqual(["list"]);
	expect([view.cursor, view.selected]).toEqual([undefined, { x: 0, y: 3 }]);
	expect(selectScreen(stateAfter(state, keys("down"))).selected).toEqual({ x: 0, y: 4 });
	const typed = selectScreen(stateAfter(state, keys("a", "l")));
	const before = "pi-grove, al";
	expect([typed.cursor, rowAsWords(typed.header).slice(0, before.length)]).toEqual([
		{ x: before.length, y: 0 },
		before,
	]);
});

test("items of a menu have numbers, which choose them; letters narrow the others", () => {
	const asked = stateAfter(startOf(size, { plain: true }), rows(a, b, c), complete, keys("ctrl+d"));
	const { overlay } = selectScreen(asked);
	expect(overlay?.kind === "menu" && overlay.items).toEqual(["1 Move to the trash", "2 Cancel"]);
	expect(stateAfter(asked, keys("3")).overlays).toHaveLength(1);
	expect(stateAfter(asked, keys("2")).overlays).toEqual([]);
	const drawn = stateAfter(startOf(size), rows(a, b, c), complete, keys("ctrl+d"));
	expect(stateAfter(drawn, keys("2")).overlays).toHaveLength(1);
});
