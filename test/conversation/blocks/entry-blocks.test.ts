import { beforeAll, describe, expect, test } from "vitest";
import { entryPlainText } from "../../../src/conversation/markdown/plain-text.ts";
import { loadRenderers } from "../../../src/conversation/render/renderers.ts";
import { readSession, type Session } from "../../../src/store/read/read-session.ts";
import { inShort } from "../../support/cases.ts";
import { fixture } from "../../support/fixture.ts";
import { FOLDED, type Reading, readingOf, rowsOfEntry, textOfLine } from "../../support/reader.ts";
import {
	assistant,
	deepJson,
	entry,
	label,
	message,
	sessionOf,
	user,
	withJson,
} from "../../support/session-builder.ts";

/** The rows of the first entry of which the text is a part, without the blanks of the gutter and of what stands at the right, and blank rows. */
function shown(session: Session, part: string, reading: Reading = {}): string[] {
	const index = session.entries.findIndex((each) => JSON.stringify(each).includes(part));
	if (index === -1) throw new Error(`There is no entry with ${part}`);
	return rowsOfEntry(readingOf(session, reading), index)
		.map((row) =>
			row
				.replace(/^ {2}/, "")
				.replace(/(?<=\S) {2,}/g, " ")
				.replace(/ ◂ end$/, ""),
		)
		.filter((row) => row !== "");
}

describe("the entries of all that pi 1.5.2 writes", () => {
	let session: Session;
	beforeAll(async () => {
		session = await readSession(fixture("pi-1.5.2").path);
	});
	const entryWith = (part: string, options: Reading["options"] = {}) => shown(session, part, { options });

	test("the preamble is one row, and open each section and tool folded to a row, with its length", () => {
		const words = "system prompt · 277 characters · 5 tools · claude-sonnet-4-5, thinking high";
		expect(entryWith('"preamble"')).toEqual([`▸ ${words}`]);
		for (const choice of ['"model_change"', '"thinking_level_change"']) expect(entryWith(choice)).toEqual([]);
		const toggled = new Set(["system/c5200001"]);
		expect(entryWith('"preamble"', { toggled }).slice(0, 6)).toEqual([
			`▾ ${words}`,
			"▸ preamble · 55 characters",
			"▸ tools · 131 characters",
			"▸ context · 46 characters",
			"▸ cwd · 45 characters",
			"  5 tools: read, bash, edit, write, codemode",
		]);
		expect(entryWith('"model_change"', { toggled })).toEqual(["model anthropic/claude-sonnet-4-5"]);
		const open = entryWith('"preamble"', { toolsOpen: true });
		expect(open.slice(1, 3)).toEqual([
			"▾ preamble · 55 characters",
			"  You are an expert coding assistant operating inside pi.",
		]);
		const bash = open.indexOf("▾ tool bash");
		expect(open.slice(bash + 1, bash + 3)).toEqual(["  Run a shell command.", "  parameters: {"]);
	});

	test("without a system prompt, what was chosen first is one row, in which a search finds all of it", async () => {
		const chosen = await sessionOf(
			entry("model_change", "m", null, 1, { modelId: "large", provider: "acme" }),
			entry("thinking_level_change", "t", "m", 2, { thinkingLevel: "high" }),
			user("u", "t", 3, "start"),
		);
		const document = readingOf(chosen);
		expect(rowsOfEntry(document, 0)).toEqual(["  large, thinking high"]);
		expect(rowsOfEntry(document, 1)).toEqual([]);
		const texts = [0, 1].map((index) => document.pieces(index).map(({ text }) => text));
		expect(texts).toEqual([
			["large, thinking high", ""],
			["", ""],
		]);
	});

	test("a change of the prompt: in one row, and open the new section, the removed one, the tools that went and came", () => {
		expect(entryWith('"skills"')).toEqual([
			"▸ system · 1 tool added: get_issue · 1 tool removed: write · skills (28 charact…",
		]);
		expect(entryWith('"skills"', { toggled: new Set(["system/c5200024"]) })).toEqual([
			"▾ system · 1 tool added: get_issue · 1 tool removed: write · skills (28 charact…",
			"▸ skills · 28 characters",
			"  context · removed",
			"  1 tool removed: write",
			"  1 tool: get_issue",
			"▸ tool get_issue",
		]);
	});

	test.each([
		["I was about to say", ["aborted: Request was aborted"]],
		["Half an answer", ["cut off: length limit (max_tokens)"]],
		["overloaded_error", ['✗ failed: 529 {"type":"error","error":{"type":"overloaded_error"}}']],
		["batch_1#2", ["deferred: the provider answers later"]],
	])("how the answer %j ended", (part, end) => {
		expect(entryWith(part).slice(-1)).toEqual(end);
	});

	test("a command of the person: its exit code, what was cut off and where all of it is, whether the model gets it", () => {
		expect(entryWith('npm run lint","output')).toEqual([
			"! npm run lint truncated ✗ exit 1",
			"src/retry.ts:2 no-await-in-loop",
			"3 problems",
			"the output is truncated",
			"full output: /tmp/pi-bash-123.log",
		]);
		expect(entryWith("TOKEN")).toEqual(["! env | grep TOKEN", "TOKEN=secret", "the model does not get it (!!)"]);
		expect(entryWith("sleep 1")).toEqual(["! sleep 1", "(no output)"]);
		expect(entryWith("npm start")[0]).toBe("! npm start stopped");
	});

	test("a call of an unknown tool: its arguments below its name, then its output", () => {
		expect(entryWith("Full jitter is best")).toEqual([
			"▸ web_search exponential backoff with jitter 1.0s",
			"query: exponential backoff",
			"with jitter",
			"max_results: 3",
			"Full jitter is best.",
		]);
	});

	test("a command of several lines is whole; what else was asked for is one of its details", () => {
		const command = ["$ npm test ✗ exit 1 · 8.4s", "npm run lint"];
		expect(entryWith("Command exited with code 1").slice(0, 3)).toEqual([...command, "1 failed"]);
		const detailed = entryWith("Command exited with code 1", { withDetails: true });
		expect(detailed.slice(0, 4)).toEqual([...command, "timeout: 60", "1 failed"]);
	});

	test("what a tool did by other tools, and arguments that were no JSON", () => {
		expect(entryWith("nestedCalls").slice(-5)).toEqual([
			"3 calls of other tools",
			"✓ find *.ts · 31ms",
			"✗ error github/get_issue number=7 · 1.2s · MCP error: 404 Not Found",
			"unfinished write (70.1 KB of arguments were not stored)",
			"(not all was stored)",
		]);
		expect(entryWith("argumentsError").join(" ")).toContain(
			'arguments that are not a JSON object: Unexpected end of JSON input. The model sent: {"command": "npm te',
		);
	});

	test("an image with its size", () => {
		expect(entryWith("What is wrong on this picture").slice(-1)).toEqual(["▣ image png, 24×16, 138 B"]);
	});

	test("an empty message says so", () => {
		expect(entryWith('"role":"user","content":""')[0]).toMatch(/^❯ \(empty\) +9:00$/);
	});

	test("a thought in one row, and as a whole", () => {
		expect(entryWith("Two edits are enough")).toEqual([
			"▸ thought for 4.1s: Two edits are enough. First look at the file.",
		]);
		expect(entryWith("Two edits are enough", { thinkingOpen: true })).toEqual([
			"▾ thought for 4.1s",
			"Two edits are enough. First look at the file.",
		]);
	});

	test("an answer has among its details its model, how long it took, what it cost, and whether that was billed", () => {
		const details = (part: string) => entryWith(part, { withDetails: true }).join(" ");
		const cost = "1.5k sent, 80 received, 9.0k cached · $0.01";
		expect(details("The arrow points the wrong way")).toContain(`claude-sonnet-4-5 · ${cost}`);
		expect(details("It backs off now")).toContain(`claude-sonnet-4-5 · 1m 1s · ${cost}`);
		expect(entryWith("It backs off now")[0]).toBe("It backs off now. Jitter is next.");
	});

	test("a summary with what it is of, and from where the conversation is kept", () => {
		expect(entryWith("The retry backs off; jitter is left")).toEqual([
			"≡ compaction of 51.0k tokens 200 tokens $0.02",
			"The retry backs off; jitter is left.",
			"▸ details",
			"kept from entry c520002a",
			"▸ preamble · 55 characters",
			"  1 tool: read",
			"▸ tool read",
		]);
	});

	test("copy takes the whole system prompt, and its row shows that", () => {
		const document = readingOf(session);
		const index = session.entries.findIndex((each) => JSON.stringify(each).includes('"preamble"'));
		expect(document.pieces(index).map(({ isCopied }) => isCopied)).toEqual([true, false]);
		const [system] = session.entries;
		expect(system === undefined ? "" : entryPlainText(system)).toMatch(
			/^You are an expert[\s\S]*\/home\/ada\/work\/api$/,
		);
	});
});

describe("a session with one of everything to read", () => {
	let session: Session;
	beforeAll(async () => {
		session = await readSession(fixture("conversation").path);
	});

	test("a damaged line stands in its place", () => {
		expect(shown(session, "jsonlines.org", { width: 120 }).at(-1)).toMatch(/^✗ Line 34 is not JSON/);
	});

	test("a call is not shown where its result is", () => {
		expect(shown(session, '"id":"call_02"')).toEqual([]);
	});

	test("a long output has its head and tail, until it is unfolded", () => {
		const folded = shown(session, "keeps the last record\\n");
		expect(folded).toContain("     11 more lines · o unfolds");
		const open = shown(session, "keeps the last record\\n", { options: { toolsOpen: true } });
		expect(open.length).toBe(folded.length + 10);
		expect(open).toContain("    at frame 9");
	});

	test("every entry has rows, unless all that it did is shown with its results", () => {
		const document = readingOf(session);
		const empty = session.entries.filter((_, index) => rowsOfEntry(document, index).length === 0);
		for (const { id, type } of empty) {
			// A label stands beside its entry, a choice before the first prompt in the row of the preamble.
			if (type === "label" || type === "model_change" || type === "thinking_level_change") continue;
			expect(type).toBe("message");
			expect(JSON.stringify(session.tree.byId.get(id))).toContain("toolCall");
		}
		expect(empty.length).toBeGreaterThan(0);
	});
});

test("an unknown entry type shows its payload, and nothing that every entry has", async () => {
	const session = await sessionOf(entry("from_the_future", "x", null, 1, { payload: { steps: 2 } }));
	expect(shown(session, "from_the_future")).toEqual([
		"from_the_future",
		"{",
		'  "payload": {',
		'    "steps": 2',
		"  }",
		"}",
	]);
});

test("why an answer failed stands first; where one was cut off, at its end", async () => {
	const content = [{ type: "text", text: "There are 77 usages." }];
	const failed = { role: "assistant", content, stopReason: "error", errorMessage: "terminated" };
	const cut = { role: "assistant", content: [{ type: "text", text: "And so" }], stopReason: "length" };
	const session = await sessionOf(message("a", null, 1, failed), message("b", "a", 2, cut));
	expect(shown(session, "77").slice(-2)).toEqual(["✗ failed: terminated", "There are 77 usages."]);
	expect(shown(session, "And so").slice(-2)).toEqual(["And so", "cut off: length limit"]);
});

test("of a long output that failed, the first line that says why stays in sight, wherever it is", async () => {
	const call = { type: "toolCall", id: "c", name: "bash", arguments: { command: "npm test" } };
	const lines = Array.from({ length: 86 }, (_, index) => `line ${index}`)
		.with(40, "Error: expected 11 to be 12")
		.with(41, "    at test/import.test.ts:41:18");
	const result = {
		...{ role: "toolResult", toolCallId: "c", toolName: "bash", isError: true },
		content: [{ type: "text", text: lines.join("\n") }],
	};
	const session = await sessionOf(
		user("u", null, 1, "go"),
		assistant("a", "u", 2, "", [call]),
		message("r", "a", 3, result),
	);
	const rows = shown(session, "expected 11");
	const at = rows.indexOf("Error: expected 11 to be 12");
	expect(rows.slice(at - 2, at + 2)).toEqual([
		"line 3",
		"     36 more lines · o unfolds",
		"Error: expected 11 to be 12",
		"    at test/import.test.ts:41:18",
	]);
	expect(rows).toContain("     31 more lines · o unfolds");
	expect(rows).toContain("line 85");
});

test("a call without a result says so", async () => {
	const call = { type: "toolCall", id: "c", name: "bash", arguments: { command: "sleep 100" } };
	const session = await sessionOf(user("u", null, 1, "go"), assistant("a", "u", 2, "", [call]));
	expect(shown(session, "sleep 100")).toEqual(["$ sleep 100 no result"]);
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

	const lines: readonly (readonly [what: string, line: string])[] = [
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
	];
	// Blocks stand for all that is one of very many.
	const isShort = ([what]: (typeof lines)[number]) => !["as many tools", "as many sections"].includes(what);
	test.each(inShort(lines, isShort))("%s: each piece of it is bounded", async (_what, line) => {
		const session = await sessionOf(line);
		// In the test command what has very many parts is only read open.
		const ways = [FOLDED, { ...FOLDED, toolsOpen: true, thinkingOpen: true }];
		for (const options of inShort(ways, ({ toolsOpen }) => toolsOpen || line.length < 1_000_000)) {
			const document = readingOf(session, { options });
			const pieces = document.pieces(0);
			expect(pieces.length).toBeGreaterThan(0);
			for (const index of [...pieces.keys()].slice(0, 50)) {
				const rows = document.rows(0, index);
				expect(
					rows.reduce((sum, { line: spans }) => sum + spans.reduce((all, { text }) => all + text.length, 0), 0),
				).toBeLessThan(70_000);
			}
		}
	});
});

test("a prompt is rendered like an answer, with its own line ends; what wraps in a list hangs", async () => {
	const text = "Look at this:\nfirst\nsecond\n\n- since **last week** it fails in the whole test run of ours\n- `b`";
	const session = await sessionOf(user("u", null, 1, text));
	const document = readingOf(session, { width: 40, renderers: await loadRenderers() });
	expect(rowsOfEntry(document, 0).map((row) => row.replace(/ +◂ (end|pi).*$/, ""))).toEqual([
		"❯ Look at this:",
		"  first",
		"  second",
		"",
		"  • since last week it fails in the",
		"    whole test run of ours",
		"  • b",
		"",
	]);
	expect(document.rows(0, 0).every(({ ground }) => ground === "prompt" || ground === undefined)).toBe(true);
});

test("the error of a tool is wrapped between words", async () => {
	const error = "Could not find the exact text in src/a.ts. It must match with all whitespace and newlines.";
	const result = { role: "toolResult", toolCallId: "c", toolName: "edit", isError: true };
	const session = await sessionOf(message("r", null, 1, { ...result, content: [{ type: "text", text: error }] }));
	const rows = rowsOfEntry(readingOf(session, { width: 40 }), 0).map((row) => row.trim());
	expect(rows).toContain("Could not find the exact text in");
	expect(rows.join(" ")).toContain(error);
});

test("pi's note below a part of a file is not code", async () => {
	const call = { type: "toolCall", id: "c", name: "read", arguments: { path: "a.ts" } };
	const text = "const a = 1;\n\n[74 more lines in file. Use offset=1290 to continue.]";
	const session = await sessionOf(
		message("a", null, 1, { role: "assistant", content: [call], stopReason: "toolUse" }),
		message("r", "a", 2, {
			...{ role: "toolResult", toolCallId: "c", toolName: "read", isError: false },
			content: [{ type: "text", text }],
		}),
	);
	const document = readingOf(session, { renderers: await loadRenderers(), options: { toolsOpen: true } });
	for (const piece of document.pieces(1).keys()) if (document.isPlain(1, piece)) document.color(1, piece);
	const lines = document.pieces(1).flatMap((_, piece) => document.rows(1, piece).map(({ line }) => line));
	const note = lines.find((line) => textOfLine(line).includes("74 more lines")) ?? expect.fail();
	expect(note.at(-1)).toMatchObject({ tone: "muted" });
	expect(lines.some((line) => line.some(({ tone }) => tone === "keyword"))).toBe(true);
});

test("a label that stands beside its entry has no row; one that was replaced or is elsewhere has", async () => {
	const session = await sessionOf(
		user("u", null, 1, "why"),
		label("l1", "u", 2, "u", "first"),
		label("l2", "l1", 3, "u", "second"),
		label("l3", "l2", 4, "gone", "nowhere"),
	);
	for (const page of [true, false]) {
		const document = readingOf(session, { options: { page } });
		expect(rowsOfEntry(document, 0).join(" ")).toContain("⚑ second");
		expect(rowsOfEntry(document, 1).join(" ")).toContain("⚑ first on u");
		expect(rowsOfEntry(document, 2)).toEqual([]);
		expect(rowsOfEntry(document, 3).join(" ")).toContain("⚑ nowhere on gone");
	}
});
