import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { indexPath, openIndex, setAside } from "../../../src/catalog/index/open-index.ts";
import { INDEX_VERSION } from "../../../src/catalog/index/schema.ts";
import { IndexTable, rowsSince } from "../../../src/catalog/index/session-table.ts";
import { isDamage } from "../../../src/catalog/index/sqlite.ts";
import { listAll } from "../../../src/catalog/list-all.ts";
import type { CatalogProblem } from "../../../src/catalog/model/event.ts";
import { scanFile } from "../../../src/catalog/scan/scan-file.ts";
import { openCounting } from "../../support/counting.ts";
import { entry, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

test("returns rows and states as they were stored, finished or not", async () => {
	const { root, cache, write } = tempAgentDir();
	const counting = await openCounting(root, cache);
	const named = entry("session_info", "a3", "a2", 3, { name: "a name" });
	const paths = [
		write("--p--/1.jsonl", lines(header({ parentSession: "/p.jsonl" }), user("a1", null, 1, "hi"), named, "damaged")),
		// The first message is only in the row: its line is unfinished.
		write("--p--/2.jsonl", lines(header()) + user("a1", null, 1, "hi")),
		write("--p--/3.jsonl", ""),
	];
	counting.list(...paths);
	const table = new IndexTable(counting.db, root);
	for (const [path, { id }] of table.files()) {
		const { row, state } = scanFile(path);
		expect(table.rowOf(id)).toEqual(row);
		expect(table.stateOf(id)?.state).toEqual(state);
	}
	expect(
		rowsSince(counting.db, root, -1)
			.map((row) => row.path)
			.sort(),
	).toEqual(paths);
	const damaged = [...table.files().values()].filter((file) => file.damaged);
	expect(damaged.map(({ path }) => path).sort()).toEqual([paths[0], paths[2]]);
});

test.each(["", "{", "null", "5"])("a row that was not stored like that means a damaged index (%s)", async (json) => {
	const { root, cache, write } = tempAgentDir();
	const counting = await openCounting(root, cache);
	counting.list(write("--p--/1.jsonl", lines(header(), user("a1", null, 1, "hi"))));
	counting.alter("UPDATE session SET row = ?", json);
	let thrown: unknown;
	try {
		rowsSince(counting.db, root, -1);
	} catch (error) {
		thrown = error;
	}
	expect(isDamage(thrown)).toBe(true);
});

test("indexes of older versions are removed silently, newer ones stay", async () => {
	const { cache } = tempAgentDir();
	mkdirSync(cache, { recursive: true });
	const older = [
		"catalog.db",
		"catalog.db-wal",
		"catalog.db-shm",
		"catalog.db.damaged",
		"catalog-7.db",
		"catalog-7.db-wal",
	];
	const others = [`catalog-${INDEX_VERSION + 1}.db`, "catalog.db.txt", `catalog-${INDEX_VERSION}.db.damaged`];
	for (const name of [...older, ...others]) writeFileSync(join(cache, name), "some bytes");
	const { db, problems } = await openIndex(cache);
	db?.close();
	expect(problems).toEqual([]);
	expect(older.filter((name) => existsSync(join(cache, name)))).toEqual([]);
	expect(others.filter((name) => !existsSync(join(cache, name)))).toEqual([]);
});

test("a damaged index is set aside only as long as it is the one that was opened: another program may have made a new one", async () => {
	const { cache } = tempAgentDir();
	const { db, file } = await openIndex(cache);
	db.close();
	const path = indexPath(cache);
	renameSync(path, `${path}.damaged`);
	const other = await openIndex(cache);
	other.db.close();
	setAside(cache, file);
	expect(statSync(path).ino).toBe(other.file?.ino);
	setAside(cache, other.file);
	expect(existsSync(path)).toBe(false);
	expect(statSync(`${path}.damaged`).ino).toBe(other.file?.ino);
});

test("an index that another program holds is waited for two seconds, then all works without it", async () => {
	const { cache, env, write } = tempAgentDir();
	const path = write("--p--/1.jsonl", lines(header(), user("u1", null, 1, "Hello")));
	const options = { env, cacheDir: cache, blocking: true };
	await listAll(options);
	const holder = new DatabaseSync(indexPath(cache));
	try {
		holder.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE held (id); COMMIT");
		const began = performance.now();
		let problems: readonly CatalogProblem[] = [];
		const rows = await listAll({
			...options,
			onProblems: (now) => {
				problems = now;
			},
		});
		expect(rows.map((row) => row.path)).toEqual([path]);
		expect(problems.map(({ message }) => message)).toEqual([
			expect.stringMatching(
				/^Cannot use the index .*: another program has locked it; see which one with fuser or lsof\. /,
			),
		]);
		// Forty seconds, when each of twenty tries had two.
		expect(performance.now() - began).toBeLessThan(20_000);
	} finally {
		holder.close();
	}
});
