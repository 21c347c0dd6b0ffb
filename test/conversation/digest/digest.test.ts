import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Digest } from "../../../src/conversation/digest/digest.ts";
import { digestMarkdown } from "../../../src/conversation/digest/digest-markdown.ts";
import { digestRows, digestSummary, drawDigestRow } from "../../../src/conversation/digest/digest-rows.ts";
import { sumSteps } from "../../../src/conversation/glance/session-sum.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { extendSession, readSession } from "../../../src/store/read/read-session.ts";
import { lineText } from "../../../src/ui/text/line.ts";
import { assistant, header, lines, message, sessionOf, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

async function digestOf(...entries: readonly string[]): Promise<Digest> {
	return runToEnd(sumSteps(await sessionOf(...entries), "/home/me")).digest();
}

/** A call and its result: the entries `id` and `id` with a "r" behind it. */
function step(id: string, above: string, second: number, name: string, args: object, end = "", details = {}): string[] {
	const call = { type: "toolCall", id: `c${id}`, name, arguments: args };
	const content = [{ type: "text", text: end === "" ? "fine" : `broken\n\n${end}` }];
	const result = { role: "toolResult", toolCallId: `c${id}`, toolName: name, content, isError: end !== "", details };
	return [
		message(id, above, second, { role: "assistant", content: [call], stopReason: "toolUse" }),
		message(`${id}r`, id, second + 1, result),
	];
}

const bash = (id: string, above: string, second: number, command: string, end = "") =>
	step(id, above, second, "bash", { command }, end);
const edit = (id: string, above: string, second: number, path: string) =>
	step(id, above, second, "edit", { path, edits: [{ oldText: "a", newText: "b\nc" }] });
const EXIT = "Command exited with code 1";

const FIRST_TURN = [
	user("u1", null, 1, "Fix the **login**,\n\nplease"),
	...bash("t1", "u1", 2, "npm test", EXIT),
	...edit("e1", "t1r", 4, "src/a.ts"),
	...bash("t2", "e1r", 6, "cd /home/me/project && npm test 2>&1"),
	assistant("a1", "t2r", 8, "It passes."),
];

/** A branch beside the second turn, which edits another file and fails. */
const BRANCH = [
	user("b1", "a1", 10, "Try it with a cache"),
	...edit("b2", "b1", 11, "src/b.ts"),
	...edit("b3", "b2r", 13, "src/a.ts"),
	...bash("b4", "b3r", 15, "npm run lint", EXIT),
];

test("what was asked, changed, failed, answered and left open, with where it stands", async () => {
	const words = "Nearly.\n\n- [x] code\n- [ ] the **docs**\n```\n- [ ] no\n```\nTODO: a release\n\nShall I write them?";
	const digest = await digestOf(
		...FIRST_TURN,
		...BRANCH,
		user("u2", "a1", 20, "All done?"),
		assistant("a2", "u2", 21, words),
	);
	expect(digest.asked).toMatchObject([
		{ entryId: "u1", turn: 1, text: "Fix the **login**, please" },
		{ entryId: "u2", turn: 2, text: "All done?" },
	]);
	expect(digest.changed).toEqual([
		{ path: "src/a.ts", entryId: "e1r", isActive: true },
		{ path: "src/b.ts", entryId: "b2r", isActive: false },
	]);
	expect(digest.failed).toMatchObject({
		...{ entryId: "t1r", turn: 1, text: "$ npm test", outcome: "✗ exit 1", isActive: true },
		mended: { entryId: "t2r", turn: 1 },
	});
	expect(digest.answer).toMatchObject({ entryId: "a2", turn: 2, beginning: words, isWhole: true });
	expect(digest.open).toEqual([
		{ entryId: "a2", turn: 2, text: "Shall I write them?" },
		{ entryId: "a2", turn: 2, text: "the docs" },
		{ entryId: "a2", turn: 2, text: "TODO: a release" },
	]);
	expect(lineText(digestSummary(digest, 80))).toBe(
		"asked 2 · edited 1 file · open 3 · last answer “Nearly. [x] code [ ] the docs …”",
	);
});

test.each<[name: string, lines: readonly string[], failed: unknown]>([
	["another command succeeds", [...bash("t2", "t1r", 4, "npm test -- auth")], { mended: undefined }],
	[
		"the person runs it",
		[message("p", "t1r", 4, { role: "bashExecution", command: "npm test", output: "ok", exitCode: 0 })],
		{ mended: { entryId: "p" } },
	],
	[
		"it succeeds on a branch",
		[...bash("t2", "t1r", 4, "npm test"), user("u2", "t1r", 8, "Other"), assistant("a2", "u2", 9, "Yes")],
		{ mended: undefined },
	],
	[
		"another failure follows",
		[
			...step("r", "t1r", 4, "read", { path: "x" }, "ENOENT"),
			...step("s", "rr", 6, "read", { path: "./x", offset: 3 }),
		],
		{ entryId: "rr", text: "read x", mended: { entryId: "sr" } },
	],
	[
		"it only failed on a branch",
		[user("u2", null, 8, "Other"), assistant("a2", "u2", 9, "Yes")],
		{ entryId: "t1r", isActive: false, turn: 1 },
	],
])("a failure, and %s", async (_name, lines, failed) => {
	expect(
		(await digestOf(user("u1", null, 1, "Fix it"), ...bash("t1", "u1", 2, "npm test", EXIT), ...lines)).failed,
	).toMatchObject(failed as object);
});

test("a failure that was mended stays so, whatever is appended", async () => {
	const path = join(tempDir(), "grows.jsonl");
	const beginning = [user("u1", null, 1, "Fix it"), ...bash("t1", "u1", 2, "npm test", EXIT)];
	writeFileSync(path, lines(header(), ...beginning, ...bash("t2", "t1r", 4, "npm test")));
	const session = await readSession(path);
	runToEnd(sumSteps(session, "/home/me"));
	appendFileSync(path, lines(...bash("t3", "t2r", 6, "npm test")));
	const grown = (await extendSession(session)) ?? session;
	const { failed } = runToEnd(sumSteps(grown, "/home/me")).digest();
	expect([grown.entries.length, failed?.mended?.entryId]).toEqual([7, "t2r"]);
});

test("in rows, and in Markdown of any length, nothing is lost without a word", async () => {
	const prompts = Array.from({ length: 80 }, (_, at) => [
		user(`u${at}`, at === 0 ? null : `a${at - 1}`, at * 2, `Question ${at} \`<b>\` ${"long ".repeat(30)}`),
		assistant(`a${at}`, `u${at}`, at * 2 + 1, `Answer ${at} ${"and so on ".repeat(600)}`),
	]).flat();
	const digest = await digestOf(...prompts);
	const rows = digestRows(digest, true).map((row) => lineText(drawDigestRow(row, 60)).trimEnd());
	expect(rows.map((row) => row.slice(0, 24).trimEnd())).toEqual([
		"asked      1 Question 0",
		"           2 Question 1",
		"          … 76 more prom",
		"          79 Question 78",
		"          80 Question 79",
		"answered  Answer 79 and",
		"          nothing change",
	]);
	expect(digestRows(digest, false)).toHaveLength(82);
	const head = { title: "A *title*", directory: "~/project", name: "0198" };
	const whole = digestMarkdown(digest, head);
	expect(whole).toContain("- turn 80: Question 79 `<b>` long");
	expect(whole).toContain("Its beginning; the whole answer: `#a79`");
	const short = digestMarkdown(digest, head, 4000);
	expect(short.length).toBeLessThanOrEqual(4000);
	expect(short).toMatch(/- … \d+ more prompts `#u\d+`/);
	expect(digestMarkdown(digest, head, 100)).toHaveLength(100);
});
