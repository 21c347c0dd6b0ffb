import { appendFileSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { indexPath, openIndex } from "../../../src/catalog/index/open-index.ts";
import { listCounted } from "../../../src/catalog/list-all.ts";
import { parseQuery } from "../../../src/catalog/query/parse-query.ts";
import { findAll } from "../../../src/catalog/search-all.ts";
import type { SearchResults } from "../../../src/catalog/search-rows.ts";
import { countCalls } from "../../support/counted-calls.ts";
import { fingerprints } from "../../support/fingerprint.ts";
import { oldEnough } from "../../support/old-enough.ts";
import { assistant, header, label, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const SESSIONS = 12;

/** Sessions that each have a branch off the path, and some an accent. */
function folder() {
	const dir = tempAgentDir();
	const paths = Array.from({ length: SESSIONS }, (_, index) =>
		dir.write(
			`--p--/${index}.jsonl`,
			lines(
				header({ id: `s${index}`, cwd: "/p" }),
				user("a1", null, 1, `the retries of ${index}`),
				assistant("a2", "a1", 2, index % 4 === 0 ? "résumé retriés" : "an abandoned answer about retries"),
				assistant("a3", "a1", 3, "the answer that stays, about retries"),
			),
		),
	);
	return { ...dir, paths };
}

async function search(
	text: string,
	{ env, cache }: Pick<ReturnType<typeof folder>, "env" | "cache">,
): Promise<SearchResults> {
	const parsed = parseQuery(text);
	if ("error" in parsed) throw new Error(parsed.error);
	return findAll(parsed.query, { env, cacheDir: cache });
}

const told = ({ results, total, damaged }: SearchResults) => ({
	total,
	damaged,
	results: results.map(({ row, ...result }) => ({ ...result, row })),
});

describe("a search in the shell stores what it has found out about the files", () => {
	test("the next one examines no file again: it opens as few files and starts as few programs as after a browser", async () => {
		const { env, cache, base, paths } = folder();
		await oldEnough(paths);
		const calls = countCalls();
		const since = () => ({ opened: calls.opened.splice(0).length, started: calls.started.splice(0).length });
		const first = await search("retries", { env, cache });
		const cold = since();
		await first.keep();
		since();
		const second = await search("retries", { env, cache });
		const kept = since();
		expect(told(second)).toEqual(told(first));
		const counted = `${base}/counted`;
		await listCounted({ env, cacheDir: counted });
		since();
		expect(told(await search("retries", { env, cache: counted }))).toEqual(told(first));
		const browsed = since();
		expect(kept).toEqual(browsed);
		expect(cold.opened).toBeGreaterThanOrEqual(kept.opened + SESSIONS);
		expect(cold.started).toBeGreaterThanOrEqual(kept.started);
		// Another word is searched in the same files.
		expect((await search("answer", { env, cache })).results).toHaveLength(SESSIONS);
		const other = since();
		await search("answer", { env, cache: counted });
		expect(other).toEqual(since());
	});

	test("before the answer nothing is written, and no session file is changed", async () => {
		const { env, cache, root } = folder();
		const before = fingerprints(root);
		const found = await search("retries", { env, cache });
		expect(existsSync(indexPath(cache))).toBe(false);
		await found.keep();
		expect(existsSync(indexPath(cache))).toBe(true);
		await (await search("retries", { env, cache })).keep();
		expect(fingerprints(root)).toEqual(before);
	});

	test("files that have changed, appeared or disappeared since are examined again, and damage is counted once", async () => {
		const { env, cache, paths, write } = folder();
		await (await search("retries", { env, cache })).keep();
		appendFileSync(paths[1] ?? "", lines(assistant("a4", "a2", 4, "retries again"), "{broken"));
		rmSync(paths[2] ?? "");
		write(
			"--p--/new.jsonl",
			lines(header({ id: "new" }), user("n1", null, 1, "retries"), label("l", "n1", 2, "n1", "retries")),
		);
		for (let round = 0; round < 3; round++) {
			const found = await search("retries", { env, cache });
			expect(told(found)).toEqual(told(await search("retries", { env, cache: `${cache}-none-${round}` })));
			expect(found).toMatchObject({ total: SESSIONS, damaged: 1 });
			await found.keep();
		}
		const db = new DatabaseSync(indexPath(cache), { readOnly: true });
		const stored = db.prepare("SELECT path FROM searched").all();
		db.close();
		expect(stored).toHaveLength(SESSIONS);
		await listCounted({ env, cacheDir: cache });
		appendFileSync(paths[3] ?? "", "\n");
		await (await search("retries", { env, cache })).keep();
		const again = new DatabaseSync(indexPath(cache), { readOnly: true });
		// Counted files are known from the counts.
		expect(again.prepare("SELECT path FROM searched").all()).toEqual([{ path: paths[3] }]);
		again.close();
	});

	test("while another program writes, nothing is stored or reported; several at once store the same", async () => {
		const { env, cache } = folder();
		const { db } = await openIndex(cache);
		const first = await search("retries", { env, cache });
		db.exec("BEGIN IMMEDIATE");
		await first.keep();
		db.exec("ROLLBACK");
		expect(db.prepare("SELECT count(*) AS count FROM searched").get()).toEqual({ count: 0 });
		const several = await Promise.all([search("retries", { env, cache }), search("answer", { env, cache })]);
		await Promise.all(several.map((one) => one.keep()));
		expect(db.prepare("SELECT count(*) AS count FROM searched").get()).toEqual({ count: SESSIONS });
		db.close();
	});

	test("a damaged index is left to the next listing, which reports it", async () => {
		const { env, cache } = folder();
		const first = await search("retries", { env, cache });
		await first.keep();
		const { db } = await openIndex(cache);
		db.exec("UPDATE searched SET row = '{}', spans = '[]', accents = accents + 1");
		db.close();
		expect(told(await search("retries", { env, cache }))).toEqual(told(first));
		writeFileSync(indexPath(cache), "not a database");
		const found = await search("retries", { env, cache });
		await found.keep();
		expect(told(found)).toEqual(told(first));
		expect(readdirSync(cache).filter((name) => name.endsWith(".damaged"))).toEqual([]);
	});
});
