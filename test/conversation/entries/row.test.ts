import { beforeAll, describe, expect, test } from "vitest";
import { placeOf } from "../../../src/conversation/entries/place.ts";
import { describeRow, type RowDescription } from "../../../src/conversation/entries/row.ts";
import { readSession, type Session } from "../../../src/store/read/read-session.ts";
import { fixture } from "../../support/fixture.ts";
import { assistant, entry, message, sessionOf } from "../../support/session-builder.ts";

const home = "/home/ada";

/** A row without colors: kind, mark, verb, text, what the output said, and the outcome. */
function rowText({ kind, mark, verb, text, said, outcome }: RowDescription): string {
	const left = [mark === undefined ? "" : `${mark.text} ·`, verb?.text ?? "", text.replace(/\s+/g, " ").trim()];
	const right = [said, outcome.map((part) => part.text).join(" ")].map((part) => (part === "" ? "" : `| ${part}`));
	return [`${kind}:`, ...left, ...right].filter((part) => part !== "").join(" ");
}

function rowsIn(session: Session): string[] {
	const place = placeOf(session, home);
	return session.entries.map((each) => rowText(describeRow(each, session, place)));
}

async function rowsOf(...lines: readonly string[]): Promise<string[]> {
	return rowsIn(await sessionOf(...lines));
}

describe("the rows of all that pi 1.5.2 writes", () => {
	let rows: readonly string[];
	beforeAll(async () => {
		rows = rowsIn(await readSession(fixture("pi-1.5.2").path));
	});

	test.each([
		[
			"the sections of a system prompt and their lengths, and the tools",
			"system: system 5 tools added · preamble (55 characters), tools (131), context (46), cwd (45)",
		],
		[
			"a change of the prompt",
			"system: system 1 tool added: get_issue · 1 tool removed: write · skills (28 characters), context removed",
		],
		["a system message that is text", "system: system From now on answer in English."],
		["an image", "prompt: [image png 24×16] What is wrong on this picture? Then make the retry back off."],
		["what was read, without the notice below it", "result: read src/retry.ts:1-40 | 3 lines"],
		["the image that a tool read", "result: read docs/flow.png | image png 12×30"],
		["an edit", "result: edit src/retry.ts | +1 −1"],
		["a file that was written", "result: write test/retry.test.ts | 3 lines"],
		["a command that failed, and how long it took", "result: $ npm test ⏎ npm run lint | 1 failed | ✗ exit 1 8.4s"],
		["a search", "result: grep /retry\\(/ in src of *.ts | 1 match"],
		["a search that found nothing", "result: find *.test.ts | no files"],
		["a list that was cut, its path relative to the session's directory", "result: ls src | 1+ entries"],
		["the thinking of an answer without text", "calls: thinking: Two edits are enough. First look at the file."],
		["the calls of an answer without text", "calls: → write test/retry.test.ts, $ npm test ⏎ npm run lint"],
		["an answer that was aborted", "answer: aborted · I was about to say that the"],
		["an answer that was cut off", "answer: cut off · Half an answer, because the limit of"],
		["an answer that failed", 'answer: ✗ failed · 529 {"type":"error","error":{"type":"overloaded_error"}}'],
		["an answer that comes later, its thinking withheld", "answer: deferred · thinking (withheld by the provider)"],
		["a command of the person", "command: ! git status --short | M src/retry.ts"],
		[
			"a command of the person that failed, its output truncated",
			"command: ! npm run lint | 3 problems | truncated ✗ exit 1",
		],
		["a command that the model does not get", "command: !! env | grep TOKEN | TOKEN=secret"],
		["a command without output", "command: ! sleep 1 | no output"],
		["a command that was cancelled", "command: ! npm start | listening | stopped"],
		["a tool without output", "result: PS> Get-ChildItem | no output 1.0s"],
		["an empty message", "prompt: (empty)"],
		[
			"an unknown tool by its most telling argument",
			"result: web_search exponential backoff with jitter | Full jitter is best. | 1.0s",
		],
		[
			"an unknown tool without a telling argument",
			"result: get_issue number=7 repository=ada/api | MCP error: 404 Not Found | ✗ 1.0s",
		],
		[
			"arguments that were no object",
			'result: $ | Validation failed for tool "bash": the arguments are no JSON object. | ✗ 1.0s',
		],
		["a message of an extension", "message: todo [image png 2×2] One thing left: jitter."],
		[
			"what the model gets no more",
			'context-edit: context edit leaves out: 529 {"type":"error","error":{"type":"overloaded_error"}}',
		],
		["what the model gets differently", "context-edit: context edit replaces: Add jitter."],
		["a compaction", "compaction: ≡ compaction The retry backs off; jitter is left. | of 51k tokens"],
		["a branch summary", "branch-summary: ≡ summary of the branch left: Jitter was begun and put off."],
		["another model", "model: model smart | router"],
		["another thinking level", "thinking-level: thinking high"],
		["a label", "label: label [the picture]"],
		["a label that was removed", "label: label cleared"],
		["a name", "name: name Retry with backoff"],
		["what was spent besides", "usage: usage cache_warm claude-sonnet-4-5 idle | $0.02"],
		["the state of a virtual model", "custom: custom state of the virtual model router/smart"],
		["a bug report", "custom: custom bug report br_7 the arrow"],
		["what a script stored", "custom: custom stored by a script: files (1 value removed)"],
		["a shared session", "custom: custom shared: the system prompt and 1 tool"],
		["state of another extension", 'custom: todo {"open":1}'],
	])("%s", (_what, expected) => {
		expect(rows).toContain(expected);
	});

	test("a script without its first comment, and the calls that it made", () => {
		const found = rows.find((row) => row.startsWith("result: codemode"));
		expect(found).toMatch(/^result: codemode const files = await .* \| 3 calls 1✗ 2 lines 1\.3s$/);
	});

	test("an answer that ended as it should has no mark", () => {
		expect(
			rows.filter((row) => row.includes(" · ") && row.startsWith("answer")).map((row) => row.split(" ·")[0]),
		).toEqual(["answer: aborted", "answer: cut off", "answer: ✗ failed", "answer: deferred"]);
	});
});

test.each([
	["one agent by its task", { agent: "scout", task: "Find the routes", async: false }, "Find the routes"],
	[
		"agents at once by their names",
		{ tasks: [{ agent: "scout" }, { agent: "worker" }, { agent: "scout" }, { task: "?" }] },
		"4 tasks: scout, worker, ?",
	],
	[
		"a chain by its steps",
		{ chain: [{ agent: "planner" }, { parallel: [{ agent: "doer" }, { agent: "tester" }] }, { agent: "doer" }] },
		"planner → doer, tester → doer",
	],
	[
		"a workflow by its first statement",
		{ async: false, workflowScript: "// both\nreturn await runs.all([]);" },
		"workflow return await runs.all([]);",
	],
	["another action by its arguments", { action: "status", id: "7" }, "action=status id=7"],
])("a call of subagents shows %s", async (_, args, expected) => {
	const call = { type: "toolCall", id: "c", name: "subagent", arguments: args };
	const [row] = await rowsOf(assistant("a", null, 1, "", [call]));
	expect(row).toContain(`subagent ${expected}`);
});

test("Markdown markup is not in a row, other signs are", async () => {
	const answer = (text: string) => message("a", null, 1, { role: "assistant", content: [{ type: "text", text }] });
	const shown = async (text: string) => (await rowsOf(answer(text)))[0];
	expect(await shown("## Done\n\n- **All** tests pass, see [the log](https://x.org/a)\n- `npm test`, *twice*")).toBe(
		"answer: Done All tests pass, see the log npm test, twice",
	);
	expect(
		await shown("```ts\nconst a = 2 * 3 * 4;\n```\n| a | b |\n|---|---|\n1. snake_case of *.ts and __init__"),
	).toBe("answer: const a = 2 * 3 * 4; a | b 1. snake_case of *.ts and init");
});

test("an unknown entry type shows its payload first", async () => {
	const fields = { payload: { steps: [1, 2] } };
	expect(await rowsOf(entry("from_the_future", "x", null, 1, fields))).toEqual([
		'unknown: from_the_future {"payload":{"steps":[1,2]}}',
	]);
	expect(await rowsOf(message("x", null, 1, { role: "judge", verdict: "good" }))).toEqual([
		'unknown: judge {"verdict":"good"}',
	]);
});

test("a result is described without its call, before it, and a call without a result", async () => {
	expect(rowsIn(await readSession(fixture("orphaned-results").path))).toEqual([
		"prompt: run the tests",
		"result: $ | 42 passed",
		"result: read | 1 line",
		"result: $ npm test | came before its call | ✗",
		"calls: → $ npm test, $ sleep 100",
		"prompt: and now?",
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
	).toEqual(["prompt: [3 images]", "calls: → ls ., ls ., ls ., ls ., ls ., …"]);
});

test("a context edit that names itself, or another one, quotes nothing", async () => {
	const edit = (id: string, targetId: string) => entry("context_edit", id, null, 1, { targetId, replacement: null });
	expect(await rowsOf(edit("a", "a"), edit("b", "a"))).toEqual([
		"context-edit: context edit leaves out an entry",
		"context-edit: context edit leaves out an entry",
	]);
});

test("why an answer failed stands before what it had said, or thought, or called", async () => {
	const failed = { role: "assistant", stopReason: "error", errorMessage: "terminated" };
	const said = { content: [{ type: "text", text: "There are 77 usages" }], ...failed };
	const thought = {
		content: [{ type: "thinking", thinking: "Hm" }],
		...failed,
		errorMessage: `529 ${"x".repeat(100)}`,
	};
	expect(await rowsOf(message("a", null, 1, said), message("b", "a", 2, thought))).toEqual([
		"answer: ✗ terminated · There are 77 usages",
		`answer: ✗ 529 ${"x".repeat(56)}… · thinking: Hm`,
	]);
});

test("an extension's message has no markup, and a link no brackets", async () => {
	const content = "**reviewer** finished: see `src/a.ts` and <https://example.com/a?b=c>, not <div>";
	expect(await rowsOf(entry("custom_message", "a", null, 1, { customType: "review", content, display: true }))).toEqual(
		["message: review reviewer finished: see src/a.ts and https://example.com/a?b=c, not <div>"],
	);
});
