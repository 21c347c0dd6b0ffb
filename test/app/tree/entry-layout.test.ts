import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { layOutMore } from "../../../src/app/effects/lay-out.ts";
import { createTreeDrawer } from "../../../src/app/effects/tree-drawer.ts";
import { KEYMAP } from "../../../src/app/keys/keymap.ts";
import type { Action } from "../../../src/app/model/action.ts";
import type { Effect } from "../../../src/app/model/effect.ts";
import { initialState } from "../../../src/app/model/initial-state.ts";
import type { State } from "../../../src/app/model/state.ts";
import { selectScreen } from "../../../src/app/screen/select-screen.ts";
import { wrapInParts, wrapText } from "../../../src/app/text/wrap.ts";
import { update } from "../../../src/app/update/update.ts";
import { makeRow, NOW } from "../../support/rows.ts";
import { sessionOf, user } from "../../support/session-builder.ts";

const keys = (...pressed: readonly string[]): Action => ({ type: "keys", keys: pressed });

function run(state: State, ...actions: readonly Action[]): { readonly state: State; readonly effects: Effect[] } {
	const effects: Effect[] = [];
	for (const action of actions) {
		const [next, more] = update(state, action);
		state = next;
		effects.push(...more);
	}
	return { state, effects };
}

/** The browser with the focus on the text of an entry. */
async function reading(text: string): Promise<ReturnType<typeof run>> {
	const environment = { home: "/home/me", cwd: "/home/me/project", demo: false, keymap: KEYMAP, problems: [] };
	const start = initialState(environment, { columns: 120, rows: 30 }, NOW);
	const listed = run(start, { type: "catalog", event: { type: "rows", rows: [makeRow("one")] } }).state;
	const session = await sessionOf(user("u", null, 1, text));
	const read = run({ ...listed, focus: "reader" }, { type: "session-read", request: listed.request, session });
	const draw = read.effects.find((effect) => effect.type === "draw-tree");
	if (draw === undefined) return read;
	const drawing = await createTreeDrawer(
		() => Promise.resolve(undefined),
		() => undefined,
	).draw(draw.input, draw.before);
	return drawing === undefined ? read : run(read.state, { type: "tree-drawn", drawing });
}

const entryPane = (state: State) => selectScreen(state).panes.find(({ id }) => id === "reader");
const shown = (state: State) => entryPane(state)?.rows.map(({ line }) => line.map(({ text }) => text).join("")) ?? [];

/** Characters of rows that are laid out: what has been cleaned and wrapped. */
const laidOut = (state: State): number => state.layingOut?.rows.reduce((sum, { text }) => sum + text.length, 0) ?? 0;

describe.each([
	["words", "some words of a log "],
	["Japanese without a blank", "日本語の文章"],
	["emoji without a blank", "👩‍💻👍🏽❤️"],
	["letters with marks", "e\u0301क्ष"],
	["blanks", "  "],
	["lines", "a\n"],
])("an entry of 1,500,000 characters: %s", (_name, piece) => {
	test("no key works on more of it than fits in a frame, and its end is reached", async () => {
		const text = `first${piece.repeat(1_500_000 / piece.length)}last`;
		const opened = await reading(text);
		let { state } = opened;
		let before = 0;
		for (const key of ["down", "pageDown", "pageDown", "up", "end"]) {
			state = run(state, keys(key)).state;
			selectScreen(state);
			expect(laidOut(state) - before).toBeLessThan(200_000);
			before = laidOut(state);
		}
		// Of blanks nothing is seen.
		if (piece.trim() !== "") expect(entryPane(state)?.position).toMatch(/^[\d,]+\/[\d,]+\+$/);
		const asked = opened.effects.filter(({ type }) => type === "lay-out");
		expect(asked).toHaveLength(1);
		while (state.layingOut) {
			await layOutMore(state.layingOut);
			state = run(state, { type: "laid-out", layout: state.layingOut }).state;
		}
		expect(shown(state).at(-1)?.trimEnd()).toMatch(/last$/);
		if (piece.trim() !== "") expect(entryPane(state)?.position).toMatch(/^([\d,]+)\/\1$/);
		if (piece.trim() !== "") expect(shown(run(state, keys("up")).state).at(-1)).not.toMatch(/last\s*$/);
		expect(
			shown(run(state, keys("home")).state)
				.slice(2, 3)
				.join(),
		).toMatch(/^first/);
	});
});

test("an ordinary entry is laid out at once", async () => {
	const { state, effects } = await reading("word ".repeat(8000));
	expect(state.layingOut).toBeUndefined();
	expect(effects.filter(({ type }) => type === "lay-out")).toEqual([]);
	expect(entryPane(state)?.position).toMatch(/^\d+\/\d+$/);
});

test("a text laid out in parts has the rows that it has in one piece", () => {
	const piece = fc.oneof(
		fc.string({
			unit: fc.constantFrom("a", "b", " ", "\n", "日", "👍🏽", "e\u0301", "\t", "\r\n", "\u001b[31m"),
			maxLength: 40,
		}),
		fc.string({ maxLength: 40 }),
	);
	fc.assert(
		fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), fc.integer({ min: 10, max: 100 }), (pieces, width) => {
			// Tabs are left out, because a part may begin within a line and its tab stops with it.
			const text = pieces.join("").replaceAll("\t", " ").repeat(400);
			// A part without text is not laid out.
			fc.pre(text !== "");
			expect([...wrapInParts(text, width)].flat()).toEqual(wrapText(text, width));
		}),
		{ numRuns: 60 },
	);
});
