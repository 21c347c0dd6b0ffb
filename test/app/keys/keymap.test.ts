import { describe, expect, test } from "vitest";
import { applyKeybindings, normalizeKey } from "../../../src/app/keys/keybindings.ts";
import { KEYMAP } from "../../../src/app/keys/keymap.ts";
import { bindingFor, contextOf } from "../../../src/app/model/binding.ts";
import { initialState } from "../../../src/app/model/initial-state.ts";
import type { State } from "../../../src/app/model/state.ts";
import { update } from "../../../src/app/update/update.ts";
import { makeRow, NOW } from "../../support/rows.ts";

const state = initialState(
	{ home: "/home/me", cwd: "/home/me/project", demo: false, keymap: KEYMAP, problems: [] },
	{ columns: 120, rows: 40 },
	NOW,
);

const row = makeRow("a", { age: 1 });
const selected: State = {
	...state,
	catalog: { ...state.catalog, rows: new Map([[row.path, row]]) },
	list: { ...state.list, selected: row.path },
};

const idFor = (now: State, key: string): string | undefined => bindingFor(now, key)?.id;

describe("keymap", () => {
	test("no key does two things in one context, except where a condition decides", () => {
		const seen = new Set<string>();
		for (const binding of KEYMAP) {
			for (const context of binding.contexts) {
				for (const key of binding.keys) {
					const slot = `${context} ${key}`;
					expect(seen.has(slot), slot).toBe(false);
					// A later binding has the key while the condition of this one does not hold.
					if (binding.when === undefined) seen.add(slot);
				}
			}
		}
	});

	test("keys go to the topmost overlay", () => {
		const asked = { ...state, overlays: [{ kind: "help", page: "keys", top: 0 }] } as const;
		expect([contextOf(state), contextOf(asked)]).toEqual(["list", "help"]);
		expect([idFor(state, "escape"), idFor(asked, "escape")]).toEqual(["back", "cancel"]);
	});

	test("ctrl+d deletes from every pane, pi's own keys do what they do in pi", () => {
		for (const focus of ["list", "tree", "entry"] as const)
			expect(idFor({ ...selected, focus }, "ctrl+d")).toBe("delete");
		expect(["tab", "ctrl+s", "ctrl+n", "ctrl+r", "enter"].map((key) => idFor(selected, key))).toEqual([
			"scope",
			"sort",
			"named",
			"rename",
			"resume",
		]);
		expect(["ctrl+u", "ctrl+o", "ctrl+x"].map((key) => idFor({ ...selected, focus: "tree" }, key))).toEqual([
			"filter-user",
			"filter-next",
			undefined,
		]);
	});
});

describe("a key that cannot act now", () => {
	const pressed = (now: State, key: string): State => update(now, { type: "keys", keys: [key] })[0];
	const listed: State = { ...state, catalog: { ...state.catalog, complete: true } };
	const inTree: State = { ...listed, focus: "tree" };

	test.each<[State, string, string]>([
		[listed, "ctrl+b", "There is no session to branch from"],
		[listed, "enter", "There is no session to resume"],
		[listed, "right", "There is no session to open"],
		[inTree, "ctrl+x", "There is no entry to copy"],
		[inTree, "ctrl+n", "There are no hits to go to: search in the list first"],
		[{ ...listed, focus: "entry" }, "L", "There is no entry to label"],
	])("says why, until the next key", (now, key, reason) => {
		const after = pressed(now, key);
		expect(after.message).toEqual({ text: reason, tone: "warning" });
		expect(pressed(after, "up").message).toBeUndefined();
	});

	test.each<[State, string]>([
		[state, "!"],
		[inTree, "L"],
		[inTree, "!"],
	])("is typed where it is text", (now, key) => {
		const after = pressed(now, key);
		expect(after.message).toBeUndefined();
		expect((now.focus === "tree" ? after.tree : after.list).query.text).toBe(key);
	});
});

describe("the person's own keys", () => {
	const own = (chosen: Parameters<typeof applyKeybindings>[0]) => ({
		...selected,
		environment: { ...state.environment, keymap: applyKeybindings(chosen) },
	});

	test("replace the default ones", () => {
		const changed = own({ "app.session.rename": ["ctrl+e"] });
		expect([idFor(changed, "ctrl+e"), idFor(changed, "ctrl+r")]).toEqual(["rename", undefined]);
	});
	test("win over what the key meant before", () => {
		expect(idFor(own({ "app.session.rename": ["ctrl+s"] }), "ctrl+s")).toBe("rename");
	});
	test("may be removed", () => expect(idFor(own({ "app.session.delete": [] }), "ctrl+d")).toBeUndefined());
	test.each([
		["shift+l", "L"],
		["esc", "escape"],
		["alt+ctrl+x", "ctrl+alt+x"],
		["ctrl++", "ctrl++"],
		["space", " "],
	])("%s is the key %j", (written, pressed) => expect(normalizeKey(written)).toBe(pressed));
});
