import { beforeEach, describe, expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { openPage } from "../../../../src/app/world/keys/key.ts";
import { selectedEntry } from "../../../../src/app/world/opened/select-tree.ts";
import { layoutFor } from "../../../../src/app/world/screen/layout.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { Session } from "../../../../src/store/read/read-session.ts";
import { editedText } from "../../../../src/ui/field/edit.ts";
import type { MouseEvent } from "../../../../src/ui/keys/decode-input.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { keys, startOf } from "../../../support/listed-state.ts";
import { makeRow } from "../../../support/rows.ts";
import { rulesOf } from "../../../support/screen-text.ts";
import { assistant, sessionOf, user } from "../../../support/session-builder.ts";

const rows = Array.from({ length: 30 }, (_, index) => makeRow(`s${index}`, { age: index }));
let session: Session;
beforeEach(async () => {
	const turns = Array.from({ length: 20 }, (_, index) => {
		const before = index === 0 ? null : `a${index - 1}`;
		return [
			user(`u${index}`, before, 2 * index, `question ${index}`),
			assistant(`a${index}`, `u${index}`, 2 * index + 1, "answer\n\n".repeat(9)),
		];
	});
	session = await sessionOf(...turns.flat());
});

const run = (state: State, ...actions: readonly Action[]): State =>
	actions.reduce((before, action) => {
		const [next] = update(before, action);
		return update(next, { type: "session-read", request: next.request, session })[0];
	}, state);
const mouse = (event: MouseEvent): Action => ({ type: "mouse", event });
const press = (x: number, y: number): Action => mouse({ kind: "press", x, y });
const release = (x: number, y: number): Action => mouse({ kind: "release", x, y });
const drag = (x: number, y: number): Action => mouse({ kind: "drag", x, y });
const wheel = (x: number, y: number, by: number): Action => mouse({ kind: "wheel", rows: by, x, y });

/** Thirty sessions in a terminal of this size, the first one read, after keys. */
function opened(columns: number, lines: number, ...pressed: string[]): State {
	const start = startOf({ columns, rows: lines }, { cwd: "/home/me" });
	const all: Action[] = [
		{ type: "catalog", event: { type: "rows", rows } },
		{ type: "catalog", event: { type: "progress", read: 30, total: 30 } },
	];
	return run(start, ...all, ...pressed.map((key) => keys(key)));
}

/** The cell at which a text is on the screen's rules, header or footer. */
function find(state: State, text: string): [x: number, y: number] {
	const { header, footer, rows: lines } = selectScreen(state);
	for (const { x, y, line } of [
		{ x: 0, y: 0, line: header },
		...rulesOf(state),
		{ x: 0, y: lines - 1, line: footer },
	]) {
		const at = line
			.map((span) => span.text)
			.join("")
			.indexOf(text);
		if (at !== -1) return [x + at, y];
	}
	throw new Error(`there is no ${text}`);
}

describe("a click", () => {
	test("on a session moves the cursor there, and a second one opens its tree", () => {
		const state = run(opened(80, 24), press(10, 7), release(10, 7));
		expect([state.list.selected, state.focus]).toEqual([rows[4]?.path, "list"]);
		expect(run(state, press(10, 7)).focus).toBe("tree");
		expect(run(state, press(10, 8)).focus).toBe("list");
	});

	test("on an entry moves the cursor and the focus there, and a second one opens the reader", () => {
		const state = opened(160, 45, "right", "home", "down");
		const row = layoutFor(state).tree?.y ?? 0;
		const clicked = run(state, press(10, row + 4));
		expect(selectedEntry(clicked)?.id).toBe(selectedEntry(run(state, keys("down"), keys("down"), keys("down")))?.id);
		expect(run(clicked, press(10, row + 4)).focus).toBe("reader");
		const inReader = run(state, press(120, 20), release(120, 20));
		expect([inReader.focus, selectedEntry(inReader)?.id]).toEqual(["reader", selectedEntry(state)?.id]);
		expect(run(inReader, press(120, 20)).zoom).toBe(true);
	});

	test("twice on a folded branch opens it, and twice more folds it", async () => {
		session = await sessionOf(
			user("one", null, 1, "question"),
			user("left", "one", 2, "tried first"),
			assistant("end", "left", 3, "no"),
			user("two", "one", 4, "tried then"),
		);
		const state = opened(160, 45, "right");
		const tree = (now: State) => selectScreen(now).panes.find(({ id }) => id === "tree");
		const texts = (now: State) => tree(now)?.rows.map(({ line }) => textOfRow(line)) ?? [];
		const row = texts(state).findIndex((text) => text.includes("⊞"));
		const twice = [press(20, row + 2), release(20, row + 2), press(20, row + 2), release(20, row + 2)];
		const open = run(state, ...twice);
		expect([texts(state).length, texts(open).length, open.focus]).toEqual([4, 5, "tree"]);
		expect(texts(run(open, ...twice))).toEqual(texts(run(state, keys("up"))));
	});

	test("below the last row, or on nothing, only moves the focus", () => {
		const state = opened(160, 48, "right", "home", "down");
		const few = run(state, press(10, 45));
		expect([few.focus, selectedEntry(few)?.id]).toEqual(["tree", selectedEntry(state)?.id]);
		expect(run(state, press(100, 0))).toMatchObject({ focus: "tree", overlays: [] });
	});

	test("on the name of the program goes to the list, from any pane or page", () => {
		const panes = [["right"], ["right", "right", "right"], ["right", "tab"]].map((some) => opened(80, 24, ...some));
		for (const state of [...panes, openPage(opened(80, 24, "right"), "statistics", "history")]) {
			expect(state.focus).not.toBe("list");
			expect(run(state, press(3, 0))).toMatchObject({ focus: "list", zoom: false, overlays: [], waysBack: [] });
		}
	});

	test("on what the header counts leads there", () => {
		const marked = opened(160, 45, " ", " ");
		expect(run(marked, press(...find(marked, "marked"))).list.stage?.paths.size).toBe(2);
		const all = opened(160, 45);
		expect(run(all, press(...find(all, "30 sessions"))).overlays).toMatchObject([{ kind: "statistics" }]);
	});

	test("on a setting in a title, or on a key in the footer, runs that command", () => {
		const state = opened(160, 45);
		expect(run(state, press(...find(state, "all ▾"))).overlays).toMatchObject([{ kind: "menu" }]);
		expect(run(state, press(...find(state, "newest ▾"))).overlays).toMatchObject([{ kind: "menu" }]);
		const here = run(state, keys("tab"));
		expect(run(here, press(...find(here, "[here"))).list.scope).toBe("all");
		expect(run(state, press(...find(state, "commands"))).overlays).toMatchObject([{ kind: "palette" }]);
	});

	test("on a message only removes that; keys of the footer stay beside it, the way out too, or all of them below it", () => {
		const state = opened(80, 24);
		const footer = selectScreen(state)
			.footer.map(({ text }) => text)
			.join("");
		for (const [text, keysLeft] of [
			["Copied", " enter resume  → open  space mark  ctrl+c leave  ctrl+k commands "],
			["word ".repeat(8).trim(), "ctrl+c leave  ctrl+k commands "],
			["word ".repeat(10), footer],
			["word ".repeat(100), footer],
		] as const) {
			const told = { ...state, message: { text, tone: "text" } as const };
			const drawn = selectScreen(told).message ?? [];
			const last =
				drawn
					.at(-1)
					?.map((part) => part.text)
					.join("") ?? "";
			expect(last.endsWith(keysLeft), last).toBe(true);
			const clicked = run(told, press(1, 24 - drawn.length));
			expect([clicked.message, clicked.overlays, clicked.list.selected]).toEqual([undefined, [], state.list.selected]);
			const commands = run(told, press(last.indexOf("commands"), 23));
			expect(commands).toMatchObject({ message: undefined, overlays: [{ kind: "palette" }] });
		}
	});

	test("on a key in the last row of any box is that key; its answer stays when the button is released", () => {
		for (const pressed of [["ctrl+k"], ["ctrl+s"], ["ctrl+r"]]) {
			const open = opened(80, 24, ...pressed);
			const box = selectScreen(open).overlay;
			const hint = (box?.hint ?? []).map(({ text }) => text).join("");
			const at = hint.indexOf("esc");
			expect(at, hint).toBeGreaterThan(-1);
			const cell = [(box?.x ?? 0) + 2 + at, (box?.y ?? 0) + (box?.height ?? 0) - 2] as const;
			expect(run(open, press(...cell)).overlays, hint).toEqual([]);
		}
		const told = { ...opened(80, 24), message: { text: "Undone", tone: "text" } as const };
		expect(run(told, release(10, 10)).message).toEqual(told.message);
	});
	test("on the key of undo in a message, or on what it does, undoes", () => {
		const text = "Moved 1 session to the trash · ctrl+_ brings it back";
		const told = { ...opened(80, 24), message: { text, tone: "text" } as const };
		const effectsAt = (column: number, row = 22, state: State = told) =>
			update(state, press(column, row))[1].map(({ type }) => type);
		expect(effectsAt(text.indexOf("ctrl+_") + 1)).toContain("undo");
		expect(effectsAt(text.indexOf("brings") + 1)).toContain("undo");
		expect(effectsAt(text.indexOf("Moved") + 1)).toEqual([]);
		// Also where it begins in the next row.
		const wrapped = {
			...told,
			message: { text: `${"word ".repeat(15)}· ctrl+_ brings it back`, tone: "text" } as const,
		};
		expect(effectsAt(10, 23, wrapped)).toContain("undo");
	});

	test("does nothing if the terminal is too small for the screen", () => {
		const small = run(opened(80, 24, "right"), { type: "resize", columns: 39, rows: 30 });
		const cells = Array.from({ length: 39 * 30 }, (_, cell) => press(cell % 39, Math.floor(cell / 39)));
		for (const cell of cells) {
			const { focus, overlays, mouse: pointer } = run(small, cell);
			expect([focus, overlays, pointer.dragged]).toEqual(["tree", [], undefined]);
		}
	});

	test("in a menu chooses an item; beside it, it closes the menu", () => {
		const state = opened(80, 24, "ctrl+s");
		const menu = selectScreen(state).overlay;
		if (menu?.kind !== "menu") throw new Error("no menu is open");
		const [x, y] = [menu.x + 4, menu.y + 1 + menu.body.length];
		const clicked = run(state, press(x, y + 2));
		expect(clicked.overlays).toEqual([]);
		expect(clicked.list.settings.order).toEqual(run(state, keys("down", "down", "enter")).list.settings.order);
		expect(run(state, press(0, 5)).overlays).toEqual([]);
		expect(run(state, press(x, menu.y)).overlays).toEqual(state.overlays);
	});

	test("on the text of a prompt selects it, to be replaced; a second one does not", () => {
		const state = opened(80, 24, "ctrl+r");
		const cell = selectScreen(state).overlay?.cursor ?? { x: 0, y: 0 };
		const click = press(cell.x, cell.y);
		const typed = (now: State) => run(now, { type: "text", text: "New" }).overlays.at(-1);
		expect(typed(run(state, click))).toMatchObject({ kind: "prompt", value: { text: "New" } });
		expect(typed(run(state, click, release(0, 0), press(cell.x + 1, cell.y)))).toEqual(typed(state));
	});

	test("answers no menu that has just appeared, and its second press nothing below one", () => {
		const state = opened(80, 24);
		const note = {
			title: "Delete?",
			body: ["Once."],
			choices: [{ label: "Delete" }, { label: "Cancel" }],
			danger: true,
		};
		const asked = run(state, { type: "ask", question: note });
		const menu = selectScreen(asked).overlay;
		if (menu?.kind !== "menu") throw new Error("no menu is open");
		const on = press(menu.x + 4, menu.y + 1 + menu.body.length);
		expect(run(asked, on).overlays).toEqual(asked.overlays);
		const seen = { ...asked, now: asked.now + 1000 };
		const answered = run(seen, on);
		expect(answered.overlays).toEqual([]);
		const again = run(answered, on);
		expect([again.list.selected, again.focus]).toEqual([answered.list.selected, answered.focus]);
	});

	test("with the right button chooses nothing in a menu, above a page either", () => {
		const state = run(opened(80, 24), {
			type: "ask",
			question: { title: "Now?", body: [], choices: [{ label: "Yes" }], danger: false },
		});
		const menu = selectScreen(state).overlay;
		if (menu?.kind !== "menu") throw new Error("no menu is open");
		const seen = {
			...state,
			now: state.now + 1000,
			overlays: [{ kind: "history", isPage: true } as const, ...state.overlays],
		};
		const event = { kind: "menu", x: menu.x + 4, y: menu.y + 1 + menu.body.length } as const;
		expect(run(seen, mouse(event)).overlays).toEqual(seen.overlays);
	});

	test("up on the first item of a menu leads to the last, and down from there to the first", () => {
		const state = opened(80, 24, "ctrl+s");
		const last = run(state, keys("home", "up"));
		expect(last.overlays).toEqual(run(state, keys("end")).overlays);
		expect(run(last, keys("down")).overlays).toEqual(run(state, keys("home")).overlays);
	});

	test("does nothing while typed keys wait for an answer", () => {
		const state = run(opened(80, 24), { type: "text", text: "x" }, keys("enter"));
		expect(state.waiting).toHaveLength(1);
		expect(run(state, press(10, 6)).list.selected).toBe(state.list.selected);
	});
});

describe("the wheel", () => {
	test("moves in the pane under the pointer, which need not have the focus", () => {
		const inList = opened(160, 45);
		const [x, y] = [inList.size.columns - 9, 9];
		expect(selectedEntry(run(inList, wheel(x, y, -3)))?.id).not.toBe(selectedEntry(inList)?.id);
		expect(run(inList, wheel(9, 9, 3)).list.index).toBe(inList.list.index + 3);
		const state = opened(200, 60, "right", "home");
		const { tree, reader } = layoutFor(state);
		const over = (box: typeof tree): [number, number] => [(box?.x ?? 0) + 3, (box?.y ?? 0) + 3];
		const turned = run(state, wheel(...over(tree), 3));
		expect(selectedEntry(turned)?.id).toBe(selectedEntry(run(state, keys("down"), keys("down"), keys("down")))?.id);
		const read = run(state, wheel(...over(reader), 3));
		const text = (now: State) =>
			JSON.stringify(
				selectScreen(now)
					.panes.at(-1)
					?.rows.map(({ line }) => line),
			);
		expect(text(read)).not.toBe(text(state));
		expect([read.focus, turned.focus, selectedEntry(read)?.id]).toEqual(["tree", "tree", selectedEntry(state)?.id]);
		expect(run(state, wheel(10, 0, 3))).toEqual(state);
	});

	test("scrolls overlays", () => {
		const help = opened(80, 24, "ctrl+k");
		expect(run(help, wheel(40, 10, 3)).overlays).toMatchObject([{ index: 3 }]);
		const menu = opened(80, 24, "ctrl+s");
		expect(run(menu, wheel(40, 10, 6)).overlays).toMatchObject([{ index: 1 }]);
	});
});

describe("a drag over a text", () => {
	const copied = (state: State, x: number, y: number): string[] =>
		update(state, release(x, y))[1].flatMap((effect) => (effect.type === "copy" ? effect.text : []));

	test("selects it, and its release copies it without the breaks of its rows and its gutter", async () => {
		const said = "The stream ends within a line whenever a chunk does. ".repeat(8).trim();
		session = await sessionOf(
			user("u", null, 1, "why?"),
			assistant("a", "u", 2, `${said}\n\n1. ${said}\n2. short\n\n\`\`\`\n${"code ".repeat(40).trim()}\n  end\n\`\`\``),
		);
		for (const [columns, lines] of [
			[160, 45],
			[120, 45],
			[100, 60],
		] as const) {
			const state = opened(columns, lines, "right", "home");
			const { x = 0, y = 0, width = 0, height = 0 } = layoutFor(state).reader ?? {};
			const dragged = run(state, press(x, y), drag(x + width - 1, y + height - 1));
			const [text = ""] = copied(dragged, x, y);
			expect(text.trimEnd().split("\n")).toEqual([
				"why?",
				"",
				said,
				"",
				`1. ${said}`,
				"2. short",
				"",
				"```",
				"code ".repeat(40).trim(),
				"  end",
				"```",
			]);
			// Backwards it is the same.
			expect(copied(run(state, press(x + width - 1, y + height - 1), drag(x, y)), x, y)).toEqual([text]);
		}
	});

	test("shows it until the next key, within the pane in which it began, and gives that no focus", () => {
		const state = opened(160, 45, "right", "home");
		const { x = 0, y = 0, width = 0 } = layoutFor(state).reader ?? {};
		const inverse = (now: State): string[] =>
			selectScreen(now).panes.flatMap((pane) =>
				pane.rows.flatMap(({ line }) => line.filter((part) => part.inverse === true).map(({ text }) => text)),
			);
		const dragged = run(state, press(x + 3, y), drag(x + 6, y));
		expect([inverse(dragged), dragged.focus]).toEqual([["ques"], "tree"]);
		expect(inverse(run(dragged, drag(0, y)))).toEqual(["q"]);
		expect(inverse(run(dragged, drag(x + width + 9, 0)))).toEqual(["question 0"]);
		const released = run(dragged, release(x + 6, y));
		expect([inverse(released), released.focus]).toEqual([["ques"], "tree"]);
		expect(inverse(run(released, keys("down")))).toEqual([]);
		expect(inverse(run(released, press(10, 10)))).toEqual([]);
	});

	test("also in the tree and on a page, and without a move it is a click", () => {
		const state = opened(160, 45, "right", "home");
		const { y = 0 } = layoutFor(state).tree ?? {};
		const [text = ""] = copied(run(state, press(0, y + 1), drag(12, y + 2)), 12, y + 2);
		expect(text).toMatch(/^question 0.*\nanswer ans$/);
		const history = openPage(state, "statistics", "history");
		expect(run(history, press(4, 3), drag(9, 3)).mouse.selection).toBeDefined();
		const { x: left = 0, y: top = 0 } = layoutFor(state).reader ?? {};
		const clicked = run(state, press(left + 3, top), release(left + 3, top));
		expect([clicked.focus, clicked.mouse.selection]).toEqual(["reader", undefined]);
	});
});

describe("a divider", () => {
	test("between columns follows the pointer, and its title row is not clicked", () => {
		const state = opened(160, 45, "right");
		const x = layoutFor(state).tree?.width ?? 0;
		const dragged = run(state, press(x, 20), drag(x - 5, 21), drag(x + 20, 3));
		expect(layoutFor(dragged).tree?.width).toBe(x + 20);
		const released = run(dragged, release(x + 20, 3), drag(50, 3));
		expect([layoutFor(released).tree?.width, released.focus]).toEqual([x + 20, "tree"]);
		expect(layoutFor(run(state, drag(30, 3))).tree?.width).toBe(x);
	});

	test("between rows too; pressed and released, its title gives its pane the focus", () => {
		const state = opened(80, 24, "right");
		const y = (layoutFor(state).reader?.y ?? 0) - 1;
		const dragged = run(state, press(70, y), drag(70, y - 3), release(70, y - 3));
		expect([layoutFor(dragged).reader?.y, dragged.focus]).toEqual([y - 2, "tree"]);
		expect(run(state, press(70, y), release(70, y)).focus).toBe("reader");
	});
});

test("a press on what a prompt offers is enter on it, and inserts what more can follow", () => {
	const start = opened(100, 30);
	const submitted: string[] = [];
	const offering = (...texts: string[]): State => ({
		...start,
		overlays: [
			{
				kind: "prompt",
				title: "Where to",
				body: [],
				value: editedText("~/w"),
				submit: (state, text) => {
					submitted.push(text);
					return [state, []];
				},
				completion: {
					candidates: () => texts.map((text) => ({ text, start: 0, end: 3, meaning: "", isWhole: false })),
					wordsOf: ({ text }) => text,
					nothing: "",
				},
			},
		],
	});
	const clicked = (state: State, text: string): State => {
		const { overlay } = selectScreen(state);
		const row = overlay?.body.findIndex((line) => textOfRow(line).includes(text)) ?? -1;
		const x = (overlay?.x ?? 0) + 2 + textOfRow(overlay?.body[row] ?? []).indexOf(text);
		return run(state, press(x, (overlay?.y ?? 0) + 1 + row));
	};
	expect(clicked(offering("~/web", "~/work"), "~/work").overlays).toEqual([]);
	expect(submitted).toEqual(["~/work"]);
	const inserted = clicked(offering("~/web/", "~/work/"), "~/work/").overlays.at(-1);
	expect(inserted?.kind === "prompt" && inserted.value.text).toBe("~/work/");
	expect(submitted).toEqual(["~/work"]);
});
