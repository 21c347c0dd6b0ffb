import { beforeAll, describe, expect, test } from "vitest";
import { placeOf } from "../../../src/app/conversation/place.ts";
import { describeRow } from "../../../src/app/conversation/row.ts";
import { EntryLayout } from "../../../src/app/tree/entry-layout.ts";
import { entryHeading, entryPlainText, entrySections } from "../../../src/app/tree/entry-sections.ts";
import { readSession, type Session } from "../../../src/store/read/read-session.ts";
import { fixture } from "../../support/fixture.ts";
import { deepJson, entry, message, sessionOf, withJson } from "../../support/session-builder.ts";

const home = "/home/ada";

/** The sections as rows: "# title", then the text. */
function shown(session: Session, index: number): string[] {
	const one = session.entries[index];
	if (one === undefined) throw new Error(`There is no entry ${index}`);
	return [...entrySections(one, session, home)].flatMap(({ title, text }) => [
		...(title === "" ? [] : [`# ${title}`]),
		...(text === "" ? [] : text.split("\n")),
	]);
}

describe("the entries of all that pi 1.5.2 writes", () => {
	let session: Session;
	beforeAll(async () => {
		session = await readSession(fixture("pi-1.5.2").path);
	});

	/** The sections of the one entry of which the predicate's text is a part. */
	function entryWith(part: string): string[] {
		const index = session.entries.findIndex((each) => JSON.stringify(each).includes(part));
		return shown(session, index);
	}

	test("a system prompt: each section with its length, the tools with description and parameters", () => {
		const rows = shown(session, 0);
		expect(rows.slice(0, 2)).toEqual([
			"# preamble · 55 characters",
			"You are an expert coding assistant operating inside pi.",
		]);
		expect(rows).toEqual(
			expect.arrayContaining(["# cwd · 45 characters", "# 5 tools", "read, bash, edit, write, codemode"]),
		);
		const bash = rows.indexOf("# tool bash");
		expect(rows.slice(bash + 1, bash + 3)).toEqual(["Run a shell command.", "parameters: {"]);
	});

	test("a change of the prompt: the new section, the removed one, the tools that went and came", () => {
		expect(entryWith('"skills"').filter((row) => !/^[{} ]|parameters/.test(row))).toEqual([
			"# skills · 28 characters",
			"<skills>",
			"- release",
			"</skills>",
			"# context · removed",
			"# 1 tool removed",
			"write",
			"# 1 tool",
			"get_issue",
			"# tool get_issue",
			"Get an issue.",
		]);
	});

	test.each([
		["I was about to say", ["aborted: Request was aborted"]],
		["Half an answer", ["cut off: length limit (max_tokens)"]],
		["overloaded_error", ['failed: 529 {"type":"error","error":{"type":"overloaded_error"}}']],
		["batch_1#2", ["deferred: the provider answers later"]],
		["It backs off now. Jitter", ["It backs off now. Jitter is next."]],
	])("how the answer %j ended", (part, end) => {
		expect(entryWith(part).slice(-1)).toEqual(end);
	});

	test("a command of the person: its exit code, what was cut off and where all of it is, whether the model gets it", () => {
		expect(entryWith('npm run lint","output')).toEqual([
			"# $ npm run lint",
			"src/retry.ts:2 no-await-in-loop",
			"3 problems",
			"✗ exit code 1",
			"the output is truncated",
			"full output: /tmp/pi-bash-123.log",
		]);
		expect(entryWith("TOKEN").slice(-1)).toEqual(["the model does not get it (!!)"]);
		expect(entryWith("sleep 1")).toEqual(["# $ sleep 1", "(no output)"]);
		expect(entryWith("npm start").slice(-1)).toEqual(["✗ cancelled"]);
	});

	test("a call of an unknown tool is written once, its arguments below its name", () => {
		expect(entryWith("Full jitter is best")).toEqual([
			"# web_search",
			"query: exponential backoff",
			"with jitter",
			"max_results: 3",
			"Full jitter is best.",
		]);
	});

	test("a title is one line, and what it leaves out stands below it", () => {
		expect(entryWith("Command exited with code 1").slice(0, 4)).toEqual([
			"# $ npm test …",
			"command: npm test",
			"npm run lint",
			"timeout: 60",
		]);
		const titles = session.entries.flatMap((each) => [...entrySections(each, session, home)]).map(({ title }) => title);
		expect(titles.filter((title) => title.includes("\n"))).toEqual([]);
	});

	test("what a tool did by other tools, and arguments that were no JSON", () => {
		expect(entryWith("nestedCalls").slice(-5)).toEqual([
			"# 3 calls of other tools",
			'✓ find {"pattern":"*.ts"} · 31ms',
			'✗ error mcp__github__get_issue {"number":7} · 1.2s · MCP error: 404 Not Found',
			"✗ unfinished write (70.1 KB of arguments were not stored)",
			"(not all was stored)",
		]);
		expect(entryWith("argumentsError").slice(-2)).toEqual([
			"# arguments that are no JSON object",
			'Unexpected end of JSON input. The model sent: {"command": "npm te',
		]);
	});

	test("an image with its size", () => {
		expect(entryWith("What is wrong on this picture").slice(-1)).toEqual(["# image image/png, 24×16, 138 B"]);
	});

	test("an empty message says so", () => {
		expect(entryWith('"role":"user","content":""')).toEqual(["(empty)"]);
	});

	test("the heading has the model, its thinking level, how long it took, and whether the cost was billed", () => {
		const heading = (part: string) => {
			const found = session.entries.find((each) => JSON.stringify(each).includes(part));
			return found === undefined ? "" : entryHeading(found, session, home).replace(/ · \d{4}-\S+ \S+/, "");
		};
		expect(heading("Two edits are enough")).toBe(
			"assistant · claude-sonnet-4-5 · thinking high · 4.1s · 80 tokens out · $0.0120 billed · c5200005",
		);
		expect(heading("The retry backs off")).toBe("≡ compaction · 200 tokens out · $0.0180 · c520002d");
	});

	test("copy takes the whole system prompt", () => {
		const [system] = session.entries;
		expect(system === undefined ? "" : entryPlainText(system)).toMatch(
			/^You are an expert[\s\S]*\/home\/ada\/work\/api$/,
		);
	});
});

test("an unknown entry type shows its payload, and nothing that every entry has", async () => {
	const session = await sessionOf(entry("from_the_future", "x", null, 1, { payload: { steps: 2 } }));
	expect(shown(session, 0)).toEqual(["{", '  "payload": {', '    "steps": 2', "  }", "}"]);
});

describe("values of any depth and size", () => {
	const call = (args: unknown) => ({
		role: "assistant",
		content: [{ type: "toolCall", id: "c", name: "own", arguments: args }],
	});
	const deep = deepJson(6000);
	const long = "日本語 ".repeat(100_000);
	const many = Array.from({ length: 150_000 }, (_, index) => index);
	const blocks = many.map((index) => ({ type: "text", text: `${index}` }));
	const whole = (type: string, fields: object) => entry(type, "x", null, 1, fields);
	const said = (fields: object) => message("x", null, 1, fields);

	test.each<[string, string]>([
		["a deep value of an extension", withJson(whole("custom", { customType: "t", data: "DEEP" }), deep)],
		["a deep argument", withJson(said(call({ value: "DEEP" })), deep)],
		["deep details of a compaction", withJson(whole("compaction", { summary: "s", details: "DEEP" }), deep)],
		["a deep unknown entry", withJson(whole("future", { payload: "DEEP" }), deep)],
		["a deep unknown message", withJson(said({ role: "judge", verdict: "DEEP" }), deep)],
		["a deep block", withJson(said({ role: "user", content: [{ type: "new", value: "DEEP" }] }), deep)],
		[
			"a deep tool",
			withJson(said({ role: "system", content: "", toolsAdded: [{ name: "t", parameters: "DEEP" }] }), deep),
		],
		["a long text", said({ role: "user", content: long })],
		[
			"a long text in blocks",
			said({
				role: "user",
				content: [
					{ type: "text", text: long },
					{ type: "text", text: long },
				],
			}),
		],
		["a long command with long output", said({ role: "bashExecution", command: long, output: long, exitCode: 1 })],
		["a long section of a prompt", said({ role: "system", content: "", sections: { long } })],
		["a long argument", said(call({ value: long }))],
		["a long list as argument", said(call({ value: many }))],
		["a list in place of the arguments", said(call(many))],
		["as many blocks", said({ role: "user", content: blocks })],
		["as many tools", said({ role: "system", content: "", toolsAdded: many.map((index) => ({ name: `t${index}` })) })],
		[
			"as many sections",
			said({ role: "system", content: "", sections: Object.fromEntries(many.map((index) => [`s${index}`, "x"])) }),
		],
	])("%s: its row and its page are bounded", async (_what, line) => {
		const session = await sessionOf(line);
		const [one] = session.entries;
		if (one === undefined) throw new Error("The entry was not read");
		const { verb, text, said } = describeRow(one, session, placeOf(session, home));
		expect((verb?.text.length ?? 0) + text.length + said.length).toBeLessThan(2500);
		const { rows } = new EntryLayout(one, session, home, 80);
		expect(rows.length).toBeGreaterThan(2);
		expect(rows.reduce((sum, row) => sum + row.text.length, 0)).toBeLessThan(220_000);
	});
});
