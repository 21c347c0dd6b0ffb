import { describe, expect, test } from "vitest";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { HelpView } from "../../../../src/ui/view.ts";
import { inShort } from "../../../support/cases.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";

/** The state after keys, and texts (which begin with a quote), in a terminal of this size. */
function stateOf(columns: number, rows: number, ...input: readonly string[]): State {
	const environment = { home: "/home/me", cwd: "/home/me", demo: false, keymap: KEYMAP, problems: [] };
	const event = { type: "rows", rows: [makeRow("a", { age: 1 })] } as const;
	const start = initialState(environment, { columns, rows }, NOW);
	const listed = update(update(start, { type: "catalog", event })[0], LISTED)[0];
	return input.reduce((state, typed) => {
		const text = typed.startsWith('"') ? typed.slice(1) : undefined;
		return update(state, text === undefined ? { type: "keys", keys: [typed] } : { type: "text", text })[0];
	}, listed);
}

function pageOf(state: State): HelpView {
	const { overlay } = selectScreen(state);
	return overlay?.kind === "help" ? overlay : expect.fail("no page is open");
}

const textOf = (state: State): string[] => pageOf(state).body.map((line) => line.map(({ text }) => text).join(""));
/** The row of the highlighted command. */
const chosen = (state: State): string =>
	pageOf(state)
		.body.filter((line) => line.some(({ ground }) => ground === "cursor"))
		.map((line) => line.map(({ text }) => text).join(""))
		.join(" ")
		.replaceAll(/\s+/g, " ")
		.trim();

describe("the page of commands", () => {
	test.each(["ctrl+k", "ctrl+g", "f1"])("opens with %s, at the commands for the present pane", (key) => {
		const state = stateOf(80, 24, key);
		expect(textOf(state)[1]).toBe("List, in the list");
		expect(chosen(state)).toBe("");
		expect(selectScreen(state).cursor).toEqual({ x: 4, y: 1 });
	});

	test("finds a command by its words, and Enter runs it where the page was opened", () => {
		const state = stateOf(80, 24, "ctrl+k", '"choose order');
		expect(chosen(state)).toBe("ctrl+s choose the order");
		expect(stateOf(80, 24, "ctrl+k", '"choose order', "enter").overlays).toMatchObject([
			{ kind: "menu", title: "Sort sessions" },
		]);
		expect(stateOf(80, 24, "ctrl+k", '"this directory', "enter").list.scope).toBe("here");
	});

	test("says why a command cannot act, and closes", () => {
		const elsewhere = stateOf(80, 24, "ctrl+k", '"next order', "enter");
		expect([elsewhere.overlays, elsewhere.message?.text]).toEqual([
			[],
			"next order: by time, size, cost, or where they fork: only in: branches",
		]);
		const problems = stateOf(80, 24, "ctrl+k", '"what could not be read', "enter");
		expect(problems.message?.text).toMatch(/There are no problems to show$/);
	});

	test("moves the highlight through all columns, keeps it visible, and scrolls on", () => {
		const sizes = [
			[200, 20],
			[80, 24],
			[40, 10],
		] as const;
		for (const [columns, rows] of inShort(sizes, ([width]) => width !== 80)) {
			const seen = new Set<string>();
			let state = stateOf(columns, rows, "ctrl+k");
			for (let moves = 0; moves < 500; moves++) {
				const before = state;
				state = update(state, { type: "keys", keys: ["down"] })[0];
				if (JSON.stringify(before.overlays) === JSON.stringify(state.overlays)) break;
				const [palette] = state.overlays;
				if (palette?.kind === "palette" && !seen.has(String(palette.index))) expect(chosen(state)).not.toBe("");
				if (palette?.kind === "palette") seen.add(String(palette.index));
			}
			expect(seen.size).toBeGreaterThan(100);
			expect(textOf(state).join(" ")).toContain("is:named");
		}
	});

	test("with nothing found or nothing chosen, Enter does nothing, and esc closes", () => {
		expect(textOf(stateOf(80, 24, "ctrl+k", '"walrus'))).toContain("No command matches");
		expect(stateOf(80, 24, "ctrl+k", '"walrus', "enter").overlays).toHaveLength(1);
		expect(stateOf(80, 24, "ctrl+k", "enter").overlays).toHaveLength(1);
		expect(stateOf(80, 24, "ctrl+k", '"x', "escape").overlays).toEqual([]);
		expect(textOf(stateOf(80, 24, "ctrl+k", '"wal', "backspace", "ctrl+u"))[1]).toBe("List, in the list");
	});

	test("a click highlights a command, and a second one runs it", () => {
		const state = stateOf(160, 45, "ctrl+k");
		const row = textOf(state).findIndex((line) => line.includes("choose the order"));
		const cell = { x: pageOf(state).x + 10, y: pageOf(state).y + 1 + row };
		const press = (now: State): State => update(now, { type: "mouse", event: { kind: "press", ...cell } })[0];
		expect(chosen(press(state))).toContain("choose the order");
		expect(press(press(state)).overlays).toMatchObject([{ kind: "menu", title: "Sort sessions" }]);
		const turned = update(state, { type: "mouse", event: { kind: "wheel", rows: 3, ...cell } })[0];
		expect(turned.overlays).toMatchObject([{ top: 3, index: -1 }]);
	});
});
