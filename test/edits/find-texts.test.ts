import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits } from "../../src/edits/apply-edits.ts";
import { findTexts } from "../../src/edits/find-texts.ts";
import { caseCount } from "../support/cases.ts";

const part = fc.constantFrom("a", "ab", "aab", "\n", " ", "ß", "\u{1f600}", "line of code", "aaaaaaaaaa", "1", "23");
const text = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(""));
/** Pieces of a text, by where they begin and how long they are, and other texts. */
const slices = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 14 })), { maxLength: 150 });

/** So many that each is not searched for by itself. */
const OTHERS = Array.from({ length: 70 }, (_, index) => `other ${index}`);

test("texts, few or many, are where a search for each of them finds it", () => {
	fc.assert(
		fc.property(text, slices, fc.array(text, { maxLength: 10 }), fc.boolean(), (within, pieces, others, isMany) => {
			const wanted = [
				...(isMany ? OTHERS : []),
				...pieces.map(([at, length]) => within.slice(at % (within.length + 1)).slice(0, length + 1)),
				...others,
			].filter((one) => one !== "");
			const places = findTexts(within, wanted);
			for (const one of wanted) {
				const first = within.indexOf(one);
				const isOnce = first !== -1 && !within.includes(one, first + 1);
				expect([one, places.get(one)]).toMatchObject([
					one,
					{ first, isOnce, isRepeated: within.split(one).length > 2 },
				]);
			}
		}),
		{ numRuns: caseCount(300) },
	);
});

interface Piece {
	readonly text: string;
	readonly isReplaced: boolean;
}

/** Pieces that are all different, "…" being no part of any. */
const pieces = fc
	.array(fc.record({ word: fc.constantFrom("x", "line ", "\n\t", "const a = "), isReplaced: fc.boolean() }), {
		maxLength: 300,
	})
	.map((all) => all.map(({ word, isReplaced }, index): Piece => ({ text: `${word}<${index}>`, isReplaced })));

test("many replacements, in any order, are made at once, with the line ends of the file", () => {
	fc.assert(
		fc.property(pieces, fc.boolean(), fc.constantFrom("", "“", "<0>"), (all, isReturned, bad) => {
			const withEnds = (one: string): string => (isReturned ? one.replaceAll("\n", "\r\n") : one);
			const changed = ({ text: old }: Piece): string => old.toUpperCase().replace("<", "…\n<");
			const fileOf = (words: readonly string[]): string => withEnds(`${words.join("")}\n<0>\n<0>\n`);
			const edits = all
				.filter(({ isReplaced }) => isReplaced)
				.map((piece) => ({ oldText: piece.text, newText: changed(piece) }));
			const before = fileOf(all.map((piece) => piece.text));
			const after = fileOf(all.map((piece) => (piece.isReplaced ? changed(piece) : piece.text)));
			expect(applyEdits(before, edits.toReversed())).toEqual(edits.length === 0 ? [] : [after]);
			// One that is not there, or there more than once, is none of them made.
			if (bad !== "") expect(applyEdits(before, [...edits, { oldText: bad, newText: "y" }])).toEqual([]);
		}),
		{ numRuns: caseCount(100) },
	);
});

test("among many, one that is found loosely has all of them replaced in whole lines", () => {
	const lines = Array.from({ length: 500 }, (_, index) => `say “${index}” \n`);
	const edits = lines.map((_, index) => ({ oldText: `say "${index}"`, newText: `said ${index}` }));
	const both = applyEdits(`${lines.join("")}kept \n`, edits);
	const said = edits.map(({ newText }) => `${newText}\n`).join("");
	expect(both).toEqual([`${said}kept \n`, `${said}kept\n`]);
	expect(applyEdits(lines.join(""), [...edits, { oldText: "say", newText: "" }])).toEqual([]);
});

test("a hundred thousand replacements of one call", () => {
	const names = Array.from({ length: 100_000 }, (_, index) => `value${index} =`);
	const before = names.map((name) => `\tconst ${name} call(1);\r\n`).join("");
	const edits = names.map((oldText) => ({ oldText, newText: oldText.replace("value", "v") }));
	expect(applyEdits(before, edits)).toEqual([before.replaceAll("value", "v")]);
});
