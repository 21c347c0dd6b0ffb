import { appendFileSync, copyFileSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { indexPath } from "../../src/catalog/index/open-index.ts";
import { listAll, statsAll } from "../../src/catalog/list-all.ts";
import { searchAll } from "../../src/catalog/search-all.ts";
import { assistant, entry, header, lines, user } from "../support/session-builder.ts";
import { tempAgentDir } from "../support/temp-dir.ts";

/** Each assistant message costs $0.03 and 30 tokens; a2 is on an abandoned branch. */
const talk = [user("a1", null, 1, "hi"), assistant("a2", "a1", 2, "one"), assistant("a3", "a1", 3, "two")];

test("adds up sessions, tokens and cost by project, model and month, and what abandoned branches cost", async () => {
	const { env, cache: cacheDir, write } = tempAgentDir();
	const parent = write("--a--/1.jsonl", lines(header({ cwd: "/a" }), ...talk));
	// A fork: the cost of what it copied belongs to its parent.
	const forked = { cwd: "/b", parentSession: parent, timestamp: "2026-01-01T00:01:00.000Z" };
	const summary = { summary: "s", usage: { input: 1, output: 1, cost: { total: 0.5 } } };
	write("--b--/2.jsonl", lines(header(forked), ...talk, entry("compaction", "c1", "a3", 100, summary)));
	const stats = await statsAll({ env, cacheDir });
	expect(stats).toMatchObject({ sessions: 2, counted: 2, tokens: 62, abandoned: { tokens: 30, cost: 0.03 } });
	expect(stats.cost).toBeCloseTo(0.56);
	expect(stats.projects.map((line) => [line.key, line.sessions, line.tokens])).toEqual([
		["/b", 1, 2],
		["/a", 1, 60],
	]);
	expect(stats.models.map((line) => [line.key, line.sessions])).toEqual([
		["(compaction)", 1],
		["claude-sonnet-4-5", 1],
	]);
	expect(stats.months.map((line) => [line.key, line.sessions, line.tokens])).toEqual([["2026-01", 2, 62]]);
});

test("a cost that several files hold is counted once, whichever of them is left", async () => {
	const { env, cache: cacheDir, write } = tempAgentDir();
	const fork = (at: string, ...more: string[]) =>
		lines(
			header({ cwd: "/b", parentSession: "/gone.jsonl", timestamp: `2026-01-0${at}T00:00:00.000Z` }),
			...talk,
			...more,
		);
	const summary = { summary: "s", usage: { input: 1, output: 1, cost: { total: 0.5 } } };
	const forks = [fork("2"), fork("3", entry("compaction", "c1", "a3", 100, summary))].map((content, index) =>
		write(`--b--/${index}.jsonl`, content),
	);
	expect(await statsAll({ env, cacheDir })).toMatchObject({ counted: 2, tokens: 62, abandoned: { tokens: 30 } });
	const parent = write("--a--/1.jsonl", lines(header({ cwd: "/a" }), ...talk));
	const copy = `${parent.slice(0, -".jsonl".length)}-copy.jsonl`;
	copyFileSync(parent, copy);
	expect(await statsAll({ env, cacheDir })).toMatchObject({ counted: 4, tokens: 62, abandoned: { tokens: 30 } });
	for (const path of [forks[0] ?? "", parent]) {
		rmSync(path);
		const stats = await statsAll({ env, cacheDir });
		expect(stats).toMatchObject({ tokens: 62, abandoned: { tokens: 30 } });
		expect(stats.counted).toBe(stats.sessions);
	}
});

test("names of types, roles and models are only names", async () => {
	const { env, cache: cacheDir, write } = tempAgentDir();
	const names = ["constructor", "__proto__"];
	const paid = names.map((name, at) => {
		const message = { role: name, model: name, usage: { input: 5, output: 0 } };
		return entry("message", `m${at}`, null, at, { message });
	});
	write("--a--/1.jsonl", lines(header(), ...names.map((name, at) => entry(name, `t${at}`, null, at, {})), ...paid));
	const stats = await statsAll({ env, cacheDir });
	expect(stats).toMatchObject({ counted: 1, tokens: 10 });
	expect(stats.models.map(({ key, tokens }) => [key, tokens]).sort()).toEqual(names.map((name) => [name, 5]).sort());
});

test("searchAll finds once, best first, and reports what is wrong with a query", async () => {
	const { env, cache: cacheDir, write } = tempAgentDir();
	const path = write("--a--/1.jsonl", lines(header({ cwd: "/a" }), ...talk));
	const [found, ...more] = await searchAll("two", { env, cacheDir });
	expect(more).toEqual([]);
	expect(found).toMatchObject({ path, count: 1, best: { entryId: "a3", line: 4 }, row: { cwd: "/a" } });
	expect(await searchAll("three", { env, cacheDir })).toEqual([]);
	await expect(searchAll("re:(", { env, cacheDir })).rejects.toThrow(RangeError);
	expect(await searchAll("is:named two", { env, cacheDir })).toEqual([]);
	await expect(searchAll("is:running two", { env, cacheDir })).rejects.toThrow(/is:running does not work here/);
});

test("a file is asked once for characters that do not show, and again when it has changed", async () => {
	const { env, cache: cacheDir, write } = tempAgentDir();
	const first = write("--a--/1.jsonl", lines(header(), user("u1", null, 1, "the ret\u200bry")));
	const second = write("--a--/2.jsonl", lines(header(), user("u1", null, 1, "something else")));
	const notes = () => {
		const db = new DatabaseSync(indexPath(cacheDir), { readOnly: true });
		const records = db.prepare("SELECT hidden FROM session ORDER BY path").all();
		db.close();
		return records.map(({ hidden }) => hidden);
	};
	const find = async () => (await searchAll("retry", { env, cacheDir, limit: 20 })).map(({ path }) => path).sort();
	expect(await find()).toEqual([first]);
	await listAll({ env, cacheDir });
	expect(notes()).toEqual([null, null]);
	expect(await find()).toEqual([first]);
	expect(notes()).toEqual([1, 0]);
	expect(await find()).toEqual([first]);
	appendFileSync(second, lines(user("u2", "u1", 2, "a re\u2060try")));
	expect(await find()).toEqual([first, second]);
	await listAll({ env, cacheDir });
	expect(notes()).toEqual([1, null]);
	expect(await find()).toEqual([first, second]);
	expect(notes()).toEqual([1, 1]);
});
