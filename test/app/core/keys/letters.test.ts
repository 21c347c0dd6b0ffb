import { expect, test } from "vitest";
import { DOCUMENTS } from "../../../../src/app/core/features/features.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { LETTERS } from "../../../../src/app/core/keys/letters.ts";
import { isTypable } from "../../../../src/ui/keys/key-name.ts";

test("in documents a letter means one thing: what the table of letters says", () => {
	const given = KEYMAP.filter(({ contexts }) => contexts.some((context) => DOCUMENTS.includes(context)));
	const uses = given.flatMap(({ id, keys }) => keys.filter(isTypable).map((key) => [key, id] as const));
	const meant = LETTERS.flatMap(({ key, ids }) => ids.map((id) => [key, id] as const));
	const asText = (pairs: readonly (readonly [string, string])[]) => [...new Set(pairs.map(String))].toSorted();
	expect(asText(uses)).toEqual(asText(meant));
});

test("the table gives each letter, and each command, one place", () => {
	const keys = LETTERS.map(({ key }) => key);
	const ids = LETTERS.flatMap((letter) => letter.ids);
	expect([new Set(keys).size, new Set(ids).size]).toEqual([keys.length, ids.length]);
});
