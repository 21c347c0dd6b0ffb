import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseQuery } from "../../../src/catalog/query/parse-query.ts";
import { findRipgrep } from "../../../src/catalog/search/find-ripgrep.ts";
import { matchesEntry } from "../../../src/conversation/tree/match-entry.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { caseCount, inShort } from "../../support/cases.ts";
import { fixtureDir } from "../../support/fixture.ts";
import { mutateSession, seededRandom } from "../../support/mutate-session.ts";
import { hitLines, oracle, searchPaths } from "../../support/search-oracle.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const sources = readdirSync(fixtureDir)
	.filter((name) => name.endsWith(".jsonl"))
	.map((name) => readFileSync(join(fixtureDir, name), "latin1"))
	.filter((text) => text.length < 200_000);

const part = fc.oneof(
	fc.constantFrom(
		"the",
		"user",
		"a",
		"__proto__",
		"constructor",
		"toString",
		'"',
		"null",
		"7.5",
		"x",
		"e\u0301",
		"検索",
	),
	fc.constantFrom(
		"role:user",
		"Role:TOOL",
		"in:title",
		"tool:bash",
		"label:",
		"name:",
		"title:the",
		"cwd:/",
		"is:named",
	),
	fc.constantFrom(
		"re:a.b",
		"re:^\\s*\\S+$",
		"re:/x y/",
		"re:(",
		"re:\\pL{3}",
		'"the user',
		"in:__proto__",
		"is:constructor",
	),
	fc.string({ maxLength: 5 }),
	fc.string({ unit: "grapheme", maxLength: 4 }),
);
const query = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" "));

test("damaged sessions and any query: the search finds what plain parsing finds, and so does the tree", async () => {
	const ripgrep = await findRipgrep();
	const folder = tempAgentDir();
	let cases = 0;
	await fc.assert(
		fc.asyncProperty(fc.nat(), fc.array(query, { minLength: 1, maxLength: 4 }), async (seed, queries) => {
			const random = seededRandom(seed);
			const files = Array.from({ length: 4 }, (_, index) => {
				const source = sources[Math.floor(random() * sources.length)] ?? "";
				const bytes = Buffer.from(mutateSession(source, random), "latin1");
				return { bytes, path: folder.write(`--p--/${index}.jsonl`, bytes) };
			});
			for (const text of queries) {
				const parsed = parseQuery(text);
				if ("error" in parsed || parsed.query.terms.length === 0) continue;
				const wanted = files.map(({ bytes }) => oracle(bytes, parsed.query));
				const paths = files.map(({ path }) => path);
				const found = await searchPaths(ripgrep, parsed.query, paths, true);
				expect([text, found]).toEqual([text, paths.filter((_, index) => wanted[index]?.isFound)]);
				const lines = await hitLines(ripgrep, parsed.query, paths[0] ?? "");
				expect([text, lines]).toEqual([text, wanted[0]?.lines]);
				cases += 1;
			}
			for (const { path } of files) await filterTree(path, queries);
		}),
		// The first one has a label whose target is a list.
		{ numRuns: caseCount(2, 30), examples: [[715_117_810, ["re:^\\s*\\S+$"]]] },
	);
	console.log(`${cases} searches in damaged sessions`);
});

async function filterTree(path: string, queries: readonly string[]): Promise<void> {
	const session = await readSession(path);
	for (const text of queries) {
		const parsed = parseQuery(text);
		if (!("error" in parsed))
			for (const entry of session.entries) matchesEntry(entry, session, parsed.query, "/home/me");
	}
}

test("whole sessions: the entries that the search finds are found by the tree's filter", async () => {
	const ripgrep = await findRipgrep();
	const names = ["every-entry-type", "branches", "names", "linear-v3", "escape-sequences"];
	const words = [
		"the",
		"a",
		"user",
		"title:the",
		"in:title",
		"label:e",
		"name:e",
		"role:user",
		"role:tool",
		"tool:bash",
	];
	for (const [at, name] of names.entries()) {
		const path = join(fixtureDir, `${name}.jsonl`);
		const session = await readSession(path);
		const all = [...words, "re:\\w+ing", "in:summary", "in:thinking", "in:args", "model:e", "cmd:e", "file:e"];
		// In the test command each is searched for in one or two of the sessions.
		for (const text of inShort(all, (_, index) => index % 3 === at % 3)) {
			const parsed = parseQuery(text);
			if ("error" in parsed) throw new Error(parsed.error);
			const lines = await hitLines(ripgrep, parsed.query, path);
			const byLine = new Map([...session.lines].map(([id, line]) => [line, id]));
			const ids = lines.flatMap((line) => byLine.get(line) ?? []);
			const shown = session.entries
				.filter((entry) => matchesEntry(entry, session, parsed.query, "/home/me"))
				.map(({ id }) => id);
			expect([name, text, ids.filter((id) => !shown.includes(id))]).toEqual([name, text, []]);
		}
	}
});
