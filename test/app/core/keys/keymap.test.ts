import { describe, expect, test } from "vitest";
import { applyKeybindings, TEXT_CONTEXTS } from "../../../../src/app/core/keys/keybindings.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { update } from "../../../../src/app/core/update.ts";
import { USES } from "../../../../src/app/features/prompts/uses-state.ts";
import { type Binding, bindingFor, type Context, contextOf } from "../../../../src/app/world/state/binding.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { editedText } from "../../../../src/ui/field/edit.ts";
import { isTypable } from "../../../../src/ui/keys/key-name.ts";
import { startOf } from "../../../support/listed-state.ts";
import { listedRows, makeRow, NOW } from "../../../support/rows.ts";

const state = startOf({ columns: 120, rows: 40 });

const QUERY_PAGE = { kind: "help", page: "query", query: editedText(""), top: 0 } as const;

const row = makeRow("a", { age: 1 });
const selected: State = {
	...state,
	catalog: { ...state.catalog, ...listedRows(row) },
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
					if (binding.when === undefined && binding.within === undefined) seen.add(slot);
				}
			}
		}
	});

	test("keys go to the topmost overlay", () => {
		const asked = { ...state, overlays: [QUERY_PAGE] } as const;
		expect([contextOf(state), contextOf(asked)]).toEqual(["list", "help"]);
		expect([idFor(state, "escape"), idFor(asked, "escape")]).toEqual(["back", "cancel"]);
	});

	test("pi's own keys do what they do in pi", () => {
		expect(["tab", "ctrl+s", "ctrl+r", "ctrl+d", "enter", "ctrl+z"].map((key) => idFor(selected, key))).toEqual([
			"scope",
			"sort",
			"rename",
			"delete",
			"resume",
			"suspend",
		]);
		const inTree: State = { ...selected, focus: "tree" };
		expect(["ctrl+d", "ctrl+t", "ctrl+u", "ctrl+l", "ctrl+a", "ctrl+o"].map((key) => idFor(inTree, key))).toEqual([
			"filter-default",
			"filter-no-tools",
			"filter-user-only",
			"filter-labeled-only",
			"filter-all",
			"filter-next",
		]);
	});

	test("no key needs ctrl+a, ctrl+b or ctrl+z, which screen, tmux and the shell keep, without another way", () => {
		const kept = new Set(["ctrl+a", "ctrl+b", "ctrl+z"]);
		const ways = Map.groupBy(
			KEYMAP.flatMap(({ id, contexts, keys }) =>
				contexts.flatMap((context) => keys.map((key) => ({ id, context, key }))),
			),
			({ id, context }) => `${id} ${context}`,
		);
		const only = [...ways.values()].filter((same) => same.every(({ key }) => kept.has(key)));
		// The menu of filters has what ctrl+a shows.
		expect(new Set(only.map(([first]) => first?.id))).toEqual(new Set(["suspend", "filter-all"]));
	});

	test("ctrl+c leads out of everything that is open", () => {
		const overlays: State["overlays"][] = [
			[],
			[QUERY_PAGE],
			[
				{
					kind: "menu",
					title: "",
					body: [],
					items: [],
					query: editedText(""),
					index: 0,
					initialIndex: 0,
					danger: false,
				},
			],
		];
		for (const focus of ["list", "tree", "reader"] as const) {
			for (const open of overlays) {
				const [, effects] = update(
					{ ...selected, focus, overlays: open },
					{ type: "keys", keys: Array<string>(4).fill("ctrl+c") },
				);
				expect(effects).toContainEqual({ type: "leave", outcome: { kind: "quit" } });
			}
		}
	});
});

/** Every printable character of ASCII, and some of other kinds. */
const PRINTABLE: readonly string[] = [
	...Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)),
	..."éß日本語кΩ£€¬∫†",
	"👍",
	"🇫🇮",
	"각",
];

describe("letters are text", () => {
	const problem = { path: "/x", message: "cannot be read" };
	const withProblems: State = { ...selected, catalog: { ...selected.catalog, problems: [problem] } };
	const states: readonly (readonly [string, State])[] = [
		["nothing listed", state],
		["a session", selected],
		["problems", withProblems],
		["a narrow terminal", { ...selected, size: { columns: 60, rows: 20 } }],
	];
	const opened = (now: State, focus: State["focus"]): State => update({ ...now, focus }, { type: "tick", now: NOW })[0];
	const typed = (now: State, focus: "list" | "tree", keys: readonly string[]): string =>
		update(opened(now, focus), { type: "keys", keys: [...slash(focus), ...keys] })[0][focus].query.text;
	/** Where one types from the start, these are no text before any other. */
	const FIRST = { list: [" ", "/", "?", ":"], tree: [] } as const;
	const slash = (focus: "list" | "tree"): readonly string[] => (focus === "tree" ? ["/"] : []);

	test.each(states.flatMap(([name, now]) => (["list", "tree"] as const).map((focus) => [focus, name, now] as const)))(
		"each printable character arrives in the filter of the %s, with %s, as the first letter and later",
		(focus, _, now) => {
			for (const character of PRINTABLE) {
				expect(typed(now, focus, ["a", character, character])).toBe(`a${character}${character}`);
				if (FIRST[focus].some((first) => first === character)) continue;
				expect(typed(now, focus, [character])).toBe(character);
				const after = update(opened(now, focus), { type: "keys", keys: [...slash(focus), character] })[0];
				expect([after.overlays, after.message, after.focus]).toEqual([[], undefined, focus]);
			}
		},
	);

	test("each printable character arrives in the filter of the prompts and commands", () => {
		const open = { ...selected, overlays: [{ kind: "prompts", isPage: true }] } as const;
		for (const character of PRINTABLE.filter((each) => !"/?:".includes(each))) {
			const [after] = update(open, { type: "keys", keys: [character, "a", character] });
			expect([USES.of(after).query.text, after.overlays]).toEqual([`${character}a${character}`, open.overlays]);
		}
	});

	test("no typable key is a command where letters are text, except a blank, a slash, a question mark or a colon before anything is typed", () => {
		const isText = (key: string, when: Binding["when"]): boolean =>
			isTypable(key) && !(" /?:".includes(key) && when !== undefined);
		const swallowed = KEYMAP.filter(
			({ keys, contexts, when }) =>
				keys.some((key) => isText(key, when)) && contexts.some((context: Context) => TEXT_CONTEXTS.includes(context)),
		);
		expect(swallowed).toEqual([]);
	});

	test("a key with a modifier is never typed, even beyond ASCII", () => {
		for (const key of ["alt+é", "ctrl+я", "super+k", "f12", "insert"])
			for (const focus of ["list", "tree"] as const) expect(typed(selected, focus, [key])).toBe("");
	});
});

describe("a key that cannot act now", () => {
	const pressed = (now: State, key: string): State => update(now, { type: "keys", keys: [key] })[0];
	const listed: State = { ...state, catalog: { ...state.catalog, complete: true } };
	const inTree: State = { ...listed, focus: "tree" };

	test.each<[State, string, string]>([
		[listed, "alt+n", "There is no session to branch from"],
		[listed, "enter", "There is no session to resume"],
		[listed, "right", "There is no session to open"],
		[inTree, "ctrl+x", "There is no entry to copy"],
		[{ ...listed, focus: "reader" }, "alt+l", "There is no entry to label"],
		[{ ...listed, focus: "reader" }, "n", "Nothing was searched for: / searches in the conversation"],
	])("says why, until the next key", (now, key, reason) => {
		const after = pressed(now, key);
		expect(after.message).toEqual({ text: reason, tone: "warning" });
		expect(pressed(after, "up").message).toBeUndefined();
	});
});

describe("the person's own keys", () => {
	const own = (chosen: Parameters<typeof applyKeybindings>[0]): State => ({
		...selected,
		environment: { ...state.environment, keymap: applyKeybindings(chosen).keymap },
	});
	const problemsOf = (chosen: Parameters<typeof applyKeybindings>[0]) => applyKeybindings(chosen).problems;

	test("replace the default ones", () => {
		const changed = own({ "app.session.rename": ["ctrl+e"] });
		expect([idFor(changed, "ctrl+e"), idFor(changed, "ctrl+r")]).toEqual(["rename", undefined]);
		expect(problemsOf({ "app.session.rename": ["ctrl+e"] })).toEqual([]);
	});
	test("take precedence over what the key meant before", () => {
		expect(idFor(own({ "app.session.rename": ["ctrl+s"] }), "ctrl+s")).toBe("rename");
	});
	test("may be removed", () => expect(idFor(own({ "app.session.delete": [] }), "ctrl+d")).toBeUndefined());

	test("ctrl+j and enter are two keys", () => {
		const changed = own({ "tui.select.down": ["down", "ctrl+j"] });
		expect([idFor(changed, "ctrl+j"), idFor(changed, "enter")]).toEqual(["down", "resume"]);
	});

	test("pi's own defaults, written out, change only what is reported", () => {
		const written = Object.fromEntries(
			KEYMAP.flatMap(({ pi, keys }) => (pi === undefined || keys.some(isTypable) ? [] : [[pi, keys]])),
		);
		expect(problemsOf(written)).toEqual([]);
	});

	test("a letter is not a command where letters are text; that is reported, and another key does it", () => {
		const chosen = { "app.tree.editLabel": ["shift+l"], "app.session.rename": ["r", "ctrl+e"] };
		const changed = own(chosen);
		const [inTree] = update({ ...changed, focus: "tree" }, { type: "tick", now: NOW });
		expect(update(inTree, { type: "keys", keys: ["/", "L", "r"] })[0].tree.query.text).toBe("Lr");
		const ids = changed.environment.keymap.filter(
			({ contexts, keys }) => contexts.includes("reader") && keys.includes("L"),
		);
		expect(ids.map(({ id }) => id)).toEqual(["label"]);
		const inList: State = { ...inTree, focus: "list" };
		expect([idFor(inTree, "ctrl+e"), idFor(inTree, "r"), idFor(inList, "r")]).toEqual(["rename", "rename", undefined]);
		expect(problemsOf(chosen)).toEqual([
			"app.session.rename: r is text where letters are typed, so there ctrl+e does it.",
		]);
		expect(problemsOf({})).toEqual([]);
	});

	test("a key given twice in one place is reported with both actions", () => {
		const chosen = { "app.session.rename": ["ctrl+y"], "app.session.toggleSort": ["ctrl+y", "ctrl+s"] };
		expect(idFor(own(chosen), "ctrl+y")).toBe("rename");
		expect(problemsOf(chosen)).toEqual([
			"ctrl+y is chosen for both app.session.rename and app.session.toggleSort; it does the first. Choose another for one.",
		]);
		expect(problemsOf({ "app.message.copy": ["ctrl+y"], "app.session.toggleSort": ["ctrl+y"] })).toEqual([]);
	});

	test("ctrl+c always leads out", () => {
		const chosen = { "app.session.rename": ["ctrl+c"], "tui.select.cancel": ["escape"] };
		const changed = own(chosen);
		expect(idFor(changed, "ctrl+c")).toBe("leave");
		expect(idFor({ ...changed, overlays: [QUERY_PAGE] }, "ctrl+c")).toBe("leave");
		expect(problemsOf(chosen)).toEqual([
			"app.session.rename: ctrl+c always goes back or leaves, so it does nothing else. Choose another key.",
		]);
	});

	test("an invalid key is reported, and the others apply", () => {
		const chosen = { "app.session.rename": ["ctrl+banana", "ctrl+e", "L"] };
		expect(idFor(own(chosen), "ctrl+e")).toBe("rename");
		expect(problemsOf(chosen)).toEqual([
			'app.session.rename: "ctrl+banana" is not a key. Keys are written as ctrl+x, shift+alt+left or f2; letters are lower case.',
			'app.session.rename: "L" is not a key. Keys are written as ctrl+x, shift+alt+left or f2; letters are lower case.',
		]);
	});
});
