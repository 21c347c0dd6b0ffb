import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseQuery } from "../../../src/catalog/query/parse-query.ts";
import { findRipgrep } from "../../../src/catalog/search/find-ripgrep.ts";
import { caseCount } from "../../support/cases.ts";
import { randomSession } from "../../support/random-session.ts";
import { hitLines, oracle, searchPaths } from "../../support/search-oracle.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const hard = fc.constantFrom(
	"user",
	"text",
	"type: message",
	"toolUse stop",
	"bash",
	"2026-01-05",
	"deadbeef",
	"café déjà vu",
	"cafe\u0301 de\u0301ja\u0300",
	"\u1ead \u00e2\u0323 a\u0302\u0323",
	"検索を速く",
	"검색 \u1100\u1165\u11b7",
	"\uf900 豈",
	"Straße İstanbul ΟΔΟΣ οδος",
	"\u212aelvin \u017fchool",
	'say "hi" to C:\\path\\new',
	"src/user.ts",
	"tab\there\nnew line\u001b[31m",
	"\u2028 \u{1f600} 😀",
	"a1b2 8472 3.14 1e5",
	"x\u0302y \u0958 क",
	"crème brûlée Ångström ŒUVRE naïve",
	"cre\u0300me bru\u0302lée \u212bngstro\u0308m",
	"Ёлка йод ёж Άλφα ᾧ έ",
	"ệ é\u0323 e\u0302\u0323x",
	"のが か\u3099",
	"; ` <b>&amp;</b>",
	"don’t say “maybe” or ‘no’ to a re–try — or re-try",
	"don't say \"maybe\" or 'no' to a re-try - 7−5",
	"re\u00adtry m\u200be\u2060dia ca\u200bfe\u0301 na\u00ad\u0308ive \ufeff\u200fx\u202ey",
	"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0645\u06cc\u062e\u0648\u0627\u0647\u0645 \u0915\u094d\u200d\u0937",
	"\u26a0\ufe0f warning 1\ufe0f\u20e3 \u{1f469}\u200d\u{1f4bb} x\u{e0101}y \u03b1\u200b\u03bb\u03c6\u03b1 \u0439\u00ad\u043e\u0434 \u691c\u2060\u7d22",
);
const words = fc.array(fc.oneof(hard, fc.string({ maxLength: 12 }), fc.string({ unit: "grapheme", maxLength: 8 })), {
	minLength: 1,
	maxLength: 3,
});
const text = words.map((some) => some.join(" "));
const id = fc.stringMatching(/^[0-9a-f]{8}$/);
const args = fc.dictionary(
	fc.oneof(
		fc.constantFrom("command", "path", "type", "id", "role", "text", "stopReason", "data"),
		fc.string({ maxLength: 5 }),
	),
	fc.oneof(
		text,
		fc.integer(),
		fc.double({ noNaN: true, noDefaultInfinity: true }),
		fc.array(text, { maxLength: 2 }),
		fc.record({ type: text }),
	),
	{ maxKeys: 4 },
);
const block = fc.oneof(
	fc.record({ type: fc.constant("text"), text }),
	fc.record({ type: fc.constant("thinking"), thinking: text, thinkingSignature: text }),
	fc.record({ type: fc.constant("toolCall"), id, name: fc.constantFrom("bash", "edit", "user"), arguments: args }),
);
const nestedCalls = fc.record({
	complete: fc.boolean(),
	calls: fc.array(
		fc.record(
			{ id, name: fc.constantFrom("bash", "edit", "user"), status: fc.constant("error"), arguments: args, error: text },
			{ requiredKeys: ["name"] },
		),
		{ maxLength: 3 },
	),
});
const diagnostic = fc.record({
	type: text,
	details: fc.record({
		transformations: fc.array(fc.record({ type: text, id, action: text, reason: text }), { maxLength: 2 }),
	}),
});
const message = fc.oneof(
	fc.record({
		role: fc.constantFrom("user", "custom"),
		content: fc.oneof(text, fc.array(block, { maxLength: 2 })),
		timestamp: fc.nat(),
	}),
	fc.record({
		role: fc.constant("assistant"),
		content: fc.array(block, { maxLength: 3 }),
		api: fc.constant("anthropic-messages"),
		provider: fc.constantFrom("anthropic", "user"),
		model: fc.constantFrom("claude-sonnet", "text"),
		usage: fc.record({ input: fc.nat(), cost: fc.record({ total: fc.double({ noNaN: true }) }) }),
		stopReason: fc.constantFrom("toolUse", "stop"),
		timestamp: fc.nat(),
		diagnostics: fc.option(fc.array(diagnostic, { maxLength: 2 }), { nil: undefined }),
	}),
	fc.record({
		role: fc.constant("toolResult"),
		toolCallId: id,
		toolName: fc.constantFrom("bash", "edit", "codemode"),
		content: fc.array(block, { maxLength: 2 }),
		details: fc.oneof(args, fc.record({ imageUnsupportedByModel: text })),
		nestedCalls: fc.option(nestedCalls, { nil: undefined }),
		timestamp: fc.nat(),
	}),
	fc.record({ role: fc.constant("bashExecution"), command: text, output: text }),
);
const rest = fc.oneof(
	{ weight: 8, arbitrary: message.map((one) => ({ type: "message", message: one })) },
	{ weight: 1, arbitrary: fc.record({ type: fc.constant("session_info"), name: text }) },
	{
		weight: 1,
		arbitrary: fc.record({
			type: fc.constant("label"),
			targetId: fc.oneof(id, fc.constantFrom("a", "b")),
			label: text,
		}),
	},
	{ weight: 1, arbitrary: fc.record({ type: fc.constantFrom("compaction", "branch_summary"), summary: text }) },
	{ weight: 1, arbitrary: fc.record({ type: fc.constant("custom"), data: args }) },
	{ weight: 1, arbitrary: fc.record({ type: fc.constant("session"), id, cwd: text }) },
	{ weight: 1, arbitrary: fc.record({ type: fc.constant("model_change"), provider: text, modelId: text }) },
);
/** JSON as JavaScript, Python and PHP write it. */
const style = fc.constantFrom(
	(value: unknown) => JSON.stringify(value),
	(value: unknown) =>
		JSON.stringify(value).replace(/[^\x00-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
	(value: unknown) => JSON.stringify(value, undefined, 1).replace(/\n */g, " "),
	(value: unknown) =>
		JSON.stringify(value)
			.replaceAll("/", "\\/")
			.replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16).toUpperCase()}`),
);
const line = fc
	.record({ rest, id, style })
	.map(({ rest: { type, ...more }, id: own, style: write }) =>
		write({ type, id: own, parentId: null, timestamp: "2026-01-05T08:00:00.000Z", ...more }),
	);
const session = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.array(line, { minLength: 1, maxLength: 14 }).map((lines) => Buffer.from(`${lines.join("\n")}\n`)),
	},
	{ weight: 1, arbitrary: randomSession },
);

/** A part of a text that may be in the sessions. */
const slice = fc
	.record({ of: hard, from: fc.nat({ max: 12 }), length: fc.integer({ min: 1, max: 7 }) })
	.map(({ of, from, length }) =>
		[...of]
			.slice(from % [...of].length)
			.slice(0, length)
			.join(""),
	);
const word = fc
	.oneof(
		slice,
		// They may be in ids.
		fc.stringMatching(/^(?:[0-9]{1,3}|[0-9a-f]{2,3})$/),
		fc.constantFrom(
			"user",
			"type",
			"tooluse",
			"toolCall",
			"anthropic/claude",
			"message",
			"8",
			"84",
			"2026",
			"e",
			"id",
			"K",
			"s",
			"é",
			"ậ",
			"cafe",
			"creme",
			"brulee",
			"crème",
			"angstrom",
			"naive",
			"istanbul",
			"елка",
			"йод",
			"иод",
			"αλφα",
			"ω",
			"か",
			"e",
			"x",
			"xy",
			"검",
			"/",
			"don't",
			"don’t",
			"-try",
			"retry",
			"re–try",
			"media",
			"me\u200cdia",
			"naive",
			"7-5",
			"\u0645\u06cc\u062e\u0648\u0627\u0647\u0645",
			"\u0645\u06cc\u200c\u062e\u0648",
			"\u26a0 warning",
			"1\u20e3",
			"\u{1f469}\u{1f4bb}",
			"xy",
			"αλφα",
			"йод",
			"иод",
			"検索",
		),
	)
	.map((one) => one.trim())
	.filter((one) => one !== "" && !one.includes('"') && !/^(re|is|role|tool|in):/.test(one));
const field = fc.constantFrom("", "", "", "", "label:", "name:", "title:", "file:", "cmd:", "model:", "cwd:", "entry:");
const narrowing = fc.constantFrom(
	"",
	"",
	"",
	" role:user",
	" role:tool",
	" role:assistant",
	" tool:bash",
	" tool:ed",
	" in:summary",
	" in:thinking",
	" in:args",
	" in:title",
);
const regex = fc.constantFrom(
	"re:us.r",
	"re:^say",
	"re:vu$",
	"re:\\s\\w+t",
	"re:caf.",
	"re:\\d{3,}",
	"re:[a-f0-9]{8}",
	"re:C:\\\\path",
	"re:user\\.ts|hi",
	"re:\\bkelvin",
	"re:(?i)SCHOOL",
	"re:[^a]b",
	"re:anthropic.claude",
	"re:\\x{e9}",
	"re:\\pL{4}",
	're:"hi"',
	"re:re.?try",
	"re:me.ia",
	"re:\\w{5}",
	"re:n[ao]ive",
	"re:.\\n.",
	"re:\\Q.ts\\E",
);
const queryText = fc.oneof(
	{ weight: 6, arbitrary: fc.tuple(field, word, narrowing).map(([name, one, more]) => `${name}"${one}"${more}`) },
	{ weight: 3, arbitrary: fc.tuple(word, word, narrowing).map(([one, two, more]) => `"${one}" "${two}"${more}`) },
	{ weight: 3, arbitrary: fc.tuple(field, word, narrowing).map(([name, one, more]) => `-${name}"${one}"${more}`) },
	{ weight: 2, arbitrary: fc.tuple(word, field, word).map(([one, name, two]) => `"${one}" -${name}"${two}"`) },
	{
		weight: 3,
		arbitrary: fc
			.tuple(fc.constantFrom("", "-"), field, word, fc.constantFrom("", "-"), word, narrowing)
			.map(([not, name, one, notTwo, two, more]) => `${not}${name}"${one}" or ${notTwo}"${two}"${more}`),
	},
	{ weight: 1, arbitrary: fc.tuple(word, word, word).map(([one, two, three]) => `"${one}" "${two}" | "${three}"`) },
	{ weight: 1, arbitrary: regex.map((pattern) => `-${pattern}`) },
	{ weight: 2, arbitrary: regex },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			"role:user",
			"role:tool",
			"tool:bash",
			"in:summary",
			"in:label",
			"role:custom",
			"-role:user",
			"-tool:bash",
			"-in:label",
		),
	},
);

describe("the search finds exactly what parsing every line finds", () => {
	const count = caseCount(1, 20);
	test.each([true, false])(`in ${count} collections, with PCRE2: %s`, async (pcre2) => {
		const ripgrep = { ...(await findRipgrep()), pcre2 };
		const folder = tempAgentDir();
		await fc.assert(
			fc.asyncProperty(
				fc.array(session, { minLength: 1, maxLength: 8 }),
				fc.array(queryText, { minLength: 1, maxLength: 6 }),
				fc.boolean(),
				async (sessions, queries, thorough) => {
					const paths = sessions.map((bytes, index) => folder.write(`--p--/${index}.jsonl`, bytes));
					for (const text of queries) {
						const parsed = parseQuery(text);
						if ("error" in parsed) throw new Error(`${text}: ${parsed.error}`);
						const { query } = parsed;
						const expected = sessions.map((bytes) => oracle(bytes, query));
						const wanted = paths.filter((_, index) => expected[index]?.isFound).sort();
						expect([text, await searchPaths(ripgrep, query, paths, thorough)]).toEqual([text, wanted]);
						const [path = ""] = paths;
						expect([text, await hitLines(ripgrep, query, path)]).toEqual([text, expected[0]?.lines]);
					}
				},
			),
			{ numRuns: count, endOnFailure: true },
		);
	});
});

describe("a part of a query and its negation divide the sessions exactly", () => {
	const part = fc.oneof(
		fc.tuple(field, word).map(([name, one]) => `${name}"${one}"`),
		regex,
		fc.constantFrom("role:user", "in:label", "in:summary", "tool:bash"),
	);
	const count = caseCount(1, 20);
	test.each([true, false])(`in ${count} collections, with PCRE2: %s`, async (pcre2) => {
		const ripgrep = { ...(await findRipgrep()), pcre2 };
		const folder = tempAgentDir();
		const collection = fc.array(session, { minLength: 1, maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(collection, part, fc.option(word), narrowing, async (sessions, one, other, more) => {
				// Of several `tool:` the last one counts, so the part would mean nothing.
				fc.pre(!(one.startsWith("tool:") && more.startsWith(" tool:")));
				const paths = sessions.map((bytes, index) => folder.write(`--p--/${index}.jsonl`, bytes)).sort();
				const found = async (text: string): Promise<string[]> => {
					const parsed = parseQuery(text);
					if ("error" in parsed) throw new Error(`${text}: ${parsed.error}`);
					return searchPaths(ripgrep, parsed.query, paths, false);
				};
				const rest = other === null ? "" : `"${other}" `;
				// Without other words, a narrowing field asks for any text of its kind.
				const within = rest === "" && more === "" ? paths : await found(`${rest}${more}`);
				const [yes, no] = [await found(`${rest}${one}${more}`), await found(`${rest}-${one}${more}`)];
				expect(yes.filter((path) => no.includes(path))).toEqual([]);
				// A narrowing field means something else with words than alone, and a field with its own kinds is not narrowed.
				const isNarrowing = /^(?:role|in|tool):/.test(one);
				const isWhole = more === "" ? !isNarrowing || rest === "" : !/^\w+:/.test(one);
				if (isWhole) expect([one, [...yes, ...no].sort()]).toEqual([one, within]);
			}),
			{ numRuns: count, endOnFailure: true },
		);
	});
});

test("a word is found deep in a file, after many lines in which it is only syntax", async () => {
	const folder = tempAgentDir();
	const syntax = Array.from({ length: 40 }, (_, index) =>
		JSON.stringify({
			type: "message",
			id: `0000000${index}`,
			parentId: null,
			timestamp: "2026-01-05T08:00:00.000Z",
			message: { role: "user", content: "hello", details: { of: "the user toolu_1" } },
		}),
	);
	const call = { type: "toolCall", id: "toolu_1", name: "x", arguments: { role: "user", id: "0000000f", n: 1234 } };
	const last = JSON.stringify({
		type: "message",
		id: "z",
		parentId: null,
		timestamp: "2026-01-05T08:00:00.000Z",
		message: { role: "assistant", content: [call] },
	});
	const path = folder.write("--p--/1.jsonl", `${[...syntax, last].join("\n")}\n`);
	const ripgrep = await findRipgrep();
	for (const text of ["user", "0000000f", "1234", '"user" hello']) {
		const parsed = parseQuery(text);
		if ("error" in parsed) throw new Error(parsed.error);
		expect([text, await searchPaths(ripgrep, parsed.query, [path], false)]).toEqual([text, [path]]);
	}
	const parsed = parseQuery("0000000e");
	if ("error" in parsed) throw new Error(parsed.error);
	expect(await searchPaths(ripgrep, parsed.query, [path], false)).toEqual([]);
});
