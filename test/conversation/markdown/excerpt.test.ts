import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Excerpt, excerptMarkdown, excerptName } from "../../../src/conversation/markdown/excerpt.ts";
import { chunksOf, withoutControls } from "../../../src/conversation/markdown/plain-text.ts";
import { readSession, type Session } from "../../../src/store/read/read-session.ts";
import { caseCount } from "../../support/cases.ts";
import { fixture } from "../../support/fixture.ts";
import { assistant, message, sessionOf, toolResult, user } from "../../support/session-builder.ts";

const home = "/home/ada";

function markdown(session: Session, of: Excerpt["of"], entryId: string): string {
	return [...excerptMarkdown({ of, session, entryId, title: "A title" }, home)].join("");
}

describe("all that pi 1.5.2 writes", () => {
	let session: Session;
	beforeAll(async () => {
		session = await readSession(fixture("pi-1.5.2").path);
	});

	test.each([
		["an answer and its thinking", "c5200005", "> *thinking*\n>\n> Two edits are enough. First look at the file.\n\n"],
		["an edit as its diff", "c5200009", "**edit** `src/retry.ts` · +1 −1\n\n```diff\n 1 export async"],
		["a command with its output", "c520000c", "✗ exit 1 8.4s\n\n```console\n$ npm test\nnpm run lint\n1 failed\n"],
		["a written file as code", "c520000b", "**write** `test/retry.test.ts` · 3 lines\n\n```ts\nimport { retry }"],
		["a command of the person", "c520001f", "**!** truncated ✗ exit 1\n\n```console\n$ npm run lint\n"],
		["an image", "c5200004", "*[image png 24×16]*"],
		["an answer that was cut off", "c520001a", "**cut off: length limit (max_tokens)**"],
		[
			"the arguments of an unknown tool",
			"c5200017",
			"```\nquery: exponential backoff\nwith jitter\nmax_results: 3\n```",
		],
		["a label", "c5200004", "*⚑ the picture*"],
		["a compaction", "c520002d", "> *compaction: a summary of all before*\n>\n> The retry backs off"],
		["another model", "c5200028", "*model router/smart*"],
	])("%s", (_what, id, expected) => {
		expect(markdown(session, "entry", id)).toContain(expected);
	});

	test("a turn is from its prompt to the next one", () => {
		const turn = markdown(session, "turn", "c5200009");
		expect(turn).toMatch(/^## You · .+\n\n\*⚑ the picture\*\n\nWhat is wrong/);
		expect(turn).toContain("## claude-sonnet-4-5 · ");
		expect(turn).toContain("npm start");
		expect(turn).not.toContain("Add jitter");
		expect(markdown(session, "turn", "c5200001")).toContain("> *system*");
	});

	test("a branch is the whole path, with its sum", () => {
		const branch = markdown(session, "branch", "c5200036");
		expect(branch).toMatch(/^# A title\n\n~\/work\/api · \d+ steps · 5✗ · 2 files · /);
		expect(branch).toContain("Go on with jitter.");
		expect(branch).not.toContain("Add jitter.");
	});
});

test("no text ends its fence, and no escape sequence gets through", async () => {
	const evil = "````\nfence\n```\n\u001b[31mred\u001b]52;c;eA==\u0007\u009b31m\r\nend";
	const session = await sessionOf(
		user("a", null, 1, `prompt \u001b[2J`),
		assistant("b", "a", 2, "answer \u0007"),
		toolResult("c", "b", 3, evil),
		message("d", "c", 4, { role: "assistant", content: [{ type: "thinking", thinking: "one\ntwo\u001b[1m" }] }),
	);
	const text = markdown(session, "branch", "d");
	expect(text).toContain("`````console\n````\nfence\n```\nred\nend\n`````\n");
	expect(text).toContain("> one\n> two\n");
	expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
});

test("a very long text comes in pieces, with a chance to pause before each", async () => {
	const session = await sessionOf(toolResult("a", null, 1, "a line of an output, `x`\n".repeat(400_000)));
	const pieces = [...excerptMarkdown({ of: "branch", session, entryId: "a", title: "t" }, home)];
	const size = pieces.reduce((sum, { length }) => sum + length, 0);
	expect(size).toBeGreaterThan(10_000_000);
	expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(40_000);
	// Looking for the longest fence goes through all of it too.
	expect(pieces.length).toBeGreaterThan((2 * size) / 40_000);
});

test("the pieces of a text are the text, whole characters each", () => {
	const units = fc.constantFrom("a", "\n", "\r\n", "😀", "\ud800", "\udc00", "x".repeat(31_998), "\r");
	fc.assert(
		fc.property(fc.array(units, { maxLength: 8 }), (parts) => {
			const text = parts.join("");
			const pieces = [...chunksOf(text)];
			expect(pieces.join("") === text).toBe(true);
			expect(pieces.map(withoutControls).join("") === withoutControls(text)).toBe(true);
		}),
		{ numRuns: caseCount(100) },
	);
});

test.each([
	["Refactor the import parser", "refactor-the-import-parser"],
	["../../etc/passwd", "etc-passwd"],
	["検索を日本語に対応させる", "検索を日本語に対応させる"],
	["\u001b]0;x\u0007", "0-x"],
	["🌱", "session"],
	["word ".repeat(50), "word-word-word-word-word-word-word-word-word-word-word-word"],
	["x".repeat(5000), "x".repeat(60)],
	// Windows opens a device for these, whatever their extension.
	["Con", "session-con"],
	["LPT1?", "session-lpt1"],
	["COM²", "session-com²"],
	["con man", "con-man"],
	["com10", "com10"],
])("the file of %j is named %s", (title, name) => {
	expect(excerptName({ of: "branch", entryId: "a", title })).toBe(name);
	expect(excerptName({ of: "turn", entryId: "a/../b", title })).toBe(`${name}-turn-ab`);
});
