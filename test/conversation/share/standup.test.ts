import { expect, test } from "vitest";
import { endingOf } from "../../../src/conversation/entries/ending.ts";
import { escapedLine } from "../../../src/conversation/markdown/markdown-parts.ts";
import { standupMarkdown, workIn } from "../../../src/conversation/share/standup.ts";
import { standupFamilies } from "../../../src/conversation/share/standup-families.ts";
import { formatDay } from "../../../src/ui/text/format.ts";
import { makeRow } from "../../support/rows.ts";
import { assistant, entry, message, sessionOf, toolResult, user } from "../../support/session-builder.ts";

const HOME = "/home/me";
/** Of the entries of the session builder: second 0. */
const START = Date.UTC(2026, 0, 1);
const DAY = 86_400;
const since = (second: number) => ({ from: START + second * 1000, to: Number.POSITIVE_INFINITY });
const row = makeRow("fix", { cwd: "/work/api" });

test("only what was said since then is told, and a copy in a fork is not counted again", async () => {
	const old = [user("a", null, 1, "Old question"), assistant("b", "a", 2, "Old answer")];
	const copied = [user("c", "b", DAY, "New\n\nquestion"), assistant("d", "c", DAY + 30, "**New** answer")];
	const counted = new Set<string>();
	const first = workIn(row, await sessionOf(...old, ...copied), since(DAY), { home: HOME, counted });
	expect(first).toMatchObject({ prompts: ["New question"], said: "New answer", ending: undefined });
	expect(first?.sum).toMatchObject({ turns: 1, cost: 0.03, workedMs: 30_000 });
	const fork = await sessionOf(...old, ...copied, user("e", "d", DAY + 60, "Go on"));
	const second = workIn(row, fork, since(DAY), { home: HOME, counted });
	expect(second).toMatchObject({ prompts: ["Go on"], said: "", sum: { turns: 1, cost: 0 } });
	expect(workIn(row, fork, since(DAY), { home: HOME, counted })).toBeUndefined();
	expect(workIn(row, fork, since(2 * DAY), { home: HOME, counted: new Set() })).toBeUndefined();
});

test.each<[name: string, lines: string[], expected: unknown]>([
	["an answer", [user("a", null, 1, "Do it"), assistant("b", "a", 2, "Done.")], undefined],
	[
		"a question",
		[user("a", null, 1, "Do it"), assistant("b", "a", 2, "I can. Which of **both?**\n")],
		{ kind: "asks", text: "Which of **both?**" },
	],
	[
		"a question in Japanese",
		[assistant("b", null, 2, "できます。どちらですか？")],
		{ kind: "asks", text: "どちらですか？" },
	],
	["a question before the end", [assistant("b", null, 2, "Why? Because.")], undefined],
	["a prompt", [user("a", null, 1, "Do it")], { kind: "unanswered", text: "the last prompt was not answered" }],
	[
		"a result",
		[assistant("a", null, 1, "x"), toolResult("b", "a", 2, "out")],
		{ kind: "unanswered", text: "the last result was not answered" },
	],
	[
		"a call",
		[
			message("a", null, 1, {
				role: "assistant",
				content: [{ type: "toolCall", id: "c", name: "bash", arguments: {} }],
				stopReason: "toolUse",
			}),
		],
		{ kind: "open-call", text: "the last call has no result" },
	],
	[
		"an aborted answer",
		[message("a", null, 1, { role: "assistant", content: [], stopReason: "aborted" })],
		{ kind: "aborted", text: "the last answer was aborted" },
	],
	[
		"a name after an answer",
		[assistant("a", null, 1, "Done."), entry("session_info", "b", "a", 2, { name: "x" })],
		undefined,
	],
	["nothing", [], undefined],
])("a conversation that ends with %s", async (_name, lines, expected) => {
	const ending = endingOf(await sessionOf(...lines));
	expect(ending && { kind: ending.kind, text: ending.text }).toEqual(expected);
});

test("of each run the larger counts of what its session has cost and what is reported for it", async () => {
	const reported = (id: string, parentId: string | null, runId: string, total: number): string => {
		const cost = { input: 0, output: total, cacheRead: 0, cacheWrite: 0, total };
		const usage = { input: 10, output: 20, cacheRead: 0, cacheWrite: 0, totalTokens: 30, cost };
		const completions = [{ runId, agent: "scout", state: "complete", results: [{ agent: "scout", exitCode: 0 }] }];
		const fields = { toolCallId: id, toolName: "bg_wait", content: [], isError: false, details: { completions } };
		return message(id, parentId, DAY, { role: "toolResult", usage, ...fields });
	};
	const parent = await sessionOf(
		...[user("a", null, DAY, "Ask two"), assistant("b", "a", DAY, "Yes")],
		...[reported("c", "b", "r1", 1), reported("d", "c", "r2", 0.01)],
	);
	const run = makeRow("run", { run: { parent: row.path, runId: "r2", index: 0, isFork: false } });
	const works = [
		workIn(row, parent, since(0), { home: HOME, counted: new Set() }),
		workIn(run, await sessionOf(assistant("e", null, DAY, "Done")), since(0), {
			home: HOME,
			counted: new Set(),
		}),
	].filter((work) => work !== undefined);
	const [family, ...others] = standupFamilies(works, (path) => (path === row.path ? row : undefined));
	expect(others).toEqual([]);
	// The parent's answer, what is reported of the run that has no session, and the answer of the one that has.
	expect([family?.runs, family?.sum.cost]).toEqual([2, expect.closeTo(0.03 + 1 + 0.03, 6)]);
});

test("the Markdown has each session under its project, and no text of a session is markup in it", async () => {
	const evil = "# <b>x</b> [l](http://x) `c` | \u001b[2J\n## y";
	const session = await sessionOf(user("a", null, DAY, evil), assistant("b", "a", DAY + 5, "Shall I *go on*?"));
	const digest = workIn(row, session, since(0), { home: HOME, counted: new Set() });
	const text = standupMarkdown(
		standupFamilies(digest === undefined ? [] : [digest], () => undefined),
		`Since ${formatDay(START)}`,
		HOME,
	);
	expect(text.split("\n").filter((line) => line.startsWith("#"))).toEqual([
		`# Since ${formatDay(START)}`,
		"## /work/api",
		expect.stringMatching(/^### /),
	]);
	expect(text).toContain("1 session · 1 prompt · 5.0s · $0.03\n");
	expect(text).toContain("- asked: x l c \\| ".slice(0, 9));
	expect(text).not.toContain("\u001b");
	expect(text).not.toMatch(/(?<!\\)</);
	expect(text).toContain("- **open**: Shall I \\*go on\\*?");
	expect(standupMarkdown([], "Today", HOME)).toContain("Nothing was said in any session.");
});

test.each([
	["~/work/api and 0042_line_items > 50 | a & b", "~/work/api and 0042_line_items > 50 | a & b"],
	["run `git rebase --onto *x*` # now", "run `git rebase --onto *x*` # now"],
	["2 * 3 is *not* _so_ ~~here~~, `half", "2 * 3 is \\*not\\* \\_so\\_ ~\\~here\\~\\~, \\`half"],
	["# <b> [l](u) [x] &amp; C:\\*", "\\# \\<b> [l\\](u) [x] \\&amp; C:\\\\\\*"],
	["> - [ ] ok ##", "\\> - [ ] ok \\#\\#"],
])("of %s only what would be markup has a backslash", (text, expected) => {
	expect(escapedLine(text, 200)).toBe(expected);
});

test("a time has its day, and where it ends on another one, that too", async () => {
	const sum = async (...seconds: readonly number[]): Promise<string> => {
		const lines = seconds.map((second, at) => user(String(at), at === 0 ? null : String(at - 1), second, "Do it"));
		const work = workIn(row, await sessionOf(...lines), since(0), { home: HOME, counted: new Set() });
		const text = standupMarkdown(
			standupFamilies(work === undefined ? [] : [work], () => undefined),
			"Today",
			HOME,
		);
		return text.split("\n").find((line) => line.endsWith(" · `fix`")) ?? "";
	};
	expect(await sum(DAY, DAY + 3600)).toMatch(/^[A-Z][a-z]{2} \d+ Jan \d+:\d\d–\d+:\d\d · /);
	expect(await sum(DAY, 4 * DAY)).toMatch(
		/^([A-Z][a-z]{2}) (\d+) Jan \d+:\d\d – (?!\1)[A-Z][a-z]{2} (?!\2)\d+ Jan \d+:\d\d · /,
	);
});

test("a title is told whole, and what was asked first only where it is not the title", async () => {
	const prompt = `Describe ${"each of the many parts ".repeat(9)}of it`;
	const work = workIn(row, await sessionOf(user("a", null, 1, prompt), user("b", "a", 2, "Go on")), since(0), {
		home: HOME,
		counted: new Set(),
	});
	if (work === undefined) return expect.fail("nothing was done");
	const told = (name?: string): string =>
		standupMarkdown(
			standupFamilies([{ ...work, row: { ...row, firstMessage: prompt, name } }], () => undefined),
			"Today",
			HOME,
		);
	expect(told().match(/^(?:###|- asked:).*/gm)).toEqual([`### ${prompt}`, "- asked: Go on"]);
	expect(told("A name").match(/^(?:###|- asked:).*/gm)).toEqual([
		"### A name",
		expect.stringContaining("- asked: Describe each"),
		"- asked: Go on",
	]);
});
