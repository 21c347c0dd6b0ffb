import { expect, test } from "vitest";
import { rowOfHit } from "../../../src/conversation/tree/match-entry.ts";
import { queryOf } from "../../support/follow-search.ts";
import { assistant, message, sessionOf, user } from "../../support/session-builder.ts";

const call = (id: string, command: string) => ({ type: "toolCall", id, name: "bash", arguments: { command } });
const result = (id: string, parentId: string, toolCallId: string) =>
	message(id, parentId, 3, {
		role: "toolResult",
		toolCallId,
		toolName: "bash",
		content: [{ type: "text", text: "ok" }],
		isError: false,
	});

test.each<[entry: string, kind: "command" | "thinking" | "assistant" | "output", query: string, row: string]>([
	["one", "command", "first", "one-r"],
	["one", "thinking", "hmm", "one-r"],
	["two", "command", "second", "two-b"],
	["two", "command", "third", "two-c"],
	["two", "assistant", "both", "two"],
	["two-b", "output", "ok", "two-b"],
	["open", "command", "never", "open"],
])("a hit in %s, in its %s, is in the row of the step", async (entry, kind, query, row) => {
	const session = await sessionOf(
		user("ask", null, 1, "go"),
		assistant("one", "ask", 2, "", [{ type: "thinking", thinking: "hmm" }, call("c1", "run first")]),
		result("one-r", "one", "c1"),
		assistant("two", "one-r", 4, "I do both.", [call("c2", "run second"), call("c3", "run third")]),
		result("two-b", "two", "c2"),
		result("two-c", "two-b", "c3"),
		assistant("open", "two-c", 6, "", [call("c4", "never ends")]),
	);
	const found = session.tree.byId.get(entry);
	expect(found && rowOfHit(found, kind, queryOf(query), session)).toBe(row);
});
