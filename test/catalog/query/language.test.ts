import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NOTHING_IN_IT } from "../../../src/catalog/model/counts.ts";
import {
	type Condition,
	IS_VALUES,
	type RowFacts,
	rowMeets,
	withTerms,
} from "../../../src/catalog/query/conditions.ts";
import { periodOf } from "../../../src/catalog/query/dates.ts";
import { LANGUAGE } from "../../../src/catalog/query/describe.ts";
import { fieldHint } from "../../../src/catalog/query/field-hints.ts";
import { FIELDS } from "../../../src/catalog/query/fields.ts";
import { bare, fold, hasNeedle, needleOf, needleSpans } from "../../../src/catalog/query/fold.ts";
import {
	aboutSession,
	NO_QUERY,
	parseEntryQuery,
	parseQuery,
	shortDate,
	wordsOf,
} from "../../../src/catalog/query/parse-query.ts";
import { proposeQueries, readingNote } from "../../../src/catalog/query/propose.ts";
import { printTokens, tokenize } from "../../../src/catalog/query/tokens.ts";
import { typedParts } from "../../../src/catalog/query/typed-parts.ts";
import { applyChanges } from "../../../src/changes/noted/marks.ts";
import { caseCount } from "../../support/cases.ts";
import { leastCpuMs } from "../../support/cpu-ms.ts";
import { makeRow } from "../../support/rows.ts";

/** A Wednesday, in local time. */
const NOW = new Date(2026, 10, 18, 15, 30).getTime();
const at = (month: number, day: number, hour = 12) => new Date(2026, month - 1, day, hour);

const FACTS: RowFacts = {
	live: new Set(["/s/live.jsonl"]),
	marks: applyChanges([
		{ id: "id-pinned", on: true },
		{ id: "id-tagged", tag: "Todo", on: true },
		{ id: "id-tagged", tag: "later", on: true },
	]),
	counts: new Map([
		[
			"/s/dear.jsonl",
			{ ...NOTHING_IN_IT, turns: 12, branches: 3, errors: 1, tokens: 2_000_000, cost: 2.5, labels: 1, model: "m" },
		],
		["/s/cheap.jsonl", { ...NOTHING_IN_IT, turns: 1, branches: 1, tokens: 10, ending: "asks" }],
	]),
	fileNames: new Set(["parent.jsonl"]),
	runs: new Map(),
	familyCosts: new Map(),
	gone: new Set(),
	branches: new Map(),
	now: NOW,
};

const ROWS = [
	{ ...makeRow("live"), path: "/s/live.jsonl", cwd: "/home/me/work/pi-grove", modified: at(11, 18, 9) },
	{ ...makeRow("dear"), path: "/s/dear.jsonl", cwd: "/home/me/Café Grün", modified: at(11, 17), messageCount: 250 },
	{ ...makeRow("cheap"), path: "/s/cheap.jsonl", cwd: "/home/me/api", modified: at(11, 12), size: 6_000_000 },
	{ ...makeRow("pinned"), id: "id-pinned", cwd: "", modified: at(11, 9), name: "named" },
	{ ...makeRow("tagged"), id: "id-tagged", modified: at(10, 31), parentSession: "/elsewhere/parent.jsonl" },
	{ ...makeRow("orphan"), modified: at(8, 18), parentSession: "/s/gone.jsonl", messageCount: 0 },
	{ ...makeRow("archived"), modified: new Date(2025, 5, 1), archived: true as const },
];

function conditionsOf(text: string): readonly Condition[] {
	const parsed = parseQuery(text);
	if ("error" in parsed) throw new Error(parsed.error);
	expect(parsed.query.terms).toEqual([]);
	return parsed.query.conditions;
}

function meeting(text: string): string[] {
	const conditions = conditionsOf(text);
	return ROWS.filter((row) => rowMeets(row, conditions, FACTS)).map(
		({ path }) => /([^/]*)\.jsonl$/.exec(path)?.[1] ?? path,
	);
}

describe("conditions", () => {
	test.each([
		["is:running", ["live"]],
		["is:pinned", ["pinned"]],
		["is:tagged", ["tagged"]],
		["tag:todo", ["tagged"]],
		["tag:to", ["tagged"]],
		["#lat", ["tagged"]],
		["#", ["tagged"]],
		["tag:do", []],
		["is:asks", ["cheap"]],
		["is:failed", []],
		["is:asks or is:pinned", ["cheap", "pinned"]],
		["#lat or cost>1 -is:error", ["tagged"]],
		["cost > 1 | size >= 6M", ["dear", "cheap"]],
		["turns<3", ["cheap"]],
		["is:labeled", ["dear"]],
		["is:branched", ["dear"]],
		["is:waiting", ["cheap"]],
		["is:fork", ["tagged", "orphan"]],
		["is:orphan", ["orphan"]],
		["is:archived", ["archived"]],
		["is:named", ["pinned"]],
		["project:grove", ["live"]],
		["project:cafe", ["dear"]],
		["project:=/home/me/work/pi-grove", ["live"]],
		["project:=/home/me/work", []],
		["project:=pi-grove", ["live"]],
		["project:=grove", []],
		['project:"=/home/me/Café Grün"', ["dear"]],
		["project:=", ["pinned"]],
		["project:café", ["dear"]],
		["project:çafe", []],
		["project:work", []],
		["project:work/pi", ["live"]],
		["project:~/api", ["cheap"]],
		["project:~/work", ["live"]],
		["project:/api", ["cheap"]],
		["cost:>1", ["dear"]],
		["cost:<=0", ["cheap"]],
		["cost:2.5", ["dear"]],
		["tokens:>1M", ["dear"]],
		["turns:>=12", ["dear"]],
		["errors:>0", ["dear"]],
		["is:error", ["dear"]],
		["size:>5MB", ["cheap"]],
		["messages:>100", ["dear"]],
		["since:today", ["live"]],
		["on:yesterday", ["dear"]],
		["since:monday", ["live", "dear"]],
		["on:this-week", ["live", "dear"]],
		["on:last-week", ["cheap", "pinned"]],
		["after:2026-11-12", ["live", "dear"]],
		["since:2026-11-12", ["live", "dear", "cheap"]],
		["before:2026", ["archived"]],
		["on:2026-10", ["tagged"]],
		["since:7d", ["live", "dear", "cheap"]],
		["on:3mo", ["orphan"]],
		["before:1y", ["archived"]],
		["since:2026-11-09 before:2026-11-17", ["cheap", "pinned"]],
	])("%s", (text, expected) => {
		// `makeRow` makes sessions about which nothing is known; only those above are meant.
		expect(meeting(text)).toEqual(expected);
	});

	const condition = fc.constantFrom(
		..."is:running is:pinned is:tagged is:labeled is:branched is:waiting is:fork is:orphan is:archived is:named is:empty is:damaged".split(
			" ",
		),
		..."tag:todo project:grove project:/home project:=/home/me/api project:= cost:>1 cost:0 tokens:<5k turns:>1 errors:0 size:>5MB messages:>=1".split(
			" ",
		),
		..."since:7d after:monday before:2026-11 on:yesterday on:last-month since:2w".split(" "),
	);

	test("a condition and its negation divide the sessions, alone and with others", () => {
		fc.assert(
			fc.property(condition, fc.array(condition, { maxLength: 2 }), (one, others) => {
				const rest = others.join(" ");
				const all = meeting(rest);
				const [yes, no] = [meeting(`${rest} ${one}`), meeting(`${rest} -${one}`)];
				expect([...yes, ...no].sort()).toEqual(all.sort());
			}),
		);
	});

	test.each(["since:31d", "before:today", "on:friday", "is:labeled", "-is:error", "yesterday"])(
		"a tree's filter applies %s to entries",
		(text) => {
			const parsed = parseEntryQuery(text, NOW, []);
			expect("query" in parsed && parsed.query.conditions).toHaveLength(1);
			expect(aboutSession(text, [])).toEqual([]);
		},
	);

	test.each(["project:x", "cost:>1", "-is:named", "tag:x", "#Later", "#lat", "errors:>0", "is:waiting"])(
		"in a tree's filter, %s is about the session: it hides no entry",
		(text) => {
			const plain = parseEntryQuery("bug since:7d", NOW, ["later"]);
			const parsed = parseEntryQuery(`bug ${text} since:7d`, NOW, ["later"]);
			if ("error" in parsed || "error" in plain) throw new Error("not a query");
			expect({ ...parsed.query, text: "" }).toEqual({ ...plain.query, text: "" });
			expect(aboutSession(`bug ${text} since:7d`, ["later"])).toEqual([text.replace("#", "tag:")]);
			expect(parseEntryQuery(text, NOW, ["later"])).toEqual({ query: NO_QUERY });
		},
	);

	test("a mistake in a condition about the session is one in the tree, too", () => {
		expect(parseEntryQuery("bug cost:x", NOW, [])).toHaveProperty("error");
	});

	test("in a tree's filter, the tag of another session is text", () => {
		const parsed = parseEntryQuery("#include", NOW, ["later"]);
		expect("query" in parsed && parsed.query.terms.map(({ needle }) => needle)).toEqual(["#include"]);
		expect(aboutSession("#include", ["later"])).toEqual([]);
	});
});

describe("dates", () => {
	const day = (year: number, month: number, date: number) => new Date(year, month - 1, date).getTime();
	test.each([
		["2026-11-03", day(2026, 11, 3), day(2026, 11, 4)],
		["2026-2", day(2026, 2, 1), day(2026, 3, 1)],
		["2025", day(2025, 1, 1), day(2026, 1, 1)],
		["today", day(2026, 11, 18), day(2026, 11, 19)],
		["Yesterday", day(2026, 11, 17), day(2026, 11, 18)],
		["wednesday", day(2026, 11, 18), day(2026, 11, 19)],
		["thu", day(2026, 11, 12), day(2026, 11, 13)],
		["0d", day(2026, 11, 18), day(2026, 11, 19)],
		["2w", day(2026, 11, 4), day(2026, 11, 5)],
		["9mo", day(2026, 2, 18), day(2026, 2, 19)],
		["1y", day(2025, 11, 18), day(2025, 11, 19)],
		["last-month", day(2026, 10, 1), day(2026, 11, 1)],
		["august", day(2026, 8, 1), day(2026, 9, 1)],
		["Nov", day(2026, 11, 1), day(2026, 12, 1)],
		["dec", day(2025, 12, 1), day(2026, 1, 1)],
	])("%s", (value, from, to) => expect(periodOf(value, NOW)).toEqual({ from, to }));

	test("a month ago from its last day is the last day of a shorter month", () => {
		expect(periodOf("3mo", day(2026, 5, 31))).toEqual({ from: day(2026, 2, 28), to: day(2026, 3, 1) });
	});

	test.each(["2026-02-30", "2026-13-01", "2026-00", "0050", "3.11.2026", "7", "7x", "someday", "mo", "99999d", ""])(
		"%s is no date",
		(value) => expect(periodOf(value, NOW)).toBeUndefined(),
	);

	test("before, on and after a day divide all times", () => {
		const value = fc.constantFrom("today", "monday", "2026-11", "7d", "3mo", "last-week");
		fc.assert(
			fc.property(value, fc.integer({ min: day(2025, 1, 1), max: day(2027, 1, 1) }), (date, time) => {
				const row = { ...makeRow("a"), modified: new Date(time) };
				const met = ["before", "on", "after"].filter((field) => rowMeets(row, conditionsOf(`${field}:${date}`), FACTS));
				expect(met).toHaveLength(1);
				expect(rowMeets(row, conditionsOf(`since:${date}`), FACTS)).toBe(met[0] !== "before");
			}),
		);
	});
});

const piece = fc.oneof(
	fc.constantFrom(
		...'- -- -> -x -"a b" -label:x -re:a+ re:/a\\ b/ re:"x y" re:a/ re: role:user -role:tool is:named -is:fork'.split(
			" ",
		),
		...'since:7d cost:>1 project:"a b" tag:x -tag:"y z" "open word label:"to do" café http://x foo:bar say"hi'.split(
			" ",
		),
	),
	fc.constantFrom("re:a b", "re:/a b/", "re:a\\", 're:"', 're:a/ b" c', "\u00a0", "\t"),
	fc.string({ unit: "binary", maxLength: 6 }),
);
const typed = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(" "));

describe("the language", () => {
	test("a printed query parses as the same query", () => {
		fc.assert(
			fc.property(typed, (text) => {
				const tokens = [...tokenize(text.trim())];
				const parsed = parseQuery(text);
				if ("error" in parsed) return;
				const printed = printTokens(tokens.filter(({ value }) => value !== ""));
				const again = parseQuery(printed);
				const plain = (query: typeof parsed.query) => JSON.stringify({ ...query, text: "" }).replaceAll("\\\\/", "/");
				if ("error" in again) throw new Error(`${text} | ${printed}: ${again.error}`);
				expect([printed, plain(again.query)]).toEqual([printed, plain(parsed.query)]);
			}),
			{ numRuns: caseCount(200) },
		);
	});

	test.each([
		"a ",
		'"',
		"-",
		"re:a ",
		"-re:/",
		"is:",
		"since:",
		'x:"',
		'pr:"',
		'si:"x ',
		"re:a pr:",
		"re:a mo:: ",
		"é",
		"e\u0301",
		"project:~/",
	])("a pasted text of %j is read or refused at once", (part) => {
		const text = part.repeat(200_000);
		expect(leastCpuMs(() => parseQuery(text))).toBeLessThan(1000);
		expect(leastCpuMs(() => fieldHint(text, text.length))).toBeLessThan(50);
	});

	test("many blanks behind a word do not keep it from being read at once", () => {
		expect(leastCpuMs(() => parseQuery(`cost${" ".repeat(200_000)}x`))).toBeLessThan(1000);
	});

	test.each([
		["-word", ["word"]],
		['-"two words"', ["two words"]],
		["-label:todo", ["todo"]],
		['-label:"to do"', ["to do"]],
		["-re:a+ b", ["a+ b"]],
		["-foo:bar", ["foo:bar"]],
		["--flag -> - -=", []],
		['"-x"', []],
	])("what must not be found: %s", (text, expected) => {
		const parsed = parseQuery(text);
		if ("error" in parsed) throw new Error(parsed.error);
		expect(parsed.query.without.map(({ needle, regex }) => needle ?? regex)).toEqual(expected);
	});
});

/** Values that fields take, as typed. */
const VALUES = fc.constantFrom(
	...'x opus "a b" 7d monday last-week 2026-11-03 2026 >1 <=0.5 >5MB 100 user assistant summary label named error =/w/x /w ~/w a:b a/b'.split(
		" ",
	),
	'"two words"',
);

/** The fields that begin so, and take the value when their whole name is typed. */
function taking(beginning: string, value: string): readonly string[] {
	return [...FIELDS.keys()].filter((field) => {
		return field.startsWith(beginning) && field !== "re" && !("error" in parseQuery(`${field}:${value}`));
	});
}

describe("the beginnings of fields", () => {
	const partsOf = (text: string) => {
		const parsed = parseQuery(text);
		if ("error" in parsed) throw new Error(`${text}: ${parsed.error}`);
		return { ...parsed.query, text: "" };
	};

	test("give the query of the whole name where only one takes the value; otherwise they are text", () => {
		const beginning = fc
			.tuple(fc.constantFrom(...FIELDS.keys()), fc.nat({ max: 8 }))
			.map(([field, length]) => field.slice(0, Math.max(2, length)));
		fc.assert(
			fc.property(beginning, VALUES, fc.constantFrom("", "-"), fc.boolean(), (name, value, sign, isBeforeWord) => {
				const rest = isBeforeWord ? " -word more" : "";
				const [only, other] = taking(name, value);
				// `tool:` takes whatever is typed, so `tokens:` is never the only one.
				if (FIELDS.has(name) || name === "to") return;
				const text = `${sign}${name}:${value}${rest}`;
				if (only !== undefined && other === undefined)
					expect(partsOf(text)).toEqual(partsOf(`${sign}${only}:${value}${rest}`));
				else expect([...tokenize(text)][0], text).toMatchObject({ field: "", not: sign === "-" });
			}),
			{ numRuns: caseCount(400) },
		);
	});

	test.each([
		["pr:grove", "project:grove"],
		["mod:opus", "model:opus"],
		["si:7d", "since:7d"],
		["si:>5MB", "size:>5MB"],
		["Mes:>100", "messages:>100"],
		["-pr:x", "-project:x"],
		['pr:"my site"', 'project:"my site"'],
		["re:a b mo:opus", "re:a b model:opus"],
		["er:>0", "errors:>0"],
	])("%s is %s", (short, whole) => expect(partsOf(short)).toEqual(partsOf(whole)));

	test.each(
		"std:vector a:b c:x to:x to:5k me:foo ro:root si:2h si:2026 mod::name pr://x pr: pro:: co:x re:std:vector,is".split(
			",",
		),
	)("%s: its words are text", (all) => {
		for (const text of all.split(" ")) {
			const tokens = [...tokenize(`${text} x`)];
			expect(
				tokens.every(({ field }) => field === "" || field === "re" || field === "is"),
				text,
			).toBe(true);
		}
	});

	test("in quotes they are text, and exact names win", () => {
		expect(partsOf('"pr:grove"').conditions).toEqual([]);
		expect([...tokenize("in:x is:y on:z re:w")].map(({ field }) => field)).toEqual(["in", "is", "on", "re"]);
	});

	test.each([
		["c:x", "cmd:, cwd: or cost:"],
		["si:2h", "since: or size:"],
		["me:foo", "messages:"],
	])("of %s it is said what may have been meant: %s", (text, meant) => {
		expect(readingNote(text)).toContain(`did you mean ${meant}?`);
	});
});

describe("what a field takes", () => {
	const hint = (text: string, cursor = text.length) => {
		const found = fieldHint(text, cursor);
		return found && `${found.fields.join(" ")} ${found.takes}${found.isUnfinished ? " …" : ""}`;
	};

	test.each([
		["since:", "since: a date: 7d, monday, august, 2026-11-03 …"],
		["bug since:mon", "since: a date: 7d, monday, august, 2026-11-03"],
		["since:7", "since: a date: 7d, monday, august, 2026-11-03 …"],
		["since:7d", "since: a date: 7d, monday, august, 2026-11-03"],
		["since:2026-1", "since: a date: 7d, monday, august, 2026-11-03"],
		["cost:>", "cost: >1, <=0.50, in dollars …"],
		["cost:>1", "cost: >1, <=0.50, in dollars"],
		["-role:us", "role: user, assistant, tool, custom …"],
		["role:user", "role: user, assistant, tool, custom"],
		["co:", "cost: >1, <=0.50, in dollars …"],
		["si:", "since: size:  …"],
		["si:>5", "size: >5MB, <=100k"],
		['project:"my s', "project: part of its folder's name, /a/directory, or =/the/whole/directory"],
		["re:a b", "re: a pattern: time[- ]?out, /a b/"],
	])("%s: %s", (text, expected) => expect(hint(text)).toBe(expected));

	test.each(["bug", "", "since:7d bug", "std:v", "http://x", '"since:', "role: x", "mod::x"])(
		"nothing is said of %s",
		(text) => expect(hint(text)).toBeUndefined(),
	);

	test("anywhere in the field, but not before or after it", () => {
		const text = "bug cost:>1 x";
		const said = [...text, ""].map((_, cursor) => hint(text, cursor) !== undefined);
		expect(said.indexOf(true)).toBe(4);
		expect(said.lastIndexOf(true)).toBe(11);
		expect(said.slice(4, 12)).not.toContain(false);
	});

	test("of each field something is said, and all values that it names are valid", () => {
		for (const field of FIELDS.keys()) {
			const { takes = "" } = fieldHint(`${field}:`, field.length + 1) ?? {};
			expect(takes.length, field).toBeGreaterThan(5);
			if (field === "is" || field === "role" || field === "in")
				for (const value of takes.split(", ")) expect(parseQuery(`${field}:${value}`)).toHaveProperty("query");
		}
	});
});

describe("accents", () => {
	test.each([
		["cafe", "Café CAFE\u0301", true],
		["café", "cafe", false],
		["café", "CAFE\u0301", true],
		["angstrom", "\u212bngström", true],
		["istanbul", "İstanbul", true],
		["елка", "Ёлка", true],
		["か", "が", false],
		["strasse", "Straße", false],
		["o", "ø", false],
	])("%s in %s: %s", (word, text, found) => expect(hasNeedle(text, needleOf(word))).toBe(found));

	test("the span of a word is what was found; without accents the whole text is the same", () => {
		const letters = fc.array(fc.constantFrom("e", "é", "e\u0302\u0323", "x\u0302", "X", "ệ", "が", "İ", "ς", " "), {
			maxLength: 8,
		});
		fc.assert(
			fc.property(letters, letters, (some, of) => {
				const [needle, text] = [needleOf(some.join("")), fold(of.join(""))];
				if (needle.text === "") return;
				const spans = [...needleSpans(text, { needle: needle.text, accents: needle.accents })];
				expect(spans.length > 0).toBe(hasNeedle(text, needle));
				for (const { start, end } of spans) {
					const found = text.slice(start, end);
					expect(needle.accents ? found : bare(found)).toBe(needle.text);
				}
				expect(bare(bare(text))).toBe(bare(text));
			}),
		);
	});
});

test.each([
	["since:month", "“month” does not suit since:. Did you mean since:this-month? It needs a date"],
	["on:week", "Did you mean on:this-week?"],
	["since:yesteday", "Did you mean since:yesterday?"],
	["since:never", "“never” does not suit since:, which needs a date"],
	["cost:cheap", "“cheap” does not suit cost:, which needs a number"],
])("a value that does not suit names the nearest: %s", (text, error) => {
	expect(parseQuery(text)).toEqual({ error: expect.stringContaining(error) });
});

describe("what may have been meant", () => {
	const rows = [
		{ ...makeRow("1"), name: "Fix the Parser", firstMessage: "it throws", cwd: "/w/pi-grove" },
		{ ...makeRow("2"), name: undefined, firstMessage: "parsing and parser speed", cwd: "/w/pi-grove" },
		{
			...makeRow("3"),
			name: undefined,
			firstMessage: "Größe des Fensters",
			cwd: "/w/site",
			modified: at(11, 17),
		},
	];
	test.each([
		["project:pi-grvoe", ["project:pi-grove", 2]],
		["project:pi-grvoe bug -x", ["project:pi-grove bug -x", 2]],
		["project:pi-grov", undefined],
		["-project:pi-grvoe", undefined],
		["project:zzzzzz", undefined],
		["parsr", ["parser", 2]],
		["zzzzz", undefined],
		["tuesday", ["on:tuesday", 1]],
		["yesterday parser -x", ["on:yesterday parser -x", 1]],
		["monday", undefined],
		["17 Nov parser", ["on:2026-11-17 parser", 1]],
		["parser nov 17", ["parser on:2026-11-17", 1]],
		["Tue 16:28", ["on:tue", 1]],
		["november", ["on:2026-11", 3]],
		["since tuesday x", ["since:tuesday x", 3]],
		["30 feb", undefined],
		["may", undefined],
		['"yesterday" x', undefined],
		["", undefined],
	])("%s: %j", (text, expected) => {
		const meant = proposeQueries(text, rows, NOW).find(({ sessions }) => sessions !== undefined);
		expect(meant && [meant.query, meant.sessions]).toEqual(expected);
	});

	test.each([
		["costly this month", ["cost:>0 on:this-month", "costly on:this-month", "cost:>0 this month"]],
		["most expensive sessions of last week", ["cost:>0 on:last-week", "most cost:>0 sessions of last week"]],
		["sessions of yesterday", ["on:yesterday", "sessions of on:yesterday"]],
		["wait for you", ["is:waiting", "is:waiting for you"]],
		[
			"failing parser this month",
			["failing parser on:this-month", "is:failed parser on:this-month", "is:failed parser this month"],
		],
		["⚑3", ["is:labeled"]],
		["◫2 parser", ["runs:>0 parser"]],
		["costly or today", ["cost:>0 or today"]],
		["today", ['"today"', "on:2026-11-17"]],
	])("%s: %j", (text, expected) => {
		expect(proposeQueries(text, rows, NOW).map(({ query }) => query)).toEqual(expected);
	});

	test("a phrase is proposed as its words, one of which may be “or”, and then as any of them", () => {
		const queries = proposeQueries('"read or write"', rows, NOW).map(({ query }) => query);
		expect(queries).toEqual(['read "or" write', 'read or "or" or write']);
	});

	test("of a long query nothing is lost", () => {
		const words = Array.from({ length: 25 }, (_, at) => `w${at}`).join(" ");
		const queries = proposeQueries(`tuesday ${words}`, rows, NOW).map(({ query }) => query);
		expect(queries).toEqual([`on:tuesday ${words}`]);
		expect(typedParts(words.replaceAll(" ", " or "))).toMatchObject([{ text: words.replaceAll(" ", " or ") }]);
	});
});

describe("the documentation", () => {
	const page = readFileSync("docs/query.md", "utf8");
	test.each(LANGUAGE.flatMap(({ examples }) => examples))("has %s: %s", (typed, finds) => {
		expect(page).toContain(`| \`${typed}\` | ${finds} |`);
	});

	test.each(LANGUAGE.slice(0, 3).flatMap(({ examples }) => examples.map(([typed]) => typed)))(
		"%s is a query",
		(typed) => {
			for (const one of typed.split(/, (?=[a-z-])/)) expect(parseQuery(one)).toHaveProperty("query");
		},
	);

	test.each([...FIELDS.keys()])("names the field %s:", (field) => expect(page).toContain(`${field}:`));
	test.each([...IS_VALUES.keys()])("and the value is:%s", (value) => {
		expect(LANGUAGE.flatMap(({ examples }) => examples.flat()).join(" ")).toMatch(new RegExp(`\\b${value}\\b`));
	});
});

test.each([
	"stripe bug or is:named -is:error",
	"-a or is:named b or cost>1",
	"-a or b is:fork",
	"role:user a or #todo",
])("the words of %s are the same terms without its conditions", (text) => {
	const [parsed, words] = [parseQuery(text), parseQuery(wordsOf(text))];
	if ("error" in parsed || "error" in words) throw new Error("not a query");
	expect(words.query.terms).toEqual(parsed.query.terms);
	const facts = withTerms(FACTS, words.query, { lacks: [...words.query.terms.keys()] });
	expect(rowMeets(makeRow("1"), words.query.conditions, facts)).toBe(true);
});

test("a tag is searched as rows show it; a number behind the sign is text, and so is a phrase", () => {
	expect(conditionsOf("#Todo -#later")).toEqual([
		{ field: "tag", value: "todo", not: false },
		{ field: "tag", value: "later", not: true },
	]);
	for (const text of ["#123", '"#todo"', '"#"', "a#todo"]) {
		const parsed = parseQuery(text);
		expect("query" in parsed && [parsed.query.terms.length, parsed.query.conditions.length], text).toEqual([1, 0]);
	}
});

test("today and yesterday are dates where there is no other word", () => {
	expect(conditionsOf("Yesterday")).toEqual([{ field: "on", value: "yesterday", not: false }]);
	expect(conditionsOf("is:named today").map(({ field }) => field)).toEqual(["is", "on"]);
	for (const text of ["today retry", '"today"', "today role:user"]) {
		const parsed = parseQuery(text);
		expect("query" in parsed && parsed.query.conditions, text).toEqual([]);
		expect(shortDate(text)).toBeUndefined();
	}
	expect([shortDate("Today is:named"), shortDate("on:today")]).toEqual(["on:Today", undefined]);
});

test("a session waits for 14 days, while no pi has it, and until the person is done with it", () => {
	const row = { ...makeRow("w", { age: 60 }), path: "/s/cheap.jsonl", modified: at(11, 12) };
	const waits = (facts: Partial<RowFacts>, modified = row.modified): boolean =>
		rowMeets({ ...row, modified }, conditionsOf("is:waiting"), { ...FACTS, ...facts });
	const done = (time: Date): Partial<RowFacts> => ({
		marks: applyChanges([{ id: "w", done: time.getTime(), on: true }]),
	});
	expect([waits({}), waits({}, at(10, 20)), waits({ live: new Set([row.path]) })]).toEqual([true, false, false]);
	expect([waits(done(row.modified)), waits(done(at(11, 11)))]).toEqual([false, true]);
});
