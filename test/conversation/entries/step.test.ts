import { expect, test } from "vitest";
import { placeOf } from "../../../src/conversation/entries/place.ts";
import { openCalls, type Step, stepOf } from "../../../src/conversation/entries/step.ts";
import type { Session } from "../../../src/store/read/read-session.ts";
import { entry, message, sessionOf, user } from "../../support/session-builder.ts";

const home = "/home/me";

function stepAt(session: Session, id: string): Step | undefined {
	const found = session.tree.byId.get(id);
	return found === undefined ? undefined : stepOf(found, session, placeOf(session, home));
}

function calls(
	id: string,
	parentId: string | null,
	second: number,
	...named: ReadonlyArray<readonly [string, object]>
) {
	const content = named.map(([name, args], index) => ({
		type: "toolCall",
		id: `call_${index}`,
		name,
		arguments: args,
	}));
	return message(id, parentId, second, { role: "assistant", content, stopReason: "toolUse" });
}

function result(id: string, parentId: string | null, second: number, call: number, fields: object = {}): string {
	const content = [{ type: "text", text: "Command exited with code 3" }];
	const base = { role: "toolResult", toolCallId: `call_${call}`, toolName: "bash", content, isError: false };
	return message(id, parentId, second, { ...base, ...fields });
}

test("a step: what, to what, relative to the session's directory, and how long", async () => {
	const session = await sessionOf(
		calls(
			"a",
			null,
			10,
			["bash", { command: "cd /home/me/project && make" }],
			["read", { path: "/home/me/project/a" }],
		),
		result("b", "a", 14, 0, { isError: true }),
		result("c", "b", 15, 1, { toolName: "read", content: [{ type: "text", text: "a\nb\n" }], durationMs: 7 }),
	);
	expect(stepAt(session, "a")).toBeUndefined();
	expect(stepAt(session, "b")).toEqual({
		name: "bash",
		verb: "$",
		argument: "make",
		end: "failed",
		said: "",
		outcome: [{ text: "✗ exit 3", tone: "error" }],
		durationMs: 4000,
		file: undefined,
	});
	expect(stepAt(session, "c")).toMatchObject({ verb: "read", argument: "a", durationMs: 7, said: "" });
	expect(stepAt(session, "c")?.outcome).toEqual([{ text: "2 lines", tone: "muted" }]);
});

test("a command that prints the words of pi's status itself did not fail", async () => {
	const session = await sessionOf(calls("a", null, 1, ["bash", { command: "cat log" }]), result("b", "a", 2, 0));
	expect(stepAt(session, "b")).toMatchObject({ end: "ok", outcome: [] });
});

test.each([
	["Command aborted", "stopped"],
	["Command timed out after 60 seconds", "✗ timed out after 60s"],
	["Command terminated without an exit code", "✗ killed"],
	["out\n\nCommand exited with code 127", "✗ exit 127"],
	["the tool broke", "✗"],
])("%s: %s", async (text, outcome) => {
	const fields = { isError: true, content: [{ type: "text", text }] };
	const session = await sessionOf(calls("a", null, 1, ["bash", {}]), result("b", "a", 2, 0, fields));
	expect(stepAt(session, "b")?.outcome).toEqual([{ text: outcome, tone: outcome === "stopped" ? "warning" : "error" }]);
});

test.each([
	["grep foo a", "Command exited with code 1", {}, "no match"],
	["make x", "Operation aborted", {}, "not run"],
	["make x", "Operation aborted", { durationMs: 9 }, "stopped"],
])("%s, %s", async (command, text, more, end) => {
	const fields = { isError: true, content: [{ type: "text", text }], ...more };
	const session = await sessionOf(calls("a", null, 1, ["bash", { command }]), result("b", "a", 2, 0, fields));
	expect(stepAt(session, "b")).toMatchObject({ end, said: "", outcome: [{ text: end }] });
	expect(stepAt(session, "b")?.durationMs === undefined).toBe(end === "not run");
});

test("calls of two answers with the same ids are not confused", async () => {
	const session = await sessionOf(
		calls("a", null, 1, ["bash", { command: "first" }]),
		result("b", "a", 2, 0),
		calls("c", "b", 3, ["bash", { command: "second" }]),
		entry("custom", "d", "c", 4, { customType: "todo" }),
		result("e", "d", 5, 0),
	);
	expect(stepAt(session, "b")?.argument).toBe("first");
	expect(stepAt(session, "e")?.argument).toBe("second");
});

test("calls without a result are open; results of another branch do not count", async () => {
	const session = await sessionOf(
		calls("a", null, 1, ["bash", { command: "one" }], ["bash", { command: "two" }], ["edit", { path: "x" }]),
		result("b", "a", 2, 0),
		entry("custom", "c", "b", 3, { customType: "todo" }),
		result("d", "c", 4, 1),
		user("e", "d", 5, "next"),
		calls("f", "e", 6, ["bash", { command: "three" }]),
	);
	const place = placeOf(session, home);
	const open = session.entries.map((each) => openCalls(each, session, place).map(({ step }) => step.argument));
	expect(open).toEqual([["x"], [], [], [], [], ["three"]]);
	const [first] = session.entries.flatMap((each) => openCalls(each, session, place));
	expect(first?.step).toMatchObject({
		verb: "edit",
		end: "stopped",
		outcome: [{ text: "no result", tone: "warning" }],
	});
});

test("a file that was edited, and one that could not be", async () => {
	const args = { path: "/home/me/project/src/a.ts", edits: [{ oldText: "a", newText: "b\nc" }] };
	const edited = { toolName: "edit", content: [{ type: "text", text: "Could not find the text" }] };
	const session = await sessionOf(
		calls("a", null, 1, ["edit", args], ["edit", args]),
		result("b", "a", 2, 0, edited),
		result("c", "b", 3, 1, { ...edited, isError: true }),
	);
	expect(stepAt(session, "b")).toMatchObject({ file: "src/a.ts", said: "", outcome: [] });
	expect(stepAt(session, "c")).toMatchObject({ file: undefined, said: "Could not find the text" });
});
