import { appendFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openCounting, spendingOn } from "../../support/counting.ts";
import { assistant, entry, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

describe("a cost that several sessions share", () => {
	const second = (text: string, at: string) => text.replace("2026-01-01T00:00:00.000Z", at);
	const talk = lines(
		header(),
		user("a1", null, 1, "hi"),
		assistant("a2", "a1", 2, "one"),
		assistant("a3", "a2", 3, "two"),
	);
	const tokensOf = (counting: Awaited<ReturnType<typeof openCounting>>, path: string) =>
		spendingOn(counting.numbers(path).numbers, "2026-01-01")?.output ?? 0;

	test("is counted for the oldest, and for the next one when that is deleted or replaced", async () => {
		const { root, cache, write } = tempAgentDir();
		const counting = await openCounting(root, cache);
		const younger = write(
			"--p--/0.jsonl",
			second(talk, "2026-01-02T00:00:00.000Z") + lines(assistant("b1", "a3", 9, "x")),
		);
		const oldest = write("--p--/1.jsonl", talk);
		const youngest = write("--p--/2.jsonl", second(talk, "2026-01-03T00:00:00.000Z"));
		const all = [younger, oldest, youngest];
		counting.list(...all);
		await counting.count();
		expect(all.map((path) => tokensOf(counting, path))).toEqual([20, 40, 0]);
		expect(counting.numbers(youngest).others).toEqual(counting.numbers(oldest).own);
		counting.remove(oldest);
		expect(counting.pending()).toEqual([younger, youngest]);
		await counting.count();
		expect([younger, youngest].map((path) => tokensOf(counting, path))).toEqual([60, 0]);
		writeFileSync(younger, lines(header(), user("z1", null, 1, "something else")));
		counting.list(younger);
		await counting.count();
		expect([younger, youngest].map((path) => tokensOf(counting, path))).toEqual([0, 40]);
	});

	test("is counted once also when a running pass loses its owner", async () => {
		const { root, cache, write } = tempAgentDir();
		const counting = await openCounting(root, cache);
		const [owner, copy] = [write("--p--/1.jsonl", talk), write("--p--/2.jsonl", talk)];
		counting.list(owner);
		await counting.count();
		counting.list(copy);
		const onProgress = (counted: number) => {
			// It has read which session counts what, and is about to count the copy.
			if (counted === 1) counting.remove(owner);
		};
		await counting.pass({ onProgress }).run();
		expect(tokensOf(counting, copy)).toBe(40);
	});

	test("is counted once also when two browsers count at the same time", async () => {
		const { root, cache, write } = tempAgentDir();
		const counting = await openCounting(root, cache);
		const browser = await openCounting(root, cache);
		const [path, copy] = [write("--p--/1.jsonl", talk), write("--p--/2.jsonl", talk)];
		counting.list(path, copy);
		await Promise.all([counting.pass().run(), browser.pass().run()]);
		expect([path, copy].map((one) => tokensOf(counting, one))).toEqual([40, 0]);
		// The result if neither sees in time what the other has counted: both sessions count it.
		counting.alter(
			"UPDATE session SET others = NULL, (numbers, own) = (SELECT numbers, own FROM session WHERE path = ?)",
			path,
		);
		expect([path, copy].map((one) => tokensOf(counting, one))).toEqual([40, 40]);
		await counting.count();
		expect([path, copy].map((one) => tokensOf(counting, one))).toEqual([40, 0]);
	});

	test("reaches the other browser when one has counted it", async () => {
		const { root, cache, write } = tempAgentDir();
		const counting = await openCounting(root, cache);
		const browser = await openCounting(root, cache);
		const [path, other] = [write("--p--/1.jsonl", talk), write("--p--/2.jsonl", lines(header()))];
		counting.list(path, other);
		await counting.count();
		const told: [path: string, turns: number][] = [];
		const pass = browser.pass({
			onCounts: (all) => told.push(...all.map(([one, { turns }]) => [one, turns] as [string, number])),
		});
		await pass.run();
		expect(told).toEqual([
			[path, 1],
			[other, 0],
		]);
		appendFileSync(path, lines(user("a4", "a3", 4, "more")));
		counting.list(path);
		await counting.count();
		await pass.run();
		expect(told.slice(2)).toEqual([[path, 2]]);
		counting.list(other);
		await pass.run();
		expect(told).toHaveLength(3);
	});

	test("is counted once within a file, and without ids too", async () => {
		const { root, cache, write } = tempAgentDir();
		const counting = await openCounting(root, cache);
		const twice = talk + lines(assistant("a2", "a1", 2, "one"));
		const old = [...twice.matchAll(/.+\n/g)]
			.map(([line]) => line.replace(/"id":"a\d","parentId":(?:null|"a\d"),/, ""))
			.join("");
		const [path, oldPath] = [write("--p--/1.jsonl", twice), write("--p--/2.jsonl", old)];
		counting.list(path, oldPath);
		await counting.count();
		expect([path, oldPath].map((one) => tokensOf(counting, one))).toEqual([40, 40]);
	});

	test("handles names that every plain object inherits", async () => {
		const { root, cache, write } = tempAgentDir();
		const counting = await openCounting(root, cache);
		const names = ["constructor", "__proto__", "toString"];
		const paid = (name: string, at: number) =>
			entry("message", `m${at}`, null, at, { message: { role: name, model: name, usage: { input: 7 } } });
		const path = write(
			"--p--/1.jsonl",
			lines(header(), ...names.map((name, at) => entry(name, `t${at}`, null, at, {})), ...names.map(paid)),
		);
		counting.list(path);
		await counting.count();
		const { spending } = counting.numbers(path).numbers;
		for (const name of names)
			expect(spending).toContainEqual(expect.objectContaining({ model: name, day: "2026-01-01", input: 7, cost: 0 }));
	});
});
