import { describe, expect, test, vi } from "vitest";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { QUERIES, SIGNS } from "../../../../src/app/features/palette/legend.ts";
import { newPalette } from "../../../../src/app/features/palette/palette-actions.ts";
import { palettePage, shownCommands } from "../../../../src/app/features/palette/palette-view.ts";
import { drawTreeRow } from "../../../../src/app/features/tree/draw-row.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import { openOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { NO_QUERY } from "../../../../src/catalog/query/parse-query.ts";
import { placeOf } from "../../../../src/conversation/entries/place.ts";
import type { Line } from "../../../../src/ui/text/line.ts";
import { span } from "../../../../src/ui/text/span.ts";
import { lineWidth, textWidth } from "../../../../src/ui/text/width.ts";
import { inLong } from "../../../support/cases.ts";
import { drawn } from "../../../support/draw-tree.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";
import { label, sessionOf, user } from "../../../support/session-builder.ts";

const SIZES = [
	{ columns: 160, rows: 45 },
	{ columns: 80, rows: 24 },
	{ columns: 60, rows: 20 },
	{ columns: 40, rows: 10 },
] as const;

const press = (state: State, ...keys: readonly string[]): State => update(state, { type: "keys", keys })[0];
const textOf = (line: Line): string => line.map(({ text }) => text).join("");
const squeezed = (text: string): string => text.replaceAll(/\s+/g, "");

function listed(columns: number, rows: number, name = "Alpha"): State {
	const environment = { home: "/home/me", cwd: "/home/me/project", demo: false, keymap: KEYMAP, problems: [] };
	const path = "/home/me/.pi/agent/sessions/--home-me-project--/2026-11-18T13-00-00-000Z_01a1eebe-2080-79ec-8e38.jsonl";
	const event = { type: "rows", rows: [makeRow("one", { name, path })] } as const;
	const action: Action = { type: "catalog", event };
	return update(update(initialState(environment, { columns, rows }, NOW), action)[0], LISTED)[0];
}

/** The page of commands, opened, from its first row to its last, as it is seen when it is scrolled. */
function linesSeen(state: State): Line[] {
	const lines: Line[] = [];
	for (let top = 0; ; ) {
		const { overlay } = selectScreen(openOverlay(state, { ...newPalette(), top }));
		if (overlay?.kind !== "help") throw new Error("no page");
		// Below the line in which one types.
		const seen = overlay.body.slice(1);
		const [last = 0, all] = overlay.position.split("/").map(Number);
		lines.push(...seen.slice(lines.length - last));
		if (last === all) return lines;
		// By rows in the long run, else by pages.
		top += inLong(1, seen.length);
	}
}

describe.each(SIZES)("$columns×$rows", ({ columns, rows }) => {
	test("every command, with its keys and description, can be read completely", () => {
		const state = listed(columns, rows);
		const opened = openOverlay(state, newPalette());
		const lines = linesSeen(state);
		for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(columns - 4);
		const { items, lines: all } = palettePage(opened, newPalette());
		expect(lines.map(textOf)).toEqual(all.map(textOf));
		const commands = shownCommands(opened, newPalette());
		expect(items.map(({ item }) => item)).toEqual(commands.map((_, index) => index));
		const next = (x: number): number => Math.min(...items.map((item) => item.x).filter((other) => other > x), columns);
		for (const { item, x, row, height } of items) {
			const text = all.slice(row, row + height).map((line) => textOf(line).slice(x, next(x)));
			const { keys, binding, contexts } = commands[item] ?? expect.fail("a command is missing");
			// The column of the keys is narrower where there is little room.
			const column = columns === 40 ? 14 : 22;
			const right = text.map((line) => line.slice(column)).join("");
			const left = text.map((line) => line.slice(0, column)).join("");
			expect(squeezed(left)).toBe(squeezed(keys.join(",")));
			const note = contexts.includes("list") ? "" : `(${contexts.join(",")})`;
			expect(squeezed(right)).toBe(squeezed(`${binding.help}${note}`));
		}
		for (const { meaning } of [...SIGNS, ...QUERIES])
			expect(squeezed(all.map(textOf).join(""))).toContain(squeezed(meaning.slice(0, 12)));
	});

	test("a menu or prompt names its keys once, and a page says that escape closes it", () => {
		const state = listed(columns, rows);
		for (const keys of [["ctrl+d"], ["ctrl+r"], ["ctrl+s"], ["ctrl+g"]]) {
			const view = selectScreen(press(state, ...keys));
			expect(view.overlay, keys.join()).toBeDefined();
			expect(view.footer).toEqual([]);
			expect(textOf(view.overlay?.hint ?? [])).toContain(view.overlay?.kind === "help" ? "esc close" : "esc cancel");
		}
	});
});

test("a question names the whole path at 80 columns", () => {
	const { overlay } = selectScreen(press(listed(80, 24), "ctrl+d"));
	expect(squeezed((overlay?.body ?? []).map(textOf).join(""))).toContain(
		"~/.pi/agent/sessions/--home-me-project--/2026-11-18T13-00-00-000Z_01a1eebe-2080-79ec-8e38.jsonl",
	);
});

test("a label is cut by cells, between characters, to a third of the row", async () => {
	for (const name of ["🎉".repeat(40), "日本語のラベル".repeat(8), "e\u0301".repeat(60), "👩‍💻".repeat(30)]) {
		const session = await sessionOf(user("u", null, 1, "ok then"), label("l", "u", 2, "u", name));
		const { tree } = drawn(session);
		for (let width = 60; width < 150; width++) {
			const { line } = drawTreeRow(tree.rows, 0, {
				width,
				selected: false,
				session,
				columns: tree.rows.columns,
				place: placeOf(session, "/home/me"),
				labelTimes: false,
				details: "outcome",
				isTurns: false,
				query: NO_QUERY,
				isFiltered: false,
				now: NOW,
			});
			const shown = line.find(({ tone }) => tone === "label");
			expect(shown?.text.isWellFormed()).toBe(true);
			expect(shown?.text).not.toContain("\ufffd");
			expect(textWidth(shown?.text ?? span("").text)).toBeLessThanOrEqual(Math.floor(width * 0.35) + 3);
			expect(lineWidth(line)).toBe(width);
			expect(textOf(line)).toContain("ok then");
		}
	}
});

test("only the visible part of a name of millions of characters is cleaned and measured", () => {
	for (const piece of ["日本", "👩‍💻", "e\u0301", "\u200b", "a "]) {
		const state = listed(80, 24, piece.repeat(2_000_000));
		const cleaned: number[] = [];
		const toWellFormed = String.prototype.toWellFormed;
		const spy = vi.spyOn(String.prototype, "toWellFormed").mockImplementation(function (this: string) {
			cleaned.push(this.length);
			return toWellFormed.call(this);
		});
		selectScreen(state);
		selectScreen(press(state, "ctrl+r"));
		selectScreen(press(state, "ctrl+r", "left", "x", "backspace", "home", "right"));
		selectScreen(press(state, "ctrl+d"));
		spy.mockRestore();
		expect(Math.max(0, ...cleaned)).toBeLessThan(20_000);
	}
});
