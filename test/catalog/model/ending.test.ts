import { expect, test } from "vitest";
import { endAfter, NOTHING_SAID } from "../../../src/catalog/model/ending.ts";
import { assistant, entry, message, name, toolResult, user } from "../../support/session-builder.ts";

const call = (id: string) => ({ type: "toolCall", id, name: "bash", arguments: {} });
const calls = (id: string, ...ids: string[]) =>
	message(id, null, 2, { role: "assistant", content: ids.map(call), stopReason: "toolUse" });
const result = (id: string, toolCallId: string) =>
	message(id, null, 3, { role: "toolResult", toolCallId, content: [], isError: false });
const answer = (text: string) => [user("a", null, 1, "Do it"), assistant("b", "a", 2, text)];
const stopped = (fields: object) => message("b", null, 2, { role: "assistant", content: [], ...fields });
const edit = (targetId: string, replacement: object | null) =>
	entry("context_edit", "z", null, 9, { targetId, replacement });

test.each<[name: string, lines: string[], ending: string]>([
	["nothing", [], ""],
	["only bookkeeping", [name("a", null, 1, "What?")], ""],
	["an answer", answer("Done."), ""],
	["a question", answer("Which of **both?**\n"), "asks"],
	["a question with its answers", answer("Shall I go on? (y/n)"), "asks"],
	["a question in Arabic", answer("هل أتابع؟"), "asks"],
	["a question before the end", answer("Why? Because."), ""],
	["a question far before the end", answer(`Why?${" ".repeat(1000)}.`), ""],
	["a question and a name", [...answer("Which?"), name("c", "b", 3, "x")], "asks"],
	[
		"a question and a command of the person",
		[...answer("Which?"), message("c", "b", 3, { role: "bashExecution", command: "ls", output: "" })],
		"asks",
	],
	["a question and a compaction", [...answer("Which?"), entry("compaction", "c", "b", 3, { summary: "s" })], "asks"],
	["a prompt", [...answer("Which?"), user("c", "b", 3, "This one?")], "unanswered"],
	["a call", [calls("b", "c1")], "open-call"],
	["a question beside a call", [assistant("b", null, 2, "Ready?", [call("c1")])], "open-call"],
	["one of two calls answered", [calls("b", "c1", "c2"), result("r", "c2")], "open-call"],
	["both of two calls answered", [calls("b", "c1", "c2"), result("r", "c2"), result("s", "c1")], "unanswered"],
	["a result of another call", [calls("b", "c1"), result("r", "c9")], "open-call"],
	["a call and its result without ids", [calls("b", undefined as unknown as string), result("r", "")], "unanswered"],
	["an answer to a result", [calls("b", "c1"), result("r", "c1"), assistant("d", "r", 4, "Done.")], ""],
	["a failed answer", [stopped({ stopReason: "error", errorMessage: "Overloaded?" })], "failed"],
	["an answer that failed in another version", [stopped({ errorMessage: "no" })], "failed"],
	["an aborted answer", [stopped({ stopReason: "aborted", errorMessage: "Aborted" })], "aborted"],
	["an answer that was cut off", [stopped({ stopReason: "length" })], "aborted"],
	[
		"a result of an aborted answer",
		[stopped({ stopReason: "aborted", content: [call("c")] }), result("r", "c")],
		"aborted",
	],
	["a question that was edited", [...answer("Which?"), edit("b", { content: "This." })], ""],
	["an answer that was edited to a question", [...answer("This."), edit("b", { content: "Which?" })], "asks"],
	["an answer that was left out", [...answer("Which?"), edit("b", null)], "unanswered"],
	["another edit", [...answer("Which?"), edit("a", null)], "asks"],
	[
		"an edit of an answer with results",
		[calls("b", "c1"), result("r", "c1"), edit("b", { content: "?" })],
		"unanswered",
	],
	["a loose result", [toolResult("b", "a", 2, "out")], "unanswered"],
])("a conversation that ends with %s", (_name, lines, ending) => {
	const end = lines.map((line) => JSON.parse(line)).reduce(endAfter, NOTHING_SAID);
	expect(end.ending).toBe(ending);
});

test("whatever the fields hold, there is an ending", () => {
	for (const odd of [null, 5, "x", [], {}, [null, 5, { type: "toolCall" }]])
		for (const role of ["user", "assistant", "toolResult", "odd", null]) {
			const message = { role, content: odd, toolCallId: odd };
			const end = endAfter(NOTHING_SAID, { type: "message", id: odd, timestamp: odd, message });
			expect(Number.isFinite(end.endedMs)).toBe(true);
			expect(endAfter(end, { type: "context_edit", targetId: odd, replacement: { content: odd } }).endedMs).toBe(
				end.endedMs,
			);
		}
	expect(endAfter(NOTHING_SAID, { type: "message", message: null })).toBe(NOTHING_SAID);
	expect(endAfter(NOTHING_SAID, { type: "context_edit", targetId: 5 })).toBe(NOTHING_SAID);
});
