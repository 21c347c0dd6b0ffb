import { describe, expect, test } from "vitest";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { type ShownCommand, shownCommands } from "../../../../src/app/features/commands/list-commands.ts";
import type { Effect } from "../../../../src/app/world/state/effect.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { applyChanges } from "../../../../src/changes/noted/marks.ts";
import { editedText } from "../../../../src/ui/field/edit.ts";
import { lineText } from "../../../../src/ui/text/line.ts";
import { startOf, stateAfter } from "../../../support/listed-state.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";

const ROWS = ["one", "two", "three"].map((id, index) => makeRow(id, { age: index, name: `Number ${id}` }));
const [ONE, TWO, THREE] = ROWS;

/** A list of three sessions; the first `marked` are marked, and the cursor is on the third. */
function stateWith(marked: number): State {
	const start = startOf({ columns: 160, rows: 45 }, { cwd: "/home/me" });
	const event = { type: "rows", rows: ROWS } as const;
	const listed = stateAfter(start, { type: "catalog", event }, LISTED);
	const keys = [...Array.from({ length: marked }, () => " "), ...(marked === 0 ? ["down", "down"] : [])];
	return update(listed, { type: "keys", keys })[0];
}

/** The groups of the box of commands, with their headings. */
function groupsOf(state: State): ReadonlyMap<string, readonly ShownCommand[]> {
	const overlay = { kind: "palette", query: editedText(""), index: 0, top: 0 } as const;
	const open = { ...state, overlays: [overlay] };
	return Map.groupBy(shownCommands(open, overlay), ({ heading }) => heading);
}

function effectsOf(state: State, id: string): readonly Effect[] {
	const binding = KEYMAP.find((each) => each.id === id && each.contexts.includes("list")) ?? expect.fail(id);
	return binding.run(state)[1];
}

/** The rows of the box once something is typed. */
function rowsFor(state: State, text: string): readonly string[] {
	const open = update(update(state, { type: "keys", keys: ["ctrl+k"] })[0], { type: "text", text })[0];
	const { overlay } = selectScreen(open);
	const [, ...rows] = overlay?.body ?? [];
	return rows.map((row) => lineText(row).trim()).filter((row) => row !== "");
}

describe("without headings each row says what it acts on", () => {
	test("the marked sessions, or the one under the cursor", () => {
		expect(rowsFor(stateWith(2), "archive")[0]).toBe("› Archive 2 marked sessions");
		expect(rowsFor(stateWith(0), "archive")[0]).toBe("› Archive “Number three”");
		expect(rowsFor(stateWith(2), "rename")[0]).toMatch(/^› Rename “Number three”… +ctrl\+r$/);
		expect(rowsFor(stateWith(2), "delete")[0]).toMatch(/^› Move 2 marked sessions to trash… +ctrl\+d$/);
		expect(rowsFor(stateWith(0), "copy the path")[0]).toMatch(/^› Copy the path of “Number three” +ctrl\+x$/);
	});

	test("in the tree the entry, and still the session where they act on that", () => {
		const tree: State = { ...stateWith(2), focus: "tree" };
		expect(rowsFor(tree, "pin")[0]).toBe("› Pin “Number three”");
	});

	test("a title is cut before the rest of the name", () => {
		const rows = [makeRow("long", { name: "A title as long as sixty cells, which no row of a box can hold" })];
		const start = startOf({ columns: 40, rows: 20 }, { cwd: "/home/me" });
		const listed = stateAfter(start, { type: "catalog", event: { type: "rows", rows } }, LISTED);
		expect(rowsFor(listed, "delete")[0]).toMatch(/^› Move “A .*…” to trash… +ctrl\+d$/);
	});
});

const namesIn = (state: State, heading: string) =>
	groupsOf(state)
		.get(heading)
		?.map(({ command }) => command.name);

describe("what a command acts on is what its heading says", () => {
	test("with marks, those that act on the marked sessions come first, the others under the session", () => {
		const state = stateWith(2);
		expect([...groupsOf(state).keys()].slice(0, 2)).toEqual(["2 marked sessions", "this session: “Number three”"]);
		expect(namesIn(state, "2 marked sessions")).toEqual(
			expect.arrayContaining(["Pin", "Tag…", "Archive", "Move to trash…", "Save or share…", "Copy the path"]),
		);
		expect(namesIn(state, "this session: “Number three”")).toEqual(
			expect.arrayContaining(["Resume", "Branch…", "Rename…"]),
		);
		expect([...groupsOf(stateWith(1)).keys()][0]).toBe("1 marked session");
	});

	test("without marks all of them are under the session", () => {
		const [first] = groupsOf(stateWith(0)).keys();
		expect(first).toBe("this session: “Number three”");
		expect(namesIn(stateWith(0), "this session: “Number three”")).toEqual(
			expect.arrayContaining(["Resume", "Pin", "Copy the path"]),
		);
	});

	test("undoing acts on no session, and stands under none", () => {
		expect(namesIn(stateWith(0), "this session: “Number three”")).not.toContain("Undo");
	});

	test("the paths of all marked sessions are copied, one a line", () => {
		expect(effectsOf(stateWith(2), "copy-path")).toEqual([
			{ type: "copy", text: `${ONE?.path}\n${TWO?.path}`, what: "2 paths" },
		]);
		expect(effectsOf(stateWith(0), "copy-path")).toEqual([{ type: "copy", text: THREE?.path, what: "the path" }]);
		expect(effectsOf(stateWith(2), "copy-id")).toEqual([
			{ type: "copy", text: `${ONE?.id}\n${TWO?.id}`, what: "2 ids" },
		]);
	});

	test("being done with several takes none of them back, unless all are done", () => {
		const state = stateWith(2);
		const doneAt = (ids: readonly string[]): State => ({
			...state,
			marks: applyChanges(ids.map((id) => ({ id, done: NOW, on: true }))),
		});
		expect(effectsOf(doneAt([ONE?.id ?? ""]), "done-with")).toEqual([]);
		expect(effectsOf(doneAt([ONE?.id ?? "", TWO?.id ?? ""]), "done-with")).toMatchObject([
			{ type: "mark", changes: [{ on: false }, { on: false }] },
		]);
	});
});
