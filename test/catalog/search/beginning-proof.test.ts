import fc from "fast-check";
import { expect, test } from "vitest";
import { beginningProof } from "../../../src/catalog/search/beginning-proof.ts";
import { provesTerm } from "../../../src/catalog/search/match-line.ts";
import { objectIn } from "../../../src/catalog/search/parse-object.ts";
import { caseCount } from "../../support/cases.ts";
import { assistant, toolResult, user } from "../../support/session-builder.ts";
import { termOf } from "../../support/term.ts";

const term = termOf("retry");
const proves = beginningProof(term);
const lineOf = (text: string) => Buffer.from(text).toString("latin1");

const text = fc
	.array(
		fc.constantFrom(
			"retry",
			"Retry",
			"\retry",
			"\\",
			'"',
			"\n",
			"\r",
			"r",
			"etry",
			"é",
			"\u0301",
			"”",
			" ",
			"\ud835\udcb3",
		),
		{
			maxLength: 8,
		},
	)
	.map((parts) => parts.join(""));
const line = fc.oneof(
	fc.tuple(fc.constantFrom(user, assistant, toolResult), text).map(([make, said]) => make("e1", null, 1, said)),
	text.map((said) =>
		assistant("e1", null, 1, "", [{ type: "toolCall", id: said, name: "x", arguments: { text: said } }]),
	),
	text.map((said) => user("retry", said, 1, "")),
	text.map((said) =>
		JSON.stringify({ type: "message", id: "e1", message: { role: "user", content: [{ type: said }] } }),
	),
);

test("whatever it says to be proven by the beginning of a line is in its text, also if the line was cut", () => {
	let proven = 0;
	fc.assert(
		fc.property(line, fc.nat({ max: 400 }), (json, cut) => {
			const isProven = [lineOf(json), lineOf(json.slice(0, cut))].some(proves);
			if (!isProven) return;
			proven += 1;
			const entry = objectIn(json, 0);
			expect(entry && provesTerm(entry, term), json).toBe(true);
		}),
		{ numRuns: caseCount(400) * 10 },
	);
	expect(proven).toBeGreaterThan(20);
});

test("most lines need not be parsed: what is said, answered or printed first", () => {
	for (const make of [user, assistant, toolResult])
		for (const said of ["retry", "the “Retry” loop", 'a "quoted" \\ retry', "x\nretry", "x\\retry"])
			expect(proves(lineOf(make("e1", "e0", 1, said))), said).toBe(true);
	// The "r" of "\r", which is no letter; a term that is no single word.
	expect(proves(lineOf(user("e1", null, 1, "x\retry")))).toBe(false);
	expect(beginningProof(termOf('"re try"'))(lineOf(user("e1", null, 1, "re try")))).toBe(false);
});
