import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Catalog, openCatalog } from "../../../src/catalog/catalog.ts";
import { NO_HITS, type SearchResult } from "../../../src/catalog/search/search.ts";
import { inLong } from "../../support/cases.ts";
import { findSettled, followSearch, queryOf } from "../../support/follow-search.ts";
import { assistant, entry, header, label, lines, name, toolResult, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir, tempDirOfFile } from "../../support/temp-dir.ts";

async function opened(folder: ReturnType<typeof tempAgentDir>): Promise<Catalog> {
	const catalog = openCatalog({
		sessionRoots: folder.sessionRoots,
		cacheDir: folder.cache,
		watch: false,
		numbers: false,
		processes: false,
	});
	startCatalog(catalog);
	await catalog.listed();
	return catalog;
}

const call = (name: string, args: object) => ({ type: "toolCall", id: "c1", name, arguments: args });

/** A session with a branch: a2 → a3 is abandoned, a2 → a6 leads to the leaf. */
const branched = lines(
	header({ cwd: "/work/api" }),
	user("a1", null, 1, "Refactor the PARSER please"),
	assistant("a2", "a1", 2, "Sure, the parser.", [
		{ type: "thinking", thinking: "deep thought about tokens" },
		call("bash", { command: "npm test -- --grep parser" }),
		call("edit", { path: "src/x.ts", edits: [{ oldText: "oldbody", newText: "newbody" }] }),
	]),
	toolResult("a3", "a2", 3, "FAIL retry loop\n\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8"),
	label("a4", "a3", 4, "a3", "Broken run"),
	name("a5", "a4", 5, "Parser rewrite"),
	entry("message", "a8", "a3", 5, {
		message: { role: "assistant", content: [], stopReason: "error", errorMessage: "529 overloaded" },
	}),
	entry("branch_summary", "a6", "a2", 6, { fromId: "a5", summary: "tried a regex" }),
	user("a7", "a6", 7, "stream it"),
);

describe("search in a session with a branch", () => {
	const folder = tempAgentDir(tempDirOfFile());
	const path = folder.write("--work-api--/1.jsonl", branched);
	const catalog = openCatalog({
		sessionRoots: folder.sessionRoots,
		cacheDir: folder.cache,
		watch: false,
		numbers: false,
		processes: false,
	});
	beforeAll(() => {
		catalog.start(() => undefined);
		return catalog.listed();
	});
	afterAll(() => catalog.close());

	test.each<[query: string, best: Partial<SearchResult["best"]>]>([
		["refactor", { entryId: "a1", kind: "title", active: true, line: 2 }],
		['"retry loop"', { entryId: "a3", kind: "output", active: false, line: 4 }],
		["\u30c6\u30ad\u30b9\u30c8", { entryId: "a3", kind: "output" }],
		["label:broken", { entryId: "a3", kind: "label", active: false }],
		["in:summary regex", { entryId: "a6", kind: "summary", active: true }],
		["file:src/x.ts", { entryId: "a2", kind: "path" }],
		["file:src\\x.ts", { entryId: "a2", kind: "path" }],
		["cmd:grep", { entryId: "a2", kind: "command" }],
		["tool:edit oldbody", { entryId: "a2", kind: "arguments" }],
		["in:thinking thought", { entryId: "a2", kind: "thinking" }],
		["overloaded", { entryId: "a8", kind: "error", active: false }],
		["in:error re:5\\d\\d", { entryId: "a8", kind: "error" }],
		["model:sonnet", { entryId: "a2", kind: "model" }],
		["cwd:api", { kind: "cwd", line: 1 }],
		["role:tool re:retry\\s\\w+", { entryId: "a3", kind: "output" }],
	])("the best hit for %s is %o", async (query, best) => {
		expect(await findSettled(catalog, query)).toEqual([
			expect.objectContaining({ best: expect.objectContaining(best) }),
		]);
	});

	test("words may be in different entries", async () => {
		expect(await findSettled(catalog, "refactor tokens regex")).toHaveLength(1);
	});

	test.each(["tool:bash oldbody", "role:user sure", "refactor absent"])("%s finds nothing", async (query) => {
		expect(await findSettled(catalog, query)).toEqual([]);
	});

	test("the snippet marks all words", async () => {
		const [result] = await findSettled(catalog, "parser please");
		const { text, ranges } = result?.best.snippet ?? { text: "", ranges: [] };
		expect(text).toBe("Refactor the PARSER please");
		expect(ranges.map(([start, end]) => text.slice(start, end))).toEqual(["PARSER", "please"]);
	});

	test("the hits in a session are its entries with the word, in the order of the file", async () => {
		const { hits, best } = await catalog.hits(queryOf("parser"), path);
		expect(hits.map((hit) => [hit.entryId, hit.line])).toEqual([
			["a1", 2],
			["a2", 3],
			["a5", 6],
		]);
		// The row shows the name, not the first message.
		expect(best?.entryId).toBe("a1");
	});
});

describe("search", () => {
	test("ranks what the person said first, then names, answers, commands, files and output; whole words before parts, newer before older", async () => {
		const folder = tempAgentDir();
		const session = (second: number, ...more: string[]) => lines(header(), user("u1", null, second, "hello"), ...more);
		const many = Array.from({ length: 12 }, (_, at) =>
			assistant(`m${at}`, "u1", 2, "", [call("bash", { command: "rg needle" })]),
		);
		const expected = [
			folder.write("--p--/said.jsonl", session(1, ...many, user("b", "u1", 3, "where is the needle?"))),
			folder.write("--p--/name.jsonl", session(1, name("n", "u1", 2, "the needle"))),
			folder.write("--p--/namepart.jsonl", session(9, name("n", "u1", 2, "needles"))),
			folder.write("--p--/newer.jsonl", session(3, assistant("b", "u1", 6, "a needle here"))),
			folder.write("--p--/older.jsonl", session(3, assistant("b", "u1", 5, "a needle here"))),
			folder.write("--p--/part.jsonl", session(9, assistant("b", "u1", 9, "needlework"))),
			folder.write("--p--/command.jsonl", session(9, ...many)),
			folder.write("--p--/path.jsonl", session(9, assistant("b", "u1", 9, "", [call("read", { path: "needle.ts" })]))),
			folder.write("--p--/output.jsonl", session(9, toolResult("b", "u1", 9, "needle"))),
		];
		folder.write("--p--/none.jsonl", session(9));
		const catalog = await opened(folder);
		expect((await findSettled(catalog, "Needle")).map((result) => result.path)).toEqual(expected);
	});

	test("calls that changed a file rank before calls that only read it, and the edit is shown", async () => {
		const folder = tempAgentDir();
		const call = (id: string, parentId: string, second: number, tool: string) =>
			assistant(id, parentId, second, "", [
				{ type: "toolCall", id: `c${id}`, name: tool, arguments: { path: "src/parser.ts" } },
			]);
		const reads = Array.from({ length: 20 }, (_, index) => call(`r${index}`, "u1", index + 2, "read"));
		const session = (...more: string[]) => lines(header(), user("u1", null, 1, "hello"), ...more);
		const expected = [
			folder.write("--p--/edited.jsonl", session(...reads, call("e1", "u1", 30, "edit"), ...reads)),
			folder.write("--p--/written.jsonl", session(call("r", "u1", 2, "read"), call("w1", "u1", 9, "write"))),
			folder.write("--p--/read.jsonl", session(...reads, call("r99", "u1", 99, "read"))),
		];
		const catalog = await opened(folder);
		const found = await findSettled(catalog, "file:parser.ts");
		expect(found.map(({ path }) => path)).toEqual(expected);
		// The first twenty reads are on abandoned branches.
		expect(found.map(({ best }) => best.entryId)).toEqual(["e1", "w1", "r99"]);
	});

	test("without words, all sessions rank equally, and the newest is first", async () => {
		const folder = tempAgentDir();
		const session = (second: number, ...more: string[]) => lines(header(), user("u1", null, second, "hello"), ...more);
		const expected = [
			folder.write("--p--/new.jsonl", session(1, assistant("a", "u1", 9, "sure"), user("u2", "a", 10, "and this?"))),
			folder.write("--p--/middle.jsonl", session(5)),
			folder.write("--p--/old.jsonl", session(1, name("n", "u1", 2, "Named"))),
		];
		const catalog = await opened(folder);
		for (const query of ["role:user", "in:text"])
			expect([query, (await findSettled(catalog, query)).map(({ path }) => path)]).toEqual([query, expected]);
	});

	test("counts the entries with a hit, and finds a word anywhere in an entry of megabytes", async () => {
		const folder = tempAgentDir();
		const filler = "lorem ipsum dolor sit amet ".repeat(100_000);
		const more = Array.from({ length: 20 }, (_, index) => toolResult(`t${index}`, "u1", 3, `needle ${index}`));
		folder.write(
			"--p--/1.jsonl",
			lines(
				header(),
				user("u1", null, 1, "hi"),
				toolResult("u2", "u1", 2, `${filler}needle one ${filler}needle`),
				...more,
			),
		);
		const catalog = await opened(folder);
		expect((await findSettled(catalog, "needle")).map((result) => [result.count, result.more])).toEqual([[21, false]]);
		expect((await findSettled(catalog, '"needle one"'))[0]?.best.snippet.text).toMatch(/^….*needle one lorem.*…$/);
	});

	test("the hit shown is on the active path, and says what the title in the row does not", async () => {
		const folder = tempAgentDir();
		folder.write(
			"--p--/1.jsonl",
			lines(
				header(),
				user("u1", null, 1, "Fix the parser"),
				assistant("a1", "u1", 2, "The parser drops a line."),
				user("left", "a1", 3, "Then stream it."),
				user("u2", "a1", 4, "Then stream it, but in order."),
				assistant("a2", "u2", 5, "Done."),
			),
		);
		const catalog = await opened(folder);
		expect((await findSettled(catalog, "stream"))[0]?.best.entryId).toBe("u2");
		expect((await findSettled(catalog, "parser stream"))[0]?.best.entryId).toBe("u2");
		expect((await findSettled(catalog, "parser"))[0]?.best.entryId).toBe("a1");
		const [onlyTitle] = await findSettled(catalog, "fix");
		expect(onlyTitle?.best.entryId).toBe("u1");
		expect(onlyTitle?.answer?.text).toBe("The parser drops a line.");
	});

	test("the best hit is the one with most of the words, and the title only when no other has as many", async () => {
		const folder = tempAgentDir();
		folder.write(
			"--p--/1.jsonl",
			lines(
				header(),
				user("u1", null, 1, "Why does the parser fail?"),
				assistant("u2", "u1", 2, "I look at the bug."),
				toolResult("u3", "u2", 3, "the parser has a bug"),
				assistant("u4", "u3", 4, "It is a parser."),
			),
		);
		const catalog = await opened(folder);
		expect((await findSettled(catalog, "parser bug"))[0]?.best).toMatchObject({ entryId: "u3" });
		expect((await findSettled(catalog, "parser"))[0]?.best).toMatchObject({ entryId: "u4", kind: "assistant" });
	});

	test("only a session's present labels and name are found, as fields and as words", async () => {
		const folder = tempAgentDir();
		const long = "lorem ipsum ".repeat(60_000);
		const start = [header(), user("u1", null, 1, "hi"), assistant("u2", "u1", 2, "hello")];
		const removed = folder.write(
			"--p--/removed.jsonl",
			lines(
				...start,
				label("l1", "u2", 3, "u1", "todoxyz"),
				user("u3", "l1", 4, long),
				label("l2", "u3", 5, "u1", undefined),
			),
		);
		const replaced = folder.write(
			"--p--/replaced.jsonl",
			lines(
				...start,
				label("l1", "u2", 3, "u1", "todoxyz"),
				label("l2", "l1", 5, "u1", "done"),
				name("n", "l2", 6, "Old"),
			),
		);
		const present = folder.write(
			"--p--/present.jsonl",
			lines(
				...start,
				label("l1", "u2", 3, "u1", "todoxyz"),
				label("l2", "l1", 5, "u2", "done"),
				label("l3", "l2", 6, "u1", "todoxyz"),
			),
		);
		const renamed = folder.write(
			"--p--/renamed.jsonl",
			lines(...start, name("n1", "u2", 3, "todoxyz"), name("n2", "n1", 4, "Fresh"), user("u3", "n2", 5, long)),
		);
		const unnamed = folder.write(
			"--p--/unnamed.jsonl",
			lines(...start, name("n1", "u2", 3, "Fresh"), name("n2", "n1", 4, "")),
		);
		const catalog = await opened(folder);
		const paths = async (query: string) => (await findSettled(catalog, query)).map(({ path }) => path);
		expect(await findSettled(catalog, "label:todoxyz")).toEqual([
			expect.objectContaining({ path: present, count: 1, best: expect.objectContaining({ entryId: "u1", line: 6 }) }),
		]);
		expect(await paths("todoxyz")).toEqual([present]);
		expect(await paths("name:todoxyz")).toEqual([]);
		expect(await paths("name:fresh")).toEqual([renamed]);
		expect(await paths("name:old")).toEqual([replaced]);
		expect(await paths("in:label")).toEqual(expect.arrayContaining([present, replaced]));
		expect(await paths("in:label")).toHaveLength(2);
		appendFileSync(unnamed, `${name("n3", "n2", 5, "Fresh again")}\n`);
		appendFileSync(present, `${label("l4", "l3", 7, "u1", undefined)}\n`);
		await catalog.refresh();
		expect((await paths("name:fresh")).sort()).toEqual([renamed, unnamed].sort());
		expect(await paths("label:todoxyz")).toEqual([]);
		expect(await catalog.hits(queryOf("todoxyz"), removed)).toEqual(NO_HITS);
	});

	test("finds what was appended, and no longer what was deleted", async () => {
		const folder = tempAgentDir();
		const path = folder.write("--p--/1.jsonl", lines(header(), user("u1", null, 1, "first")));
		const first = await opened(folder);
		expect(await findSettled(first, "second")).toEqual([]);
		await first.close();
		appendFileSync(path, lines(assistant("u2", "u1", 2, "the second"), toolResult("u3", "u2", 3, "third")));
		const second = await opened(folder);
		expect((await findSettled(second, "second third first")).map((result) => result.best.line)).toEqual([3]);
		expect((await second.hits(queryOf("third"), path)).hits.map((hit) => hit.entryId)).toEqual(["u3"]);
		await second.close();
		rmSync(path);
		expect(await findSettled(await opened(folder), "second")).toEqual([]);
	});

	test("typing key by key, forward and back, finds the same as the whole query at once", async () => {
		const folder = tempAgentDir();
		const texts = ["the retry loop", "retr", "a retry", "ret", "loop of retries", "nothing"];
		for (const [index, text] of texts.entries()) {
			const tool = `${"filler ".repeat(index * 900)}${texts[(index + 3) % texts.length]}`;
			const more = Array.from({ length: 4 }, (_, at) =>
				assistant(`b${at}`, "u1", 3, `${"word ".repeat(400)}${text.slice(at)}`),
			);
			folder.write(
				`--p--/${index}.jsonl`,
				lines(header(), user("u1", null, 1, "hi"), toolResult("u2", "u1", 2, tool), ...more),
			);
		}
		const catalog = await opened(folder);
		const summary = (results: SearchResult[]) => results.map(({ path, count }) => [path, count]).sort();
		for (const whole of inLong(["retry lo", "no", "re:retr[iy]"], ["re:ri"])) {
			const typed = Array.from({ length: whole.length }, (_, index) => whole.slice(0, index + 1));
			const queries = [...typed, ...typed.toReversed()].filter((text) => !/^re:.*\[[^\]]*$|^re:?$/.test(text));
			// The result of a catalog that has not searched before.
			const atOnce = new Map<string, unknown>();
			for (const query of new Set(queries)) {
				const fresh = await opened(folder);
				atOnce.set(query, summary(await findSettled(fresh, query)));
				await fresh.close();
			}
			for (const query of queries)
				expect([query, summary(await findSettled(catalog, query))]).toEqual([query, atOnce.get(query)]);
		}
	});

	test("a search includes sessions that are listed after it began", async () => {
		const folder = tempAgentDir();
		for (let index = 0; index < 30; index++)
			folder.write(`--p--/${index}.jsonl`, lines(header(), user("u1", null, 1, `needle ${index}`)));
		const catalog = openCatalog({
			sessionRoots: folder.sessionRoots,
			cacheDir: folder.cache,
			watch: false,
			numbers: false,
			processes: false,
		});
		onTestFinished(() => catalog.close());
		const search = followSearch(catalog, "needle");
		catalog.start(() => undefined);
		await search.until("all sessions", () => search.found.size === 30);
		expect(await search.settled()).toHaveLength(30);
	});

	test("a session that grows is searched again, and one that no longer matches is dropped", async () => {
		const folder = tempAgentDir();
		const growing = folder.write("--p--/1.jsonl", lines(header(), user("u1", null, 1, "hello")));
		const changing = folder.write("--p--/2.jsonl", lines(header(), user("u1", null, 1, "a needle")));
		const catalog = openCatalog({ sessionRoots: folder.sessionRoots, cacheDir: folder.cache, processes: false });
		startCatalog(catalog);
		await catalog.listed();
		const { found, until } = followSearch(catalog, "needle");
		await until("the session with the word", () => found.has(changing));
		expect([...found.keys()]).toEqual([changing]);
		await catalog.refresh();
		appendFileSync(growing, lines(assistant("u2", "u1", 2, "the needle")));
		await until("the session that grew", () => found.has(growing));
		writeFileSync(changing, lines(header(), user("u1", null, 1, "nothing of it any more")));
		await until("the session without the word to be dropped", () => !found.has(changing));
		expect([...found.keys()]).toEqual([growing]);
	});
});

test("a file and a directory of a session on Windows are found with slashes", async () => {
	const folder = tempAgentDir();
	const read = assistant("a", null, 1, "", [call("read", { path: "lib\\x.ts" })]);
	folder.write("--C--w-api--/1.jsonl", lines(header({ cwd: "C:\\w\\api" }), read));
	const catalog = await opened(folder);
	onTestFinished(() => catalog.close());
	const counts: number[] = [];
	for (const typed of ["file:lib/x.ts", "file:lib\\x.ts", "cwd:w/api", "file:ib/x.t or file:no", "file:lib//x.ts"])
		counts.push((await findSettled(catalog, typed)).length);
	expect(counts).toEqual([1, 1, 1, 1, 0]);
});
