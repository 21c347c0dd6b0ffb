import { readFileSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listCounted } from "../../../src/catalog/list-all.ts";
import { KIND_STEP, KINDS } from "../../../src/catalog/query/kinds.ts";
import { findAll } from "../../../src/catalog/search-all.ts";
import type { SearchResults } from "../../../src/catalog/search-rows.ts";
import { caseCount, FIRST_SEED, inLong, inShort } from "../../support/cases.ts";
import { queryOf } from "../../support/follow-search.ts";
import { seededRandom } from "../../support/mutate-session.ts";
import { assistant, entry, header, label, lines, message, toolResult, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const SESSIONS = inLong(60, 30);
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

type Results = SearchResults["results"];

/** The results without the numbers of hits, which for a word of the syntax depend on which sessions are searched together. */
function compared(text: string, results: Results) {
	return SYNTAX.has(text) ? results.map(({ count: _, more: __, ...result }) => result) : results;
}

/** A search for the best must not lose one; only what has a word with characters that do not show may be left out. */
function expectNoneLost(text: string, some: SearchResults, all: SearchResults): void {
	const found = new Set([...some.found.results, ...some.found.others]);
	const lost = all.found.results.filter((path) => !found.has(path));
	const plain = lost.filter((path) => !/[\u00ad\u200b\u2060]/.test(readFileSync(path, "utf8")));
	expect([text, plain]).toEqual([text, []]);
	if (some.isUpTo) return;
	expect([text, some.found.results.toSorted()]).toEqual([text, all.found.results.toSorted()]);
	expect([text, some.found.others.toSorted()]).toEqual([text, all.found.others.toSorted()]);
}

/** Ranks from here on are not of what the person said, nor of names, labels and summaries. */
const NOT_OWN_RANK = KINDS.assistant.rank * KIND_STEP;

describe("a search of which only the first results are wanted", () => {
	test("loses none, has as many, each like in a search for all, and what was said first, with an index and without", async () => {
		const random = seededRandom(FIRST_SEED);
		const asked = inShort(QUERIES, (_, index) => index % 6 === FIRST_SEED % 6);
		let cut = 0;
		for (let round = 0; round < caseCount(1, 1); round++) {
			const { env, cache, base } = folder(random);
			const counted = `${base}/counted`;
			await listCounted({ env, cacheDir: counted });
			for (const text of asked) {
				const query = queryOf(text);
				const all = await findAll(query, { env, cacheDir: counted });
				const byPath = new Map([...all.results, ...all.others].map((result) => [result.path, result]));
				for (const limit of inLong([1, 5, 20], [5])) {
					for (const cacheDir of [counted, cache]) {
						const some = await findAll(query, { env, cacheDir, limit });
						expectNoneLost(text, some, all);
						expect([text, some.results.length]).toEqual([text, Math.min(limit, all.results.length)]);
						for (const one of [...some.results, ...some.others]) {
							const same = byPath.get(one.path);
							expect(compared(text, [one])).toEqual(compared(text, same ? [same] : []));
						}
						const isOwn = ({ results: [first] }: SearchResults) => first !== undefined && first.rank < NOT_OWN_RANK;
						// Of several words, ripgrep does not tell whether all are in good places.
						if (query.terms.length === 1 && isOwn(all)) expect([text, isOwn(some)]).toEqual([text, true]);
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
		for (const [at, text] of ["retry", "Retry!", "the retry", 'a "retry"', "x\nretry", "(retry)"].entries())
			write(`--p--/old${at}.jsonl`, said(`o${at}`, -900 - at, text));
		const counted = `${base}/counted`;
		await listCounted({ env, cacheDir: counted });
		const query = queryOf("retry");
		const all = await findAll(query, { env, cacheDir: counted });
		expect(all.results.slice(0, 6).every(({ path }) => path.includes("old"))).toBe(true);
		for (const limit of [3, 10]) {
			const some = await findAll(query, { env, cacheDir: counted, limit });
			expect(some.results).toEqual(all.results.slice(0, limit));
			expect([some.isUpTo, some.found.results.toSorted()]).toEqual([true, all.found.results.toSorted()]);
		}
	});

	test("damaged lines and syntax are no hits: what is found is verified", async () => {
		const { env, base, write } = tempAgentDir();
		const whole = (text: string) => user("e2", "e1", 2, text).trim();
		const damaged = [whole("retry").slice(0, -1), `${whole("retry")}}`];
		for (const [at, line] of damaged.entries())
			write(`--p--/damaged${at}.jsonl`, lines(header({ id: `d${at}` }), user("e1", null, 1, "Look"), line));
		const silent = Array.from({ length: 20 }, (_, at) =>
			entry("custom", `c${at}`, null, at, { customType: "retry", data: { id: "retry" } }),
		);
		write("--p--/silent.jsonl", lines(header({ id: "silent" }), ...silent));
		write("--p--/later.jsonl", lines(header({ id: "later" }), ...silent, user("e1", null, 30, "a retry")));
		const { results, found, isUpTo } = await findAll(queryOf("retry"), { env, cacheDir: `${base}/none`, limit: 3 });
		expect(results.map(({ path }) => path)).toEqual([expect.stringContaining("later")]);
		expect([found.results.length, isUpTo]).toEqual([1, false]);
	});

	test("has a word that is there only with accents below what was typed", async () => {
		const { env, base, write } = tempAgentDir();
		const paths = ["retry", "r\u00e9try", "re\u0301try", "nothing"].map((text, index) =>
			write(`--p--/${index}.jsonl`, lines(header({ id: `s${index}` }), user("u1", null, 1, text))),
		);
		const { results, others } = await findAll(queryOf("retry"), { env, cacheDir: `${base}/none`, limit: 3 });
		expect(results.map(({ path }) => path)).toEqual(paths.slice(0, 1));
		expect(others.map(({ path }) => path).sort()).toEqual(paths.slice(1, 3));
		expect(others.map(({ other }) => other?.map(({ matched }) => matched.normalize("NFC")))).toEqual([
			["r\u00e9try"],
			["r\u00e9try"],
		]);
	});
});
