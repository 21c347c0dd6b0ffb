import { describe, expect, test } from "vitest";
import { applyKeybindings, normalizeKey } from "../../../src/app/keys/keybindings.ts";
import { commandFor, contextOf, KEYMAP } from "../../../src/app/keys/keymap.ts";
import { initialState } from "../../../src/app/model/initial-state.ts";
import { commands } from "../../../src/app/update/commands.ts";
import { NOW } from "../../support/rows.ts";

const state = initialState(
	{ home: "/home/me", cwd: "/home/me/project", demo: false, keymap: KEYMAP, problems: [] },
	{ columns: 120, rows: 40 },
	NOW,
);

describe("keymap", () => {
	test("no key means two things in one place, except where a condition decides", () => {
		const seen = new Set<string>();
		for (const binding of KEYMAP) {
			for (const context of binding.contexts) {
				for (const key of binding.keys) {
					const place = `${context} ${key}`;
					expect(seen.has(place), place).toBe(false);
					// A later binding has the key while the condition of this one does not hold.
					if (!("when" in binding)) seen.add(place);
				}
			}
		}
	});

	test("every command is bound to a key", () => {
		expect(new Set(KEYMAP.map(({ command }) => command))).toEqual(new Set(Object.keys(commands)));
	});

	test("keys go to the topmost overlay", () => {
		const asked = { ...state, overlays: [{ kind: "help", page: "keys", top: 0 }] } as const;
		expect([contextOf(state), contextOf(asked)]).toEqual(["list", "help"]);
		expect([commandFor(state, "escape"), commandFor(asked, "escape")]).toEqual(["back", "cancel"]);
	});

	test("ctrl+d deletes from every pane, pi's own keys do what they do in pi", () => {
		const selected = { ...state, list: { ...state.list, selected: "/x.jsonl" } };
		for (const focus of ["list", "tree", "entry"] as const)
			expect(commandFor({ ...selected, focus }, "ctrl+d")).toBe("delete");
		expect(["tab", "ctrl+s", "ctrl+n", "ctrl+r", "enter"].map((key) => commandFor(selected, key))).toEqual([
			"scope",
			"sort",
			"named",
			"rename",
			"resume",
		]);
		expect(["ctrl+u", "ctrl+o", "ctrl+x"].map((key) => commandFor({ ...selected, focus: "tree" }, key))).toEqual([
			"filter-user",
			"filter-next",
			undefined,
		]);
	});
});

describe("the person's own keys", () => {
	const own = (chosen: Parameters<typeof applyKeybindings>[0]) => ({
		...state,
		environment: { ...state.environment, keymap: applyKeybindings(chosen) },
		list: { ...state.list, selected: "/x.jsonl" },
	});

	test("replace the default ones", () => {
		const changed = own({ "app.session.rename": ["ctrl+e"] });
		expect([commandFor(changed, "ctrl+e"), commandFor(changed, "ctrl+r")]).toEqual(["rename", undefined]);
	});
	test("win over what the key meant before", () => {
		expect(commandFor(own({ "app.session.rename": ["ctrl+s"] }), "ctrl+s")).toBe("rename");
	});
	test("may be taken away", () => expect(commandFor(own({ "app.session.delete": [] }), "ctrl+d")).toBeUndefined());
	test.each([
		["shift+l", "L"],
		["esc", "escape"],
		["alt+ctrl+x", "ctrl+alt+x"],
		["ctrl++", "ctrl++"],
		["space", " "],
	])("%s is the key %j", (written, pressed) => expect(normalizeKey(written)).toBe(pressed));
});
