import { beforeAll, describe, expect, test } from "vitest";
import { describeEntry } from "../../../src/app/tree/describe-entry.ts";
import type { EntryDescription } from "../../../src/app/tree/describe-message.ts";
import { drawEntryRow } from "../../../src/app/tree/draw-entry.ts";
import { readSession, type Session } from "../../../src/store/read/read-session.ts";
import { fixture } from "../../support/fixture.ts";
import { entry, message, sessionOf } from "../../support/session-builder.ts";

const home = "/home/ada";

/** A row without colors: who, the mark, the text. */
function row({ who, mark, text }: EntryDescription): string {
	return [`${who}:`, ...(mark === undefined ? [] : [mark.text, "·"]), text.replace(/\s+/g, " ").trim()].join(" ");
}

async function rowsOf(...lines: readonly string[]): Promise<string[]> {
	const session = await sessionOf(...lines);
	return session.entries.map((each) => row(describeEntry(each, session, home)));
}

describe("the rows of all that pi 1.5.2 writes", () => {
	let session: Session;
	let rows: readonly string[];
	beforeAll(async () => {
		session = await readSession(fixture("pi-1.5.2").path);
		rows = session.entries.map((each) => row(describeEntry(each, session, home)));
	});

	test.each([
		[
			"the sections of a system prompt and their lengths, and the tools",
			"system: preamble (55 characters), tools (131), context (46), cwd (45) · 5 tools",
		],
		[
			"a change of the prompt",
			"system: skills (28 characters), context removed · 1 tool: get_issue · 1 tool removed: write",
		],
		["a system message that is text", "system: From now on answer in English."],
		["an image", "user: [image] What is wrong on this picture? Then make the retry back off."],
		["the image that a tool read", "tool: read docs/flow.png → [image] Read image file [image/png]"],
		["the thinking of an answer without text", "assistant: thinking: Two edits are enough. First look at the file."],
		["the calls of an answer without text", "assistant: → write test/retry.test.ts, $ npm test npm run lint"],
		["an answer that was aborted", "assistant: aborted · I was about to say that the"],
		["an answer that was cut off", "assistant: cut off · Half an answer, because the limit of"],
		["an answer that failed", 'assistant: failed · 529 {"type":"error","error":{"type":"overloaded_error"}}'],
		["an answer that comes later, its thinking withheld", "assistant: deferred · thinking (withheld by the provider)"],
		[
			"a command of the person that failed, its output truncated",
			"bash: ✗ exit 1 · $ npm run lint → src/retry.ts:2 no-await-in-loop 3 problems [truncated]",
		],
		["a command that the model does not get", "bash: !! env | grep TOKEN → TOKEN=secret"],
		["a command without output", "bash: $ sleep 1 → (no output)"],
		["a command that was cancelled", "bash: ✗ cancelled · $ npm start → listening"],
		["a tool without output", "tool: PS> Get-ChildItem → (no output)"],
		["an empty message", "user: (empty)"],
		[
			"an unknown tool",
			'tool: web_search {"query":"exponential backoff\\nwith jitter","max_results":3} → Full jitter is best.',
		],
		["the state of a virtual model", "custom: state of the virtual model router/smart"],
		["a bug report", "custom: bug report br_7 the arrow"],
		["what a script stored", "custom: stored by a script: files (1 value removed)"],
		["a shared session", "custom: shared: the system prompt and 1 tool"],
		["state of another extension", 'custom: todo {"open":1}'],
	])("%s", (_what, expected) => {
		expect(rows).toContain(expected);
	});

	test("an answer that ended as it should has no mark", () => {
		const marked = session.entries.filter((each) => describeEntry(each, session, home).mark !== undefined);
		expect(
			marked.map((each) =>
				row(describeEntry(each, session, home))
					.split(" ", 3)
					.join(" "),
			),
		).toEqual([
			"assistant: aborted ·",
			"assistant: cut off",
			"assistant: failed ·",
			"assistant: deferred ·",
			"bash: ✗ exit",
			"bash: ✗ cancelled",
		]);
	});
});

test("a mark stands before the text, so that a long text does not push it out of the row", async () => {
	const fields = { role: "assistant", content: [{ type: "text", text: "word ".repeat(100) }], stopReason: "length" };
	const session = await sessionOf(message("a", null, 1, fields));
	const [one] = session.entries;
	if (one === undefined) throw new Error("The entry was not read");
	const treeRow = { entry: one, prefix: "", active: true, hidden: 0, foldedOnLine: false };
	const drawing = { width: 60, selected: false, session, labelTimes: false, home, now: 0 };
	const line = drawEntryRow(treeRow, drawing);
	expect(line.find(({ text }) => text.startsWith("cut off"))?.tone).toBe("warning");
	const text = line.map((span) => span.text).join("");
	expect(text).toContain("assistant cut off · word word");
	expect(text.length).toBeLessThanOrEqual(60);
});

test("an unknown entry type shows its payload first", async () => {
	const fields = { payload: { steps: [1, 2] } };
	expect(await rowsOf(entry("from_the_future", "x", null, 1, fields))).toEqual([
		'from_the_future: {"payload":{"steps":[1,2]}}',
	]);
	expect(await rowsOf(message("x", null, 1, { role: "judge", verdict: "good" }))).toEqual([
		'judge: {"verdict":"good"}',
	]);
});

test("a result is described without its call, before it, and a call without a result", async () => {
	const session = await readSession(fixture("orphaned-results").path);
	expect(session.entries.map((each) => row(describeEntry(each, session, home)))).toEqual([
		"user: run the tests",
		"tool: bash → 42 passed",
		"tool: read → a result that names no call",
		"tool ✗: $ npm test → came before its call",
		"assistant: → $ npm test, $ sleep 100",
		"user: and now?",
	]);
});

test("an answer with more images and calls than a row can name", async () => {
	const image = { type: "image", data: "aGk=", mimeType: "image/png" };
	const calls = Array.from({ length: 7 }, (_, index) => ({
		type: "toolCall",
		id: `c${index}`,
		name: "ls",
		arguments: {},
	}));
	expect(
		await rowsOf(
			message("a", null, 1, { role: "user", content: [image, image, image] }),
			message("b", "a", 2, { role: "assistant", content: calls, stopReason: "toolUse" }),
		),
	).toEqual(["user: [3 images]", "assistant: → ls ., ls ., ls ., ls ., ls ., …"]);
});
