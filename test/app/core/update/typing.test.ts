import { describe, expect, test } from "vitest";
import { applyKeybindings } from "../../../../src/app/core/keys/keybindings.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { candidatesFor } from "../../../../src/app/features/list/candidates.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import { bindingFor } from "../../../../src/app/world/state/binding.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { lineWidth } from "../../../../src/ui/text/width.ts";
import { leastCpuMs } from "../../../support/cpu-ms.ts";
import { keys, startOf } from "../../../support/listed-state.ts";
import { searchEvent } from "../../../support/queries.ts";
import { LISTED, listedRows, makeRow, NOW } from "../../../support/rows.ts";
import { rulesOf } from "../../../support/screen-text.ts";

const start = startOf({ columns: 80, rows: 24 });

/** A list of `count` sessions, of which every tenth has "tenth" in its title. */
function listed(count = 100, size = start.size): State {
	const rows = Array.from({ length: count }, (_, index) =>
		makeRow(`s${index}`, { age: index, firstMessage: index % 10 === 0 ? `the tenth ${index}` : `another ${index}` }),
	);
	return act({ ...start, size }, { type: "catalog", event: { type: "rows", rows } }, LISTED);
}

function act(state: State, ...actions: Action[]): State {
	return actions.reduce((now, action) => answered(update(now, action, NOW)[0]), state);
}

/** The search in the files has found nothing more than the rows show. */
function answered(state: State): State {
	const total = state.catalog.rows.size;
	const events = [
		{ type: "progress", searched: total, total },
		{ type: "settled", watched: state.watched, inForms: false },
	] as const;
	return events.reduce((now, event) => update(now, searchEvent(now, event), NOW)[0], state);
}

const text = (typed: string): Action => ({ type: "text", text: typed });

/** The query with its cursor. */
function query({ list }: State): string {
	return `${list.query.text.slice(0, list.query.cursor)}|${list.query.text.slice(list.query.cursor)}`;
}

/** The text left of the terminal's cursor, in its row. */
function beforeCursor(state: State): string {
	const { cursor } = selectScreen(state);
	const lines = [{ x: 0, y: 0, line: selectScreen(state).header }, ...rulesOf(state)];
	const row = lines.find(({ x, y, line }) => y === cursor?.y && x + lineWidth(line) > cursor.x);
	const line = row?.line.map((span) => span.text).join("") ?? "";
	return line.slice(0, (cursor?.x ?? 0) - (row?.x ?? 0));
}

describe("the query", () => {
	test("a slash before anything is typed is no text, as in less and vim; a later or a pasted one is", () => {
		expect(query(act(listed(), keys("/", "t", "/")))).toBe("t/|");
		expect(query(act(listed(), text("/etc")))).toBe("/etc|");
	});

	test("while typing, arrows, home and end move within it; after any other key they move among rows and panes again", () => {
		const typed = act(listed(), text("he tenth"), keys("left", "left", "home", "t"));
		expect(query(typed)).toBe("t|he tenth");
		expect(beforeCursor(typed)).toMatch(/❯ t$/);
		const atEnd = act(typed, keys("end"));
		expect(query(atEnd)).toBe("the tenth|");
		expect(bindingFor(atEnd, "right")?.id).toBe("next-pane");
		expect(bindingFor(atEnd, "end")?.id).toBe("last");
		const moved = act(typed, keys("down"));
		expect(bindingFor(moved, "right")?.id).toBe("next-pane");
		expect(bindingFor(moved, "home")?.id).toBe("first");
		expect(bindingFor(act(moved, keys("backspace")), "right")?.id).toBe("cursor-forward");
		expect(bindingFor(act(listed(), text("x"), keys("left")), "left")).toBeUndefined();
	});

	test("keys without another meaning move within it whenever there is text", () => {
		const typed = act(listed(), text("one two"), keys("down", "alt+left", "ctrl+b", "ctrl+w"));
		expect(query(typed)).toBe("| two");
		expect(query(act(typed, keys("down", "ctrl+e")))).toBe(" two|");
		expect(query(act(typed, keys("down", "ctrl+f", "alt+d", "ctrl+y", "ctrl+y")))).toBe(" twotwo|");
		expect(query(act(typed, keys("delete")))).toBe("|two");
		expect(act(typed, keys("ctrl+k")).overlays).toHaveLength(1);
	});

	test("text killed in one field can be yanked in another", () => {
		const asked = act(listed(), text("parser"), keys("ctrl+u", "ctrl+r", "ctrl+y"));
		const [prompt] = asked.overlays;
		expect(prompt?.kind === "prompt" && prompt.value.text).toBe("parser");
	});

	test.each([40, 80])("a long one shows the part with the cursor, in %i columns", (columns) => {
		const typed = act(listed(5, { columns, rows: 24 }), text(`first ${"x".repeat(300)} last`));
		expect(beforeCursor(typed)).toMatch(/last$/);
		expect(beforeCursor(act(typed, keys("home")))).toMatch(/❯ $/);
		const back = act(typed, keys("ctrl+a", "alt+right", "ctrl+right", "alt+left"));
		expect(query(back).indexOf("|")).toBe(6);
		expect(beforeCursor(back)).toMatch(/first $/);
		expect(lineWidth(selectScreen(back).header)).toBeLessThanOrEqual(columns);
	});

	test("clearing it keeps the session under the cursor selected, in its screen row", () => {
		const found = act(listed(), text("the tenth"), keys("down", "down", "down", "down", "down"));
		const rowOf = (state: State): number | undefined => {
			const pane = selectScreen(state).panes.find(({ id }) => id === "list");
			return pane?.rows.findIndex(({ selected }) => selected);
		};
		const cleared = act(found, keys("escape"));
		expect(cleared.list.selected).toBe(found.list.selected);
		expect(rowOf(cleared)).toBe(rowOf(found));
		const erased = act(found, keys("ctrl+u"));
		expect(erased.list.selected).toBe(found.list.selected);
		expect(rowOf(erased)).toBe(rowOf(found));
	});
});

describe("tab", () => {
	test("completes fields and values while they are typed, and changes the scope otherwise", () => {
		const typed = act(listed(), text("is:nam"), keys("tab"));
		expect(query(typed)).toBe("is:named |");
		// There was only one candidate, so nothing is left to be cancelled.
		expect(query(act(typed, keys("escape")))).toBe("|");
		expect(
			selectScreen(typed)
				.footer.map((span) => span.text)
				.join(""),
		).toContain("esc clear");
		expect(query(act(listed(), text("since:month"), keys("tab", "tab")))).toBe("since:this-month|");
		expect(query(act(listed(), text("project:p"), keys("tab")))).toBe("project:project |");
		expect(bindingFor(act(listed(), text("proj")), "tab")?.id).toBe("scope");
		expect(bindingFor(act(listed(), text("parser")), "tab")?.id).toBe("scope");
		expect(bindingFor(listed(), "tab")?.id).toBe("scope");
		expect(bindingFor(act(listed(), text("anot"), keys("down")), "tab")?.id).toBe("scope");
	});

	test("cycles through candidates, shown in the bottom row; enter accepts one without opening anything, escape undoes it", () => {
		const typed = act(listed(), text("is:"), keys("tab"));
		const bottom = (state: State): string =>
			selectScreen(state)
				.message?.map((line) => line.map((span) => span.text).join(""))
				.join("\n") ?? "";
		expect(query(typed)).toBe("is:|");
		expect(bottom(typed)).toMatch(/^ waiting {2}asks .*esc cancel $/);
		const second = act(typed, keys("tab", "tab"));
		expect(query(second)).toBe("is:asks|");
		expect(query(act(second, keys("shift+tab")))).toBe("is:waiting|");
		const [taken, effects] = update(second, keys("enter"), NOW);
		expect(query(taken)).toBe("is:asks |");
		expect(effects.filter(({ type }) => type === "resume" || type === "leave")).toEqual([]);
		expect(bottom(taken)).toBe("");
		expect(query(act(second, keys("escape")))).toBe("is:|");
		expect(bottom(act(second, keys("x")))).not.toContain("esc cancel");
		expect(query(act(second, keys("x")))).toBe("is:asksx|");
		expect(bottom(act(second, keys("down")))).toBe("");
	});

	test("is answered at once among 10,000 sessions of as many projects", () => {
		const rows = Array.from({ length: 10_000 }, (_, index) =>
			makeRow(`s${index}`, { age: index, cwd: `/work/project-${index}` }),
		);
		const many = act(start, { type: "catalog", event: { type: "rows", rows } }, LISTED, text("project:project-9"));
		// Different rows each time, so that nothing is cached.
		const states = Array.from({ length: 5 }, () => ({
			...many,
			catalog: { ...many.catalog, ...listedRows(...many.catalog.rows.values()) },
		}));
		const complete = () => candidatesFor(states.pop() ?? many);
		expect(complete().length).toBeGreaterThan(10);
		expect(leastCpuMs(complete, states.length)).toBeLessThan(60);
	});
});

describe("pi's editor bindings", () => {
	test("apply in the filters, without replacing keys that pi's list handles first", () => {
		const { keymap, problems } = applyKeybindings({
			"tui.editor.cursorLeft": ["ctrl+j", "left"],
			"tui.editor.deleteCharForward": ["delete", "ctrl+d"],
			"tui.editor.undo": ["ctrl+_"],
			"tui.editor.yank": ["alt+v"],
			"app.tree.foldOrUp": ["left"],
		});
		const state = act({ ...listed(), environment: { ...start.environment, keymap } }, text("a b"), keys("ctrl+w"));
		expect(problems).toEqual([]);
		expect(bindingFor(state, "ctrl+j")?.id).toBe("cursor-back");
		expect(bindingFor(state, "ctrl+d")?.id).toBe("delete");
		expect(bindingFor(state, "ctrl+_")?.id).toBe("undo");
		expect(query(act(state, keys("alt+v")))).toBe("a b|");
		expect(bindingFor({ ...state, focus: "tree" }, "left")?.id).toBe("fold");
	});
});
