import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { splitWords } from "../../src/shared/split-words.ts";
import { caseCount } from "../support/cases.ts";

test.each([
	["pi", ["pi"]],
	["  pi   --model  x ", ["pi", "--model", "x"]],
	["pi --append-system-prompt 'be brief; say $HOME'", ["pi", "--append-system-prompt", "be brief; say $HOME"]],
	['pi "a \\"b\\" \\n c"', ["pi", 'a "b" \\n c']],
	["/opt/my\\ pi/pi ''", ["/opt/my pi/pi", ""]],
	["a'b'\"c\"d", ["abcd"]],
	["pi\t-a\n-b", ["pi", "-a", "-b"]],
	["", []],
	["pi \\", ["pi", "\\"]],
])("%j", (line, words) => {
	expect(splitWords(line)).toEqual({ words });
});

test.each(["pi 'open", 'pi "open', `pi "it's`])("an open quote: %s", (line) => {
	expect(splitWords(line)).toEqual({ mistake: expect.stringContaining("quote in it is not closed") });
});

test("splits words as a shell does", () => {
	const piece = fc.constantFrom("a", "b", " ", "\t", "'", '"', "\\", "-", "é", "1");
	fc.assert(
		fc.property(fc.string({ unit: piece, maxLength: 12 }), (line) => {
			// A backslash at the end asks a shell for another line.
			fc.pre(!/\\$/.test(line));
			const { status, stdout } = spawnSync("sh", ["-c", `printf '%s\\0' ${line}\n`], { encoding: "utf8" });
			const split = splitWords(line);
			if (status !== 0) expect(split).toHaveProperty("mistake");
			// Without any word printf prints one empty text.
			else if ("words" in split && split.words.length > 0) expect(split.words).toEqual(stdout.split("\0").slice(0, -1));
			else expect([split, stdout]).toEqual([{ words: [] }, "\0"]);
		}),
		{ numRuns: caseCount(12, 100) },
	);
});
