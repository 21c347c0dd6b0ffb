import fc from "fast-check";
import { expect, test } from "vitest";
import { dependedOn, dependentsOf } from "../../../src/changes/engine/depends.ts";
import type { Change } from "../../../src/changes/kinds/change.ts";
import type { Undo } from "../../../src/changes/kinds/kinds.ts";

const UNDOS: readonly Undo[] = [
	{ type: "rename", path: "/a", name: "", set: "x" },
	{ type: "label", path: "/a", entryId: "1", label: "" },
	{ type: "label", path: "/a", entryId: "2", label: "" },
	{ type: "leaf", path: "/a", leafId: null, size: 1 },
	{ type: "created", path: "/a", size: 1 },
	{ type: "restore", receipt: { path: "/a", size: 1 } },
	{ type: "rename", path: "/b", name: "", set: "x" },
	{ type: "moved", path: "/a", to: "/b" },
];

function change(id: string, undo: Undo, fate: Change["fate"] = "made"): Change {
	return {
		...{ id, undo, fate, at: "", what: id, run: undefined, group: undefined, of: undefined, plan: undefined },
		isMine: true,
		undoneAt: undefined,
		receipt: undefined,
	};
}

const idsOf = (changes: readonly Change[]) => changes.map(({ id }) => id);

test("a change depends on an earlier one of the same name, label or place, and on what was done to the whole file", () => {
	const [rename, label, other, leaf, created, deleted, elsewhere, moved] = UNDOS.map((undo, index) =>
		change(`${index}`, undo),
	) as [Change, Change, Change, Change, Change, Change, Change, Change];
	const later = { ...rename, id: "later" };
	const on = (first: Change, ...more: Change[]) => idsOf(dependentsOf([first], [...more, first]));
	expect(on(rename, later)).toEqual(["later"]);
	expect(on(label, other)).toEqual([]);
	expect(on(leaf, later)).toEqual([]);
	expect(on(created, later)).toEqual(["later"]);
	expect(on(rename, deleted)).toEqual(["5"]);
	expect(on(rename, elsewhere)).toEqual([]);
	expect(on(moved, elsewhere)).toEqual(["6"]);
	expect(on(rename, { ...later, fate: "undone" })).toEqual([]);
	// What depends on what depends on it.
	expect(on(rename, elsewhere, moved)).toEqual(["6", "7"]);
});

test("a move that may have been made is about both paths", () => {
	const moved = change("0", { type: "moved", path: "/a", to: "/b" });
	const unclear: Change = { ...moved, undo: undefined, fate: "unclear", plan: { type: "move", path: "/a", to: "/b" } };
	const later = change("later", { type: "rename", path: "/b", name: "", set: "x" });
	expect(idsOf(dependentsOf([unclear], [later, unclear]))).toEqual(["later"]);
});

test("both ways of asking agree", () => {
	const undo = fc.constantFrom(...UNDOS);
	fc.assert(
		fc.property(fc.array(undo, { maxLength: 12 }), (undos) => {
			const changes = undos.map((each, index) => change(`${index}`, each));
			const held = dependedOn(changes);
			for (const [index, each] of changes.entries())
				expect(held.has(each.id)).toBe(dependentsOf([each], changes.slice(0, index + 1)).length > 0);
		}),
	);
});
