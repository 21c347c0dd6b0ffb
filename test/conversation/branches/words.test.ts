import { describe, expect, test } from "vitest";
import { lastWordsOf } from "../../../src/conversation/branches/draft.ts";
import { promptWords, WordCounts } from "../../../src/conversation/branches/prompt-words.ts";
import { assistant, message, sessionOf } from "../../support/session-builder.ts";

describe("promptWords", () => {
	const words = (...prompts: readonly string[]): string[] => {
		const counts = new WordCounts();
		for (const prompt of prompts) counts.add(prompt);
		return prompts.map((prompt) => promptWords(prompt, counts));
	};

	test.each([
		["Fine, stream it. Keep the last line even when it has no newline.", "stream"],
		["How big do these files get? Try the smallest fix first.", "big files"],
		["Then use a regular expression: /[^\n]+/g over the text.", "regular expression"],
		["Commit it. Message: why, not what.", "Commit"],
		["Make the parser in src/import/parser.ts faster", "parser parser.ts faster"],
		["検索を日本語でも使えるようにして", "検索を日本語でも使えるようにして"],
		["ok", "ok"],
		["go on", "go on"],
		["", "(no words)"],
		["???", "(no words)"],
	])("%j is told by %j", (prompt, expected) => expect(words(prompt)).toEqual([expected]));

	test("what most prompts of a session say tells none of them", () => {
		const prompts = ["schema", "types", "docs", "cache", "auth", "queue", "retry", "router"].map(
			(name) => `Attempt the ${name} approach: change how ${name} works and see what the tests say`,
		);
		expect(words(...prompts)).toEqual(["schema", "types", "docs", "cache", "auth", "queue", "retry", "router"]);
	});

	test("a long word is cut, however long it is", () => {
		expect(words("x".repeat(1_000_000))).toEqual([`${"x".repeat(27)}…`]);
		expect(words("👍".repeat(100_000))).toEqual(["(no words)"]);
	});
});

describe("lastWordsOf", () => {
	const said = async (text: string): Promise<string> => {
		const { entries } = await sessionOf(assistant("a", null, 1, text));
		return entries.map(lastWordsOf).join();
	};

	test.each([
		["Committed as 4be19c2.", "Committed as 4be19c2."],
		["First.\n\n**All twelve tests pass.**\n\n", "All twelve tests pass."],
		[
			"It reads the file twice, which is slow for what you have. The loop only takes a record when it finds a newline.",
			"The loop only takes a record when it finds a newline.",
		],
		["Done:\n\n- one\n- `two`\n\n```\n\n```", "two"],
		["", ""],
	])("%j ends with %j", async (text, expected) => expect(await said(text)).toBe(expected));

	test("an answer that failed tells why", async () => {
		const failed = { role: "assistant", content: [], stopReason: "error", errorMessage: "overloaded", model: "m" };
		const aborted = {
			role: "assistant",
			content: [{ type: "text", text: "I will" }],
			stopReason: "aborted",
			model: "m",
		};
		const { entries } = await sessionOf(message("a", null, 1, failed), message("b", "a", 2, aborted));
		expect(entries.map(lastWordsOf)).toEqual(["failed: overloaded", "aborted: I will"]);
	});

	test("only the end of a long answer is looked at", async () => {
		expect(await said(`${"word ".repeat(2_000_000)}\nThe end.`)).toBe("The end.");
	});

	test("the end of a long line begins with a whole word, behind the sign of what is left out", async () => {
		const words = Array.from({ length: 300 }, (_, index) => `word${index}`).join(" ");
		const { entries } = await sessionOf(assistant("a", null, 1, words));
		const [last = ""] = entries.map(lastWordsOf);
		expect(last).toMatch(/^…word\d+ /);
		expect(words.endsWith(` ${last.slice(1)}`)).toBe(true);
	});
});
