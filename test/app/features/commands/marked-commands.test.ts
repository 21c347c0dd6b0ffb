import { describe, expect, test } from "vitest";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { update } from "../../../../src/app/core/update.ts";
import { type ShownCommand, shownCommands } from "../../../../src/app/features/commands/list-commands.ts";
import type { Effect } from "../../../../src/app/world/state/effect.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { applyChanges } from "../../../../src/changes/noted/marks.ts";
import { editedText } from "../../../../src/ui/field/edit.ts";
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

const namesIn = (state: State, heading: string) =>
	groupsOf(state)
		.get(heading)
		?.map(({ command }) => command.name);

describe("what a command acts on is what its heading says", () => {
	test("with marks, those that act on the marked sessions come first, the others under the session", () => {
		const state = stateWith(2);
		expect([...groupsOf(state).keys()].slice(0, 2)).toEqual(["2 marked sessions", "this session: “Number three”"]);
		expect(namesIn(state, "2 marked sessions")).toEqual(
			expect.arrayContaining(["Pin", "Tags…", "Archive", "Move to trash…", "Save or share…", "Copy the path"]),
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
