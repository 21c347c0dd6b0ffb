import { expect, test } from "vitest";
import { measured, shareMarkdown } from "../../../src/conversation/share/share-markdown.ts";
import { sharedOf } from "../../support/page.ts";
import { assistant, message, sessionOf, toolResult, user } from "../../support/session-builder.ts";

test("in Markdown that is shared, what tools said and the model thought is folded, and a short change is read as it is", async () => {
	const call = (id: string, name: string, args: object) => ({ type: "toolCall", id, name, arguments: args });
	const result = (toolCallId: string, toolName: string, details: object) => ({
		...{ role: "toolResult", toolCallId, toolName, isError: false, details },
		content: [{ type: "text", text: "<b>1</b>\n2" }],
	});
	const edit = call("d", "edit", { path: "a.ts", edits: [{ oldText: "a", newText: "b" }] });
	const session = await sessionOf(
		user("u", null, 1, "Why?"),
		assistant("a", "u", 2, "", [
			{ type: "thinking", thinking: "Because\n```" },
			call("c", "bash", { command: "ls <x> && y" }),
			edit,
		]),
		message("r", "a", 3, result("c", "bash", {})),
		message("s", "r", 4, result("d", "edit", { diff: "-1 a\n+1 b" })),
	);
	const text = [...shareMarkdown(sharedOf(session))].join("");
	expect(text).toContain("<details>\n<summary>thinking</summary>\n\n> Because\n> ```\n\n</details>\n\n");
	expect(text).toContain("<details>\n<summary><b>$</b> <code>ls &lt;x&gt; &amp;&amp; y</code> · 2 lines");
	expect(text).toContain("</summary>\n\n```console\n$ ls <x> && y\n<b>1</b>\n2\n```\n\n</details>\n\n");
	expect(text).toContain("**edit** `a.ts` · +1 −1\n\n```diff\n-1 a\n+1 b\n```\n\n");
	expect(text).not.toContain("Masked");
});

test("what is longer than an issue on GitHub may be is noted once it was read", async () => {
	const session = await sessionOf(toolResult("a", null, 1, "line\n".repeat(20_000)));
	const { pieces, note } = measured(() => shareMarkdown(sharedOf(session)));
	expect(note()).toBe("");
	const { length } = [...pieces()].join("");
	expect(note()).toBe(
		`It has ${length.toLocaleString("en")} characters; GitHub accepts at most 65,536 in an issue or a comment: attach it as a file.`,
	);
	expect(measured(() => ["short"]).note()).toBe("");
});
