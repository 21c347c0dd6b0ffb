import { expect, test } from "vitest";
import { editedText } from "../../../src/ui/field/edit.ts";
import { showLong } from "../../../src/ui/field/show-long.ts";

const shown = (text: string, room: number, height = 5, cursor = text.length) =>
	showLong({ ...editedText(text), cursor }, room, height);

test("lines are wrapped between words, with a cell for the cursor; a long word is cut", () => {
	expect(shown("one two three", 9)).toEqual({ texts: ["one two ", "three"], row: 1, column: 5 });
	expect(shown("abcdefghij", 5)).toEqual({ texts: ["abcd", "efgh", "ij"], row: 2, column: 2 });
	expect(shown("日本語", 5).texts).toEqual(["日本", "語"]);
	expect(shown("a\n\nb", 9)).toEqual({ texts: ["a", "", "b"], row: 2, column: 1 });
	expect(shown("", 9)).toEqual({ texts: [""], row: 0, column: 0 });
});

test("the rows around the cursor are shown", () => {
	const text = "1\n2\n3\n4\n5";
	expect(shown(text, 9, 2)).toEqual({ texts: ["4", "5"], row: 1, column: 1 });
	expect(shown(text, 9, 2, 0)).toEqual({ texts: ["1", "2"], row: 0, column: 0 });
	expect(shown(text, 9, 2, 4)).toEqual({ texts: ["2", "3"], row: 1, column: 0 });
});
