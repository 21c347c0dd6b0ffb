import { expect, test } from "vitest";
import { parseTags, tagCandidates } from "../../../../src/app/features/sessions/tag-prompt.ts";
import { knownTags } from "../../../../src/app/world/list/row-cells.ts";
import { applyChanges } from "../../../../src/changes/noted/marks.ts";
import { type EditedText, editedText } from "../../../../src/ui/field/edit.ts";
import { complete, NOT_TYPING } from "../../../../src/ui/field/typing.ts";

test.each([
	["wip", ["wip"], []],
	["#wip idea,later", ["wip", "idea", "later"], []],
	["-wip idea", ["idea"], ["wip"]],
	["-#wip", [], ["wip"]],
	["wip -wip", [], ["wip"]],
	["-wip wip", ["wip"], []],
	["WIP", ["wip"], []],
	["Neu neu", ["Neu", "neu"], []],
	["naive\u0301", ["naivé"], []],
	["- # , ", [], []],
])("%j adds %j and removes %j", (text, add, remove) => {
	expect(parseTags(text, ["wip"])).toEqual({ add, remove });
});

test("a sentence is not a tag", () => {
	expect(parseTags("a".repeat(41), []).mistake).toBe("A tag has at most 40 characters");
	expect(parseTags('say"so', []).mistake).toBe("A tag has no quotation marks");
});

const KNOWN = ["wip", "idea", "window"];

test.each([
	["", [], ["wip", "idea", "window"]],
	["", ["idea"], ["wip", "window"]],
	["w", [], ["wip", "window"]],
	["W", [], ["wip", "window"]],
	["#wi", [], ["wip", "window"]],
	["wip ", [], ["idea", "window"]],
	["d", [], ["idea", "window"]],
	["-", ["idea"], ["idea"]],
	["-w", ["idea"], []],
	["zz", [], []],
])("%j with %j proposes %j", (text, present, expected) => {
	const candidates = tagCandidates(editedText(text), KNOWN, present);
	expect(candidates.map((one) => one.text.replace(/^-?#?(.*) $/, "$1"))).toEqual(expected);
});

test("completing replaces the word before the cursor and puts the cursor after it", () => {
	const completed = (field: EditedText) => complete(tagCandidates(field, ["wip"], ["wip"]))(field, NOT_TYPING)[0];
	expect(completed(editedText("idea -#w"))).toMatchObject({ text: "idea -#wip ", cursor: 11 });
	const inside = (field: EditedText) => complete(tagCandidates(field, ["wip"], []))(field, NOT_TYPING)[0];
	expect(inside({ text: "w idea", cursor: 1 })).toMatchObject({ text: "wip idea", cursor: 4 });
});

test("known tags are sorted by number of sessions", () => {
	const tagged = [
		["a", "idea"],
		["a", "wip"],
		["b", "wip"],
		["c", "also"],
	] as const;
	expect(knownTags(applyChanges(tagged.map(([id, tag]) => ({ id, tag, on: true }))))).toEqual(["wip", "also", "idea"]);
});
