import { describe, expect, test } from "vitest";
import { PAGE_KINDS } from "../../../../src/app/core/features/features.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { openCommands } from "../../../../src/app/features/commands/commands-box.ts";
import { firstKeys, firstSigns } from "../../../../src/app/features/help/key-help.ts";
import { SIGNS } from "../../../../src/app/features/help/signs.ts";
import { MEMORY } from "../../../../src/app/features/memory/memory-state.ts";
import { PANES } from "../../../../src/app/world/keys/key.ts";
import { NEXT_STEPS } from "../../../../src/app/world/keys/undo-keys.ts";
import { boundHere } from "../../../../src/app/world/state/binding.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { applyChanges } from "../../../../src/changes/noted/marks.ts";
import type { HelpView } from "../../../../src/ui/view.ts";
import { startOf, stateAfter } from "../../../support/listed-state.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";

/** The state after keys, and texts (which begin with a quote), in a terminal of this size. */
function stateOf(columns: number, rows: number, ...input: readonly string[]): State {
	const event = { type: "rows", rows: [makeRow("a", { age: 1, name: "Alpha" })] } as const;
	const start = startOf({ columns, rows }, { cwd: "/home/me" });
	const listed = stateAfter(start, { type: "catalog", event }, LISTED);
	return typed(listed, ...input);
}

function typed(from: State, ...input: readonly string[]): State {
	return input.reduce((state, each) => {
		const text = each.startsWith('"') ? each.slice(1) : undefined;
		return update(state, text === undefined ? { type: "keys", keys: [each] } : { type: "text", text })[0];
	}, from);
}

function boxOf(state: State): HelpView {
	const { overlay } = selectScreen(state);
	return overlay?.kind === "help" ? overlay : expect.fail("no box is open");
}

const textOf = (state: State): string[] => boxOf(state).body.map((line) => line.map(({ text }) => text).join(""));
/** The row of the highlighted command. */
const chosen = (state: State): string =>
	boxOf(state)
		.body.filter((line) => line.some(({ ground }) => ground === "cursor"))
		.map((line) => line.map(({ text }) => text).join(""))
		.join(" ")
		.replaceAll(/\s+/g, " ")
		.trim();

describe("the box of commands", () => {
	test("begins with what is under the cursor", () => {
		const state = stateOf(80, 24, "ctrl+k");
		expect(
			textOf(state)
				.slice(0, 2)
				.map((line) => line.trim()),
		).toEqual(["❯ type a name", "this session: “Alpha”"]);
		expect(chosen(state)).toBe("› Resume enter");
		expect(selectScreen(state).cursor).toEqual({ x: 6, y: 2 });
	});

	test("a name of two halves is the half that it does now, and the second is found by both", () => {
		const listed = stateOf(80, 24);
		const id = [...listed.catalog.rows.values()][0]?.id ?? "";
		const pinned: State = { ...listed, marks: applyChanges([{ id, on: true }]) };
		expect(chosen(typed(listed, "ctrl+k", '"pin'))).toBe("› Pin “Alpha”");
		for (const text of ['"pin', '"unpin']) expect(chosen(typed(pinned, "ctrl+k", text))).toBe("› Unpin “Alpha”");
		expect(textOf(typed(listed, "ctrl+k", '"unpin'))[1]?.trim()).toBe("No command matches");
	});

	test.each([
		["sort", "› Sort: newest activity first"],
		["mo trash", "› Move “Alpha” to trash… ctrl+d"],
		["remove", "› Move “Alpha” to trash… ctrl+d"],
		["quit", "› Leave ctrl+q"],
		["turns", "› Sort: newest activity first"],
		["longest", "› Sort: newest activity first"],
		["sort:long", "› Sort: newest activity first"],
		["deleted", "› Trash"],
		["disk", "› Maintenance"],
		["old and large", "› Maintenance"],
		["month", "› Show…"],
		["date", "› Show…"],
		["theme", "› Colors…"],
		["settings", "› Colors…"],
	])("%s finds %s, by name or synonym", (text, found) => {
		expect(chosen(stateOf(120, 40, "ctrl+k", `"${text}`))).toContain(found);
	});

	test("the colors are chosen in a menu, and remembered", () => {
		const open = stateOf(80, 24, "ctrl+k", '"theme', "enter");
		const [light, effects] = update(typed(open, "down", "down"), { type: "keys", keys: ["enter"] });
		expect([MEMORY.of(light).colors, effects]).toEqual(["light", [{ type: "remember", noted: { colors: "light" } }]]);
		expect(typed(light, "ctrl+k", '"theme', "enter").overlays).toMatchObject([{ kind: "menu", index: 2 }]);
	});

	test("enter runs the highlighted command where the box was opened", () => {
		expect(stateOf(80, 24, "ctrl+k", '"sort', "enter").overlays).toMatchObject([
			{ kind: "menu", title: "Sort sessions" },
		]);
		const shown = stateOf(80, 24, "ctrl+k", '"show…', "enter");
		expect(shown.overlays).toMatchObject([{ kind: "menu", title: "Show" }]);
		expect(typed(shown, "down", "enter").list.scope).toBe("here");
	});

	test("what was run last comes first among what matches", () => {
		const show = (state: State): string => chosen(typed(state, "ctrl+k", '"sho'));
		const before = stateOf(120, 40);
		expect(show(before)).toBe("› Show…");
		const after = typed(before, "ctrl+k", '"show one', "enter", "escape");
		expect(show(after)).toContain("› Show one project…");
	});

	test("what cannot act now is no row; where nothing else matches, or its whole name is typed, it is said why", () => {
		const state = stateOf(120, 40, "ctrl+k", '"order of the branches');
		expect(chosen(state)).toBe("› Order of the branches: only in the branches");
		expect(textOf(stateOf(120, 40, "ctrl+k", '"order of the bran'))[1]).toBe(
			"  Order of the branches: only in the branches",
		);
		const after = typed(state, "enter");
		expect([after.overlays, after.message?.text]).toEqual([[], "Order of the branches: only in the branches"]);
		expect(textOf(stateOf(120, 40, "ctrl+k", '"copy the text')).join()).toContain("Copy the text: only in the tree");
		expect(stateOf(80, 24, "ctrl+k", '"problems', "enter").message?.text).toMatch(/There are no problems to show$/);
	});

	test("what is only there in pi is no command elsewhere", () => {
		const state = stateOf(120, 40, "ctrl+k", '"put a reference');
		expect(textOf(state).join(" ")).not.toContain("reference into pi");
	});

	test.each([
		[160, 45],
		[80, 24],
		[40, 10],
	])("keeps its size and place at %i×%i, with every command in reach and in sight", (columns, rows) => {
		const state = stateOf(columns, rows, "ctrl+k");
		const { x, y, width, height } = boxOf(state);
		const names = new Set<string>();
		const [, all = 0] = boxOf(state).position.split("/").map(Number);
		let now = state;
		for (let at = 0; at < all; at++) {
			expect(chosen(now)).not.toBe("");
			names.add(chosen(now));
			now = typed(now, "down");
			expect(boxOf(now)).toMatchObject({ x, y, width, height });
		}
		expect(names.size).toBe(all);
		expect(boxOf(typed(state, '"walrus'))).toMatchObject({ x, y, width, height });
	});

	test.each([...PANES, ...PAGE_KINDS])(
		"shows at most 35 commands in the %s unasked, whatever could act there",
		(place) => {
			const listed = stateOf(160, 45);
			const keymap = KEYMAP.map(({ needs: _, when: __, ...binding }) => binding);
			const pane = PANES.find((each) => each === place);
			const page = PAGE_KINDS.find((each) => each === place);
			const there = { ...listed, environment: { ...listed.environment, keymap }, focus: pane ?? listed.focus };
			const overlays = page === undefined ? [] : [{ kind: page, isPage: true } as const];
			const { position } = boxOf(openCommands({ ...there, overlays }));
			expect(Number(position.split("/")[1])).toBeLessThanOrEqual(35);
		},
	);

	test("on each page, each command has a name of its own of at most eight words", () => {
		for (const context of new Set(KEYMAP.flatMap(({ contexts }) => contexts))) {
			const commands = KEYMAP.filter(({ name, contexts }) => name !== undefined && contexts.includes(context));
			const names = new Set(commands.map(({ name = "" }) => name));
			const ids = new Set(commands.map(({ id }) => id));
			const pairs = new Set(commands.map(({ id, name }) => `${id} ${name}`));
			expect([names.size, ids.size], context).toEqual([pairs.size, pairs.size]);
			for (const name of names) expect(name.replaceAll(" {}", "").split(" ").length, name).toBeLessThanOrEqual(8);
		}
	});

	test("the highlight stays on its command when others appear above it, as redo does once the journal is read", () => {
		const step = { id: "1", what: "pin it", changes: [], dependents: [] };
		const state = typed(stateOf(160, 45, "ctrl+k"), "end");
		const read = update(NEXT_STEPS.set(state, { undo: step, redo: step }), { type: "tick", now: NOW })[0];
		expect(textOf(read).join()).toContain("Redo: pin it");
		expect(chosen(read)).toBe(chosen(state));
		expect(boxOf(read).position).not.toBe(boxOf(state).position);
		const redo = typed(stateOf(160, 45, "ctrl+k", '"redo'), "enter");
		expect(redo.message?.text).toBe("Redo: The journal of changes has not been read yet");
	});

	test("says last how many more are found by typing, and that is no command", () => {
		for (const [columns, rows] of [
			[160, 45],
			[80, 24],
		] as const) {
			const end = typed(stateOf(columns, rows, "ctrl+k"), "end");
			const row = textOf(end).findIndex((line) => /^ {2}and \d+ more: type to find them/.test(line));
			expect(row).toBeGreaterThan(0);
			const press = { kind: "press", x: boxOf(end).x + 10, y: boxOf(end).y + 1 + row } as const;
			expect(update(end, { type: "mouse", event: press })[0].overlays).toEqual(end.overlays);
			expect(textOf(typed(end, '"e')).join()).not.toContain("type to find");
		}
	});

	test("its own key closes it, whatever is typed", () => {
		expect(stateOf(80, 24, "ctrl+k", "ctrl+k").overlays).toEqual([]);
		expect(stateOf(80, 24, "ctrl+k", '"sort', "home", "ctrl+k").overlays).toEqual([]);
	});

	test("the key opens it in the middle of a text, too, and ctrl+d deletes the session there", () => {
		expect(stateOf(80, 24, '"alpha', "left", "ctrl+k").overlays).toMatchObject([{ kind: "palette" }]);
		expect(stateOf(80, 24, '"alpha', "left", "ctrl+d").list.query.text).toBe("alpha");
	});

	test("with nothing found Enter does nothing, and esc closes", () => {
		expect(textOf(stateOf(80, 24, "ctrl+k", '"walrus'))[1]?.trim()).toBe("No command matches");
		expect(stateOf(80, 24, "ctrl+k", '"walrus', "enter").overlays).toHaveLength(1);
		expect(stateOf(80, 24, "ctrl+k", '"x', "escape").overlays).toEqual([]);
	});

	test("a click runs a command, and the wheel moves", () => {
		const state = stateOf(160, 45, "ctrl+k", "pageDown");
		const row = textOf(state).findIndex((line) => line.includes("Sort: "));
		const cell = { x: boxOf(state).x + 10, y: boxOf(state).y + 1 + row };
		const press = (now: State): State => update(now, { type: "mouse", event: { kind: "press", ...cell } })[0];
		expect(press(state).overlays).toMatchObject([{ kind: "menu", title: "Sort sessions" }]);
		const top = stateOf(160, 45, "ctrl+k");
		expect(update(top, { type: "mouse", event: { kind: "wheel", rows: 3, ...cell } })[0].overlays).toMatchObject([
			{ index: 3 },
		]);
	});

	test("the right button opens it at the row under the pointer", () => {
		const state = stateOf(160, 45);
		const opened = update(state, { type: "mouse", event: { kind: "menu", x: 4, y: 3 } })[0];
		expect(opened.overlays).toMatchObject([{ kind: "palette" }]);
		expect(textOf(opened)[1]).toContain("Alpha");
	});
});

describe("the page of keys", () => {
	/** All of its text, page by page. */
	function pageText(state: State): string {
		const pages: string[] = [];
		for (let now = state; ; now = typed(now, "pageDown")) {
			pages.push(textOf(now).join("\n"));
			const [seen, all] = boxOf(now).position.split("/");
			if (seen === all) return pages.join("\n");
		}
	}

	test("? in the empty box of commands or an empty filter opens it, and esc leads back to the panes", () => {
		const state = stateOf(100, 30, "ctrl+k", "?");
		const panes = PANES.map((focus) => typed({ ...stateOf(100, 30), focus }, "?"));
		for (const now of [state, ...panes]) {
			expect(now.overlays).toMatchObject([{ kind: "help", page: "keys" }]);
			for (const key of ["escape", "?"]) expect(typed(now, key).overlays).toEqual([]);
			expect(typed(now, "/", "?").overlays).toMatchObject([{ query: { text: "?" } }]);
		}
		expect(stateOf(100, 30, "ctrl+k", '"a', "?").overlays).toMatchObject([{ kind: "palette", query: { text: "a?" } }]);
	});

	test.each([
		[160, 45],
		[40, 10],
	])("begins with the keys and signs of the pane, and has every key and every sign at %i×%i", (columns, rows) => {
		const state = stateOf(columns, rows, "ctrl+k", "?");
		const text = pageText(state).replaceAll(/\s+/g, "");
		for (const { help, keys } of boundHere(state.environment)) {
			if (keys.length > 0) expect(text).toContain(help.replaceAll(/\s+/g, "").slice(0, 12));
		}
		for (const { meaning } of SIGNS) expect(text).toContain(meaning.replaceAll(/\s+/g, "").slice(0, 12));
		const order = ["enterresumeinpi", "openthesession'st", "Signsofthelist", "pagedown(reader"].map((part) =>
			text.indexOf(part),
		);
		expect(order).toEqual(order.toSorted((x, y) => x - y));
		expect(order).not.toContain(-1);
	});

	test("shows eight keys and twelve signs on the first screen, in the list, the tree and the reader", () => {
		for (const from of ["list", "tree", "reader"] as const) {
			const state = { ...stateOf(80, 24), focus: from };
			expect([firstKeys(KEYMAP, from).length, firstSigns(from).length]).toEqual([8, 12]);
			const { body, title } = boxOf(typed(state, "ctrl+k", "?"));
			expect(title.map(({ text }) => text).join("")).toBe(`Keys and signs: ${from}`);
			const first = body.map((line) => line.map(({ text }) => text).join("")).join("\n");
			expect(first).toContain(firstSigns(from).at(-1)?.meaning);
		}
	});

	test("typing keeps the rows with all typed words, below their headings", () => {
		const filtered = textOf(stateOf(160, 45, "ctrl+k", "?", "/", '"order list')).map((row) => row.trimEnd());
		expect(filtered.slice(0, 3)).toEqual([
			"❯ order list",
			"List",
			expect.stringContaining("choose the order of the list"),
		]);
		expect(textOf(stateOf(160, 45, "ctrl+k", "?", "/", '"xyzzy'))[1]).toContain("Nothing here has these words");
		const unused = textOf(stateOf(160, 45, "ctrl+k", "?", "/", '"pick')).join("\n");
		expect(unused).not.toContain("choose the session");
	});
});

describe("the signs on the page of keys", () => {
	const queryOf = (state: State): string => state.list.query.text.trim();

	test("tab goes from one to the next, and enter lists the sessions with it", () => {
		const open = stateOf(160, 45, "?");
		const marked = (state: State): string => chosen(state).replace(/.* {2}/, "");
		expect([chosen(open), typed(open, "enter").overlays.length]).toEqual(["", 1]);
		const second = typed(open, "tab", "tab");
		expect(marked(second)).toContain("is:pinned");
		expect(marked(typed(second, "shift+tab"))).toContain("is:running");
		const listed = typed(second, "enter");
		expect([listed.overlays, listed.focus, queryOf(listed)]).toEqual([[], "list", "is:pinned"]);
	});

	test("while something is typed the first one is marked", () => {
		const state = typed(stateOf(80, 24, "?"), "/", '"pinned', "enter");
		expect(chosen(state)).toContain("is:pinned");
		expect(queryOf(typed(state, "enter"))).toBe("is:pinned");
	});

	test("a click on the query lists the sessions, too", () => {
		const state = stateOf(160, 45, "?");
		const y = textOf(state).findIndex((line) => line.includes("is:gone"));
		const x = (textOf(state)[y] ?? "").indexOf("is:gone");
		const cell = { x: boxOf(state).x + 2 + x, y: boxOf(state).y + 1 + y };
		const press = update(state, { type: "mouse", event: { kind: "press", ...cell } })[0];
		expect(queryOf(press)).toBe("is:gone");
	});
});

test("a command that is chosen before the session is read waits for it, and does not say that there is none", () => {
	const listed = stateOf(160, 45);
	const unread: State = { ...listed, focus: "tree", detail: { status: "none" } };
	const asked = typed(unread, "ctrl+k", '"label…', "enter");
	expect([asked.message, asked.waiting.map(({ type }) => type)]).toEqual([undefined, ["command"]]);
});
