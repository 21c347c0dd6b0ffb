import { utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listCounted } from "../../../src/catalog/list-all.ts";
import { findRipgrep } from "../../../src/catalog/search/find-ripgrep.ts";
import { findAll } from "../../../src/catalog/search-all.ts";
import type { SearchResults } from "../../../src/catalog/search-rows.ts";
import { caseCount, FIRST_SEED, inLong, inShort } from "../../support/cases.ts";
import { countCalls } from "../../support/counted-calls.ts";
import { queryOf } from "../../support/follow-search.ts";
import { seededRandom } from "../../support/mutate-session.ts";
import { oldEnough } from "../../support/old-enough.ts";
import { assistant, entry, header, label, lines, message, toolResult, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const SESSIONS = inLong(60, 40);
/** Words of the syntax: where there may be more hits, their number depends on which sessions are searched together. */
const SYNTAX = new Set(["session", "user", "messages"]);
const QUERIES = [
	"retry",
	"retr",
	"retries",
	"role:user retry",
	"in:output retry",
	"cmd:retry",
	"retry -loop",
	"retry loop",
	"don't",
	"ретрай",
	...SYNTAX,
];
/** With the words as titles, as parts of words, with accents, in escapes that are not text, and not at all. */
const TEXTS =
	'retry|\nretry|a\rretry|x\retry|a "quoted" retry|"retry"|c:\\retry|re_try retry_|the retry loop|retrying|retr\u00ed it|re\u0301try|Retry|nothing here|a loop|x\\nretry|retry “now”|ретра\u0439 ретраи|loop re try|r\u00adetry|the ret\u200bry|re\u2060tr\u00ed|don\u2019t|don\'t|session|a session|session_info|sessi\u00f3n|user|messages'.split(
		"|",
	);

/** The output of a script that has run a command. */
function scriptResult(id: string, parent: string | null, at: number, text: string, command: string): string {
	const content = [{ type: "text", text }];
	const calls = [{ id: "c1/1", name: "bash", status: "ok", arguments: { command } }];
	const nestedCalls = { calls, complete: true };
	const fields = { role: "toolResult", toolCallId: "c1", toolName: "codemode", content, nestedCalls, isError: false };
	return message(id, parent, at, fields);
}

/** Sessions of random messages: some with more matching lines than are checked first, some damaged, of any age. */
function folder(random: () => number) {
	const dir = tempAgentDir();
	const pick = (): string => TEXTS[Math.floor(random() * TEXTS.length)] ?? "";
	for (let index = 0; index < SESSIONS; index++) {
		const entries: string[] = [];
		const count = Math.floor(random() * (index % 3 === 0 ? 24 : 8));
		for (let at = 0; at < count; at++) {
			const [id, parent] = [`e${at}`, at === 0 || random() < 0.1 ? null : `e${at - 1}`];
			const make = [
				() => user(id, parent, at, pick()),
				() => assistant(id, parent, at, pick()),
				() => toolResult(id, parent, at, pick()),
				() => scriptResult(id, parent, at, pick(), pick()),
				() => label(id, parent, at, "e0", pick()),
				() =>
					assistant(id, parent, at, "", [
						{ type: "toolCall", id, name: "x", arguments: { type: pick(), of: [pick()] } },
					]),
				() => entry("session_info", id, parent, at, { name: pick() }),
			][Math.floor(random() * 7)];
			if (make) entries.push(make());
		}
		const damage = index % 10 === 0 ? '{"type":"message","retry\n' : "";
		const path = dir.write(`--p--/${index}.jsonl`, lines(header({ id: `s${index}`, cwd: "/p" }), ...entries) + damage);
		const age = Math.floor(random() * 900) * 86_400;
		utimesSync(path, Date.now() / 1000 - age, Date.now() / 1000 - age);
	}
	return dir;
}

const told = ({ found, total }: SearchResults) => ({
	results: found.results.toSorted(),
	others: found.others.toSorted(),
	total,
});

type Results = SearchResults["results"];

/** The same results, with the same numbers of hits; of a word of the syntax, "2 or more" is the same as 2 and as any more. */
function expectSame(text: string, some: Results, all: Results): void {
	if (!SYNTAX.has(text)) {
		expect(some).toEqual(all);
		return;
	}
	const uncounted = (results: Results) => results.map(({ count: _, more: __, ...result }) => result);
	expect(uncounted(some)).toEqual(uncounted(all));
	for (const [index, one] of some.entries()) {
		const other = all[index] ?? one;
		if (!one.more) expect(other.count).toBeLessThanOrEqual(one.count);
		if (!other.more) expect(one.count).toBeLessThanOrEqual(other.count);
	}
}

describe("a search of which only the first results are wanted", () => {
	test("has the same ones, and the same numbers, with an index and without", async () => {
		const random = seededRandom(FIRST_SEED);
		const asked = inShort(QUERIES, (_, index) => index % 2 === FIRST_SEED % 2);
		let cut = 0;
		for (let round = 0; round < caseCount(1, 1); round++) {
			const { env, cache, base } = folder(random);
			const counted = `${base}/counted`;
			await listCounted({ env, cacheDir: counted });
			for (const text of asked) {
				const query = queryOf(text);
				const all = await findAll(query, { env, cacheDir: counted });
				for (const limit of inLong([1, 5, 20], [5])) {
					for (const cacheDir of [counted, cache]) {
						const some = await findAll(query, { env, cacheDir, limit });
						expect(told(some)).toEqual(told(all));
						expectSame(text, some.results, all.results.slice(0, limit));
						expectSame(text, some.others, all.others.slice(0, limit));
					}
					if (all.results.length > limit) cut += 1;
				}
			}
		}
		expect(cut).toBeGreaterThan(asked.length / inLong(1, 3));
	});

	test("has what a person said long ago as a whole word before parts of words in hundreds of newer sessions", async () => {
		const { env, base, write } = tempAgentDir();
		const DAY = 86_400;
		const said = (id: string, day: number, text: string) =>
			lines(header({ id }), user("e1", null, day * DAY, "Look"), user("e2", "e1", day * DAY + 1, text));
		for (let day = 0; day < 300; day++) write(`--p--/new${day}.jsonl`, said(`n${day}`, day, "retrying"));
		for (const [at, text] of ["retry", "Retry!", "the r\u00e9try", 'a "retry"', "x\nretry", "retry\u0301"].entries())
			write(`--p--/old${at}.jsonl`, said(`o${at}`, -900 - at, text));
		const counted = `${base}/counted`;
		await listCounted({ env, cacheDir: counted });
		const query = queryOf("retry");
		const all = await findAll(query, { env, cacheDir: counted });
		expect(all.results.slice(0, 6).every(({ path }) => path.includes("old"))).toBe(true);
		for (const limit of [3, 10]) {
			const some = await findAll(query, { env, cacheDir: counted, limit });
			expect(some.results).toEqual(all.results.slice(0, limit));
			expect(told(some)).toEqual(told(all));
		}
	});

	test("has what a person said on lines that pi would write in another way", async () => {
		const { env, base, write } = tempAgentDir();
		const said = [
			'{"message":{"content":"retry","role":"user"},"id":"e1","parentId":null,"type":"message"}',
			'{ "type": "message", "id": "e1", "parentId": null, "message": { "role": "user", "content": "retry" } }',
			'{"type":"message","id":"e1","parentId":null,"message":{"role":"user","timestamp":1,"content":"re\u0301try"}}',
			`{"type":"message","id":"e1","parentId":null,"message":{"role":"user","content":"${"x ".repeat(5000)} retry"}}`,
		];
		for (const [index, line] of said.entries())
			write(`--p--/said${index}.jsonl`, lines(header({ id: `a${index}` }), line));
		for (let index = 0; index < 20; index++)
			write(`--p--/${index}.jsonl`, lines(header({ id: `s${index}` }), user("e1", null, 1, "retrying")));
		const query = queryOf("retry");
		const all = await findAll(query, { env, cacheDir: `${base}/none` });
		const some = await findAll(query, { env, cacheDir: `${base}/none`, limit: 4 });
		expect(all.results.slice(0, 4).map(({ path }) => path)).toEqual(
			expect.arrayContaining(said.map((_, index) => expect.stringContaining(`said${index}`))),
		);
		expect(some.results).toEqual(all.results.slice(0, 4));
		expect(told(some)).toEqual(told(all));
	});

	test("does not count sessions by damaged lines that begin as pi writes them", async () => {
		const { env, base, write } = tempAgentDir();
		const whole = (text: string) => user("e2", "e1", 2, text).trim();
		const long = `retry ${"x ".repeat(20_000)}`;
		for (const [index, text] of ["retry", "Retry it", long].entries()) {
			const damaged = [whole(text).slice(0, -1), whole(text).replace('"parentId":', '"parentId"'), `${whole(text)}}`];
			for (const [at, line] of damaged.entries()) {
				write(`--p--/${index}-${at}.jsonl`, lines(header({ id: `d${index}${at}` }), user("e1", null, 1, "Look"), line));
				const again = lines(header({ id: `w${index}${at}` }), line, user("e3", "e2", 3, text));
				write(`--p--/${index}-${at}-and-whole.jsonl`, again);
			}
		}
		for (let index = 0; index < 10; index++)
			write(`--p--/${index}.jsonl`, lines(header({ id: `m${index}` }), user("e1", null, 1, "Retry")));
		const counted = `${base}/counted`;
		await listCounted({ env, cacheDir: counted });
		const query = queryOf("retry");
		const all = await findAll(query, { env, cacheDir: counted });
		expect(all.results).toHaveLength(10 + 9);
		for (const cacheDir of [counted, `${base}/none`])
			expect(told(await findAll(query, { env, cacheDir, limit: 3 }))).toEqual(told(all));
	});

	test("counts sessions by lines behind those that have the word in no text", async () => {
		const { env, base, write } = tempAgentDir();
		const silent = (count: number) =>
			Array.from({ length: count }, (_, at) =>
				entry("custom", `c${at}`, null, at, { customType: "a session", data: { id: "session" } }),
			);
		const said = (text: string) => [user("e1", null, 30, text)];
		const named = (...names: string[]) =>
			names.map((name, at) => entry("session_info", `n${at}`, null, 40 + at, { name }));
		const few = [
			[],
			said("Look"),
			said("a session"),
			said("session"),
			said("sesi\u00f3n"),
			said("sessi\u00f3n"),
			named("session", "other"),
			named("my session"),
		];
		for (const [index, end] of few.entries()) {
			for (const count of [0, 1, 7, 8, 20])
				write(`--p--/${index}-${count}.jsonl`, lines(header({ id: `s${index}${count}` }), ...silent(count), ...end));
		}
		for (let index = 0; index < 10; index++)
			write(`--p--/${index}.jsonl`, lines(header({ id: `m${index}` }), ...said("a session")));
		const counted = `${base}/counted`;
		await listCounted({ env, cacheDir: counted });
		const query = queryOf("session");
		const all = await findAll(query, { env, cacheDir: counted });
		expect(all.results).toHaveLength(10 + 5 * 4);
		for (const cacheDir of [counted, `${base}/none`])
			expect(told(await findAll(query, { env, cacheDir, limit: 3 }))).toEqual(told(all));
	});

	test("has a word that is there only with accents, after one search for it as typed", async () => {
		const { env, base, write } = tempAgentDir();
		const paths = ["r\u00e9try", "re\u0301try", "nothing"].map((text, index) =>
			write(`--p--/${index}.jsonl`, lines(header({ id: `s${index}` }), user("u1", null, 1, text))),
		);
		await oldEnough(paths);
		await findRipgrep();
		const calls = countCalls();
		const { results } = await findAll(queryOf("retry"), { env, cacheDir: `${base}/none`, limit: 3 });
		expect(results.map(({ path }) => path).sort()).toEqual(paths.slice(0, 2));
		const plain = calls.started.filter((command) => command.includes("--regexp=retry["));
		expect(plain).toHaveLength(1);
	});
});
