import { describe, expect, test } from "vitest";
import { lastWordsOf } from "../../../src/conversation/branches/draft.ts";
import { assistant, message, sessionOf } from "../../support/session-builder.ts";

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
