import { appendFileSync, rmSync } from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { rootOf } from "../../src/catalog/places.ts";
import {
	compareResults,
	type SearchEvent,
	type SearchOptions,
	type SearchResult,
} from "../../src/catalog/search/search.ts";
import { SearchClient } from "../../src/catalog/search/search-client.ts";
import { follow, scratch } from "./scratch.ts";
import { assistant, entry, header, lines, toolResult, user } from "./session-lines.ts";

// On a machine that is busy with other things, a second is soon gone.
vi.setConfig({ testTimeout: 30_000 });

/** Searches until all is told; the results in the order in which they are shown. */
function find(
	catalog: Pick<Catalog, "search">,
	query: string,
	locate: SearchOptions["locate"] = "best",
): Promise<SearchResult[]> {
	const results = new Map<string, SearchResult>();
	return new Promise((resolve, reject) => {
		const listener = (event: SearchEvent): void => {
			if (event.type === "results") for (const result of event.results) results.set(result.path, result);
			else if (event.type === "error") reject(new Error(event.message));
			else if (event.phase === "done") {
				stop();
				resolve([...results.values()].sort(compareResults));
			}
		};
		const stop = catalog.search(query, listener, { locate });
	});
}

async function opened(folder: ReturnType<typeof scratch>): Promise<Catalog> {
	const catalog = openCatalog({ places: folder.places, cacheDir: folder.cache, watch: false });
	follow(catalog);
	await catalog.searchable();
	return catalog;
}

const call = (name: string, args: object) => ({ type: "toolCall", id: "c1", name, arguments: args });

/** A session with a branch: a2 → a3 is abandoned, a2 → a6 leads to the leaf. */
const rich = lines(
	header({ cwd: "/work/api" }),
	user("a1", null, 1, "Refactor the PARSER please"),
	assistant("a2", "a1", 2, "Sure, the parser.", [
		{ type: "thinking", thinking: "deep thought about tokens" },
		call("bash", { command: "npm test -- --grep parser" }),
		call("edit", { path: "src/x.ts", edits: [{ oldText: "oldbody", newText: "newbody" }] }),
	]),
	toolResult("a3", "a2", 3, "FAIL retry loop\n\u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8"),
	entry("label", "a4", "a3", 4, { targetId: "a3", label: "Broken run" }),
	entry("session_info", "a5", "a4", 5, { name: "Parser rewrite" }),
	entry("branch_summary", "a6", "a2", 6, { fromId: "a5", summary: "tried a regex" }),
	user("a7", "a6", 7, "stream it"),
);

describe("search", () => {
	test("finds everything that was said and done, and where", async () => {
		const folder = scratch();
		const path = folder.write("--work-api--/1.jsonl", rich);
		const catalog = await opened(folder);
		const best = async (query: string) => (await find(catalog, query))[0]?.best;
		expect(await best("refactor")).toMatchObject({ entryId: "a1", kind: "title", active: true, line: 2 });
		expect(await best('"retry loop"')).toMatchObject({ entryId: "a3", kind: "output", active: false });
		expect(await best("\u30c6\u30ad\u30b9\u30c8")).toMatchObject({ entryId: "a3" });
		expect(await best("label:broken")).toMatchObject({ entryId: "a3", kind: "label", active: false });
		expect(await best("in:summary regex")).toMatchObject({ entryId: "a6", kind: "summary", active: true });
		expect(await best("file:src/x.ts")).toMatchObject({ entryId: "a2", kind: "path" });
		expect(await best("cmd:grep")).toMatchObject({ kind: "command" });
		expect(await best("tool:edit oldbody")).toMatchObject({ kind: "arguments" });
		expect(await best("tool:bash oldbody")).toBeUndefined();
		expect(await best("in:thinking thought")).toMatchObject({ kind: "thinking" });
		expect(await best("model:sonnet")).toMatchObject({ kind: "model" });
		expect(await best("cwd:api")).toMatchObject({ kind: "cwd" });
		expect(await best("role:user sure")).toBeUndefined();
		expect(await best("role:tool re:retry\\s\\w+")).toMatchObject({ entryId: "a3" });
		expect(await best("refactor tokens regex")).toBeDefined();
		expect(await best("refactor absent")).toBeUndefined();
		await expect(find(catalog, "re:(")).rejects.toThrow("not valid");
		const snippet = (await best("parser please"))?.snippet;
		expect(snippet?.text).toBe("Refactor the PARSER please");
		expect(snippet?.ranges.map(([start, end]) => snippet.text.slice(start, end))).toEqual(["PARSER", "please"]);
		const hits = await catalog.hits("parser", path);
		expect(hits.map((hit) => [hit.entryId, hit.line])).toEqual([
			["a1", 2],
			["a2", 3],
			["a5", 6],
		]);
	});

	test("ranks names before talk before tool output, whole words before parts, newer before older", async () => {
		const folder = scratch();
		const session = (second: number, ...more: string[]) => lines(header(), user("u1", null, second, "hello"), ...more);
		const expected = [
			folder.write("--p--/name.jsonl", session(1, entry("session_info", "n", "u1", 2, { name: "the needle" }))),
			folder.write("--p--/namepart.jsonl", session(9, entry("session_info", "n", "u1", 2, { name: "needles" }))),
			folder.write("--p--/newer.jsonl", session(3, assistant("b", "u1", 6, "a needle here"))),
			folder.write("--p--/older.jsonl", session(3, assistant("b", "u1", 5, "a needle here"))),
			folder.write("--p--/part.jsonl", session(9, assistant("b", "u1", 9, "needlework"))),
			folder.write("--p--/output.jsonl", session(9, toolResult("b", "u1", 9, "needle"))),
		];
		folder.write("--p--/none.jsonl", session(9));
		const catalog = await opened(folder);
		expect((await find(catalog, "Needle")).map((result) => result.path)).toEqual(expected);
	});

	test("counts places, in text longer than a block too, and across the cuts of a long entry", async () => {
		const folder = scratch();
		const filler = "lorem ipsum dolor sit amet ".repeat(20_000);
		folder.write(
			"--p--/1.jsonl",
			lines(header(), user("u1", null, 1, "hi"), toolResult("u2", "u1", 2, `${filler}needle one ${filler}needle two`)),
		);
		for (let shift = 0; shift < 4; shift++) {
			const text = `${"x".repeat(64 * 1024 - 8 - shift * 3)}across${"y".repeat(70_000)}`;
			folder.write(`--p--/cut${shift}.jsonl`, lines(header(), user("u1", null, 1, text)));
		}
		const catalog = await opened(folder);
		expect((await find(catalog, "needle")).map((result) => [result.count, result.more])).toEqual([[2, false]]);
		expect(await find(catalog, "xxacrossyy")).toHaveLength(4);
	});

	test("finds what was appended, and forgets what is gone", async () => {
		const folder = scratch();
		const path = folder.write("--p--/1.jsonl", lines(header(), user("u1", null, 1, "first")));
		const first = await opened(folder);
		expect(await find(first, "second")).toEqual([]);
		await first.close();
		appendFileSync(path, lines(assistant("u2", "u1", 2, "the second"), toolResult("u3", "u2", 3, "third")));
		const second = await opened(folder);
		expect((await find(second, "second third first")).map((result) => result.best.line)).toEqual([2]);
		expect((await second.hits("third", path)).map((hit) => hit.entryId)).toEqual(["u3"]);
		await second.close();
		rmSync(path);
		expect(await find(await opened(folder), "second")).toEqual([]);
	});

	test("typing key by key finds the same as the whole query at once", async () => {
		const folder = scratch();
		const texts = ["the retry loop", "retr", "a retry", "ret", "loop of retries", "nothing"];
		for (const [index, text] of texts.entries()) {
			const tool = `${"filler ".repeat(index * 9000)}${texts[(index + 3) % texts.length]}`;
			const more = Array.from({ length: 4 }, (_, at) =>
				assistant(`b${at}`, "u1", 3, `${"word ".repeat(4000)}${text.slice(at)}`),
			);
			folder.write(
				`--p--/${index}.jsonl`,
				lines(header(), user("u1", null, 1, "hi"), toolResult("u2", "u1", 2, tool), ...more),
			);
		}
		const catalog = await opened(folder);
		for (const whole of ["retry loop", "loop retr", "no"]) {
			for (let length = 1; length <= whole.length; length++) {
				const query = whole.slice(0, length);
				const typed = await find(catalog, query);
				const fresh = await opened(folder);
				const summary = (results: SearchResult[]) =>
					results.map(({ path, count, rank, more }) => [path, count, rank, more]);
				expect([query, summary(typed)]).toEqual([query, summary(await find(fresh, query))]);
				await fresh.close();
			}
		}
	}, 30_000);

	test("a search goes on by itself while text is still being stored, and ends when it is ended", async () => {
		const folder = scratch();
		for (let index = 0; index < 30; index++)
			folder.write(`--p--/${index}.jsonl`, lines(header(), user("u1", null, 1, `needle ${index}`)));
		const catalog = openCatalog({ places: folder.places, cacheDir: folder.cache, watch: false });
		onTestFinished(() => catalog.close());
		const paths = new Set<string>();
		const all = Promise.withResolvers<void>();
		const stop = catalog.search("needle", (event) => {
			if (event.type === "results") for (const { path } of event.results) paths.add(path);
			if (event.type === "progress" && event.searched === 30 && event.phase === "done") all.resolve();
		});
		catalog.start(() => undefined);
		await all.promise;
		expect(paths.size).toBe(30);
		stop();
	});

	test("two threads find the same as one, key by key, and locate all results when asked to", async () => {
		const folder = scratch();
		const words = ["the retry loop", "retr", "a retrying", "loop re", "retry", "re"];
		for (let index = 0; index < 60; index++) {
			const said = `${"word ".repeat((index % 7) * 900)}${words[index % words.length]}`;
			const printed = `${"Filler ".repeat((index % 5) * 9000)}${words[(index * 7 + 3) % words.length]} LOOP ${index}`;
			folder.write(
				`--p--/${index}.jsonl`,
				lines(header(), user("u1", null, 1, "hi"), assistant("a1", "u1", 2, said), toolResult("t1", "a1", 3, printed)),
			);
		}
		await (await opened(folder)).close();
		const clients = [1, 2].map((threads) => {
			const client = new SearchClient({ place: rootOf(folder.places), cacheDir: folder.cache }, threads);
			onTestFinished(() => client.close());
			return client;
		});
		for (const whole of ["retry loop", "retrying", "lo", "loop 5", "absent"]) {
			for (let length = 1; length <= whole.length; length++) {
				const query = whole.slice(0, length);
				const [one, two] = await Promise.all(clients.map((client) => find(client, query, "all")));
				expect([query, two]).toEqual([query, one]);
				expect(one?.filter(({ best }) => best.entryId === "" && best.kind !== "cwd" && best.kind !== "model")).toEqual(
					[],
				);
			}
		}
		const [, second] = clients;
		const found = second ? await find(second, "loop", "all") : [];
		expect(found.map(({ best }) => best.snippet.text).filter((text) => text.includes("LOOP"))).not.toEqual([]);
		expect(found.length).toBeGreaterThan(40);
	});
});
