import { describe, expect, test, vi } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { NO_QUERY } from "../../../../src/catalog/query/parse-query.ts";
import { placeOf } from "../../../../src/conversation/entries/place.ts";
import { drawTreeRow } from "../../../../src/conversation/tree/draw-row.ts";
import { span } from "../../../../src/ui/text/line.ts";
import { lineWidth, textWidth } from "../../../../src/ui/text/width.ts";
import { inLong } from "../../../support/cases.ts";
import { withCommands } from "../../../support/command.ts";
import { drawn } from "../../../support/draw-tree.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { startOf, stateAfter } from "../../../support/listed-state.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";
import { label, sessionOf, user } from "../../../support/session-builder.ts";

const SIZES = [
	{ columns: 160, rows: 45 },
	{ columns: 80, rows: 24 },
	{ columns: 60, rows: 20 },
	{ columns: 40, rows: 10 },
] as const;

const press = (state: State, ...keys: readonly string[]): State => update(state, { type: "keys", keys })[0];
const squeezed = (text: string): string => text.replaceAll(/\s+/g, "");

function listed(columns: number, rows: number, name = "Alpha"): State {
	const path = "/home/me/.pi/agent/sessions/--home-me-project--/2026-11-18T13-00-00-000Z_01a1eebe-2080-79ec-8e38.jsonl";
	const event = { type: "rows", rows: [makeRow("one", { name, path })] } as const;
	const action: Action = { type: "catalog", event };
	return stateAfter(startOf({ columns, rows }), action, LISTED);
}

describe.each(SIZES)("$columns×$rows", ({ columns, rows }) => {
	test("a menu or prompt names its keys once, and a page says that escape closes it", () => {
		const state = listed(columns, rows);
		for (const keys of [["ctrl+d"], ["ctrl+r"], ["ctrl+s"], ["ctrl+k"]]) {
			const view = selectScreen(press(state, ...keys));
			expect(view.overlay, keys.join()).toBeDefined();
			expect(view.footer).toEqual([]);
			expect(textOfRow(view.overlay?.hint ?? [])).toContain(view.overlay?.kind === "help" ? "esc close" : "esc cancel");
		}
	});
});

test("space toggles the check box of a menu, which stays open on it; in other menus it does nothing", () => {
	const opened = (...keys: readonly string[]): State =>
		withCommands([{ type: "keys", keys }]).reduce((state, action) => update(state, action)[0], listed(80, 24));
	const boxes = (state: State): readonly string[] => {
		const { overlay } = selectScreen(state);
		return overlay?.kind === "menu" ? overlay.items : [];
	};
	const show = opened("<show>", "end");
	expect(textOfRow(selectScreen(show).overlay?.hint ?? [])).toContain("space check");
	expect(boxes(show).at(-1)).toMatch(/^\[ \] Paths instead/);
	expect(boxes(press(show, " ")).at(-1)).toMatch(/^\[x\] Paths instead/);
	expect(press(show, " ").list.showPath).toBe(true);
	expect(press(show, " ", " ").list.showPath).toBe(false);
	// Enter keeps what is checked, and escape brings back what was.
	expect(textOfRow(selectScreen(show).overlay?.hint ?? [])).toContain("enter choose");
	expect(textOfRow(selectScreen(press(show, " ")).overlay?.hint ?? [])).toContain("enter done");
	expect(press(show, " ", "enter")).toMatchObject({ overlays: [], list: { showPath: true } });
	expect(press(show, " ", "escape")).toMatchObject({ overlays: [], list: { showPath: false } });
	const columns = opened("<columns>");
	expect(textOfRow(selectScreen(columns).overlay?.hint ?? [])).toContain("enter done");
	expect(press(columns, "enter").list).toEqual(listed(80, 24).list);
	expect(press(columns, " ", "enter").list.settings.columns).toContain("errors");
	expect(press(columns, " ", "escape").list.settings).toEqual(listed(80, 24).list.settings);
	// What is checked and has no room says so.
	const notes = (state: State): readonly string[] => {
		const { overlay } = selectScreen(state);
		return overlay?.kind === "menu" ? (overlay.notes ?? []).map((note) => note.trim()) : [];
	};
	expect(new Set(notes(columns))).toEqual(new Set([""]));
	expect(notes(press(columns, "down", "down", "down", " ", "down", " ")).slice(3, 5)).toEqual([
		"",
		"no room at this width",
	]);
	const question = press(listed(80, 24), "ctrl+d");
	expect(selectScreen(press(question, " ", "x", "ctrl+u"))).toEqual(selectScreen(question));
});

test("a question names the whole path at 80 columns", () => {
	const { overlay } = selectScreen(press(listed(80, 24), "ctrl+d"));
	expect(squeezed((overlay?.body ?? []).map(textOfRow).join(""))).toContain(
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
				details: "outcome",
				isTurns: false,
				query: NO_QUERY,
				isHit: false,
				now: NOW,
			});
			const shown = line.find(({ tone }) => tone === "label");
			expect(shown?.text.isWellFormed()).toBe(true);
			expect(shown?.text).not.toContain("\ufffd");
			expect(textWidth(shown?.text ?? span("").text)).toBeLessThanOrEqual(Math.floor(width * 0.35) + 3);
			expect(lineWidth(line)).toBe(width);
			expect(textOfRow(line)).toContain("ok then");
		}
	}
});

test("only the visible part of a name of millions of characters is cleaned and measured", () => {
	for (const piece of inLong(["日本", "👩‍💻", "e\u0301", "\u200b", "a "], ["👩‍💻", "e\u0301"])) {
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
