import { appendFileSync, cpSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { indexPath } from "../../../src/catalog/index/open-index.ts";
import { listCounted, listWith, statsAll } from "../../../src/catalog/list-all.ts";
import { searchAll } from "../../../src/catalog/search-all.ts";
import { MIN_BYTES } from "../../../src/catalog/sync/scanner.ts";
import { countCalls } from "../../support/counted-calls.ts";
import { fixtureDir } from "../../support/fixture.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir, tempDir } from "../../support/temp-dir.ts";

/** An agent directory with all fixtures as sessions. */
function withFixtures(): ReturnType<typeof tempAgentDir> {
	const folder = tempAgentDir();
	cpSync(fixtureDir, join(folder.root, "--fixtures--"), { recursive: true });
	return folder;
}

test("rows, counts and sums are those of the catalog's thread, without an index, with it, and after a session has grown", async () => {
	const { env, cache, write } = withFixtures();
	const session = write("--p--/1.jsonl", lines(header({ cwd: "/p" }), user("a1", null, 1, "hello")));
	const here = { env, cacheDir: cache, blocking: true };
	const elsewhere = { env, cacheDir: tempDir() };
	for (let round = 0; round < 3; round++) {
		const calls = countCalls();
		const [listed, sums] = [await listCounted(here), await statsAll(here)];
		expect(calls.threads).toBe(0);
		const byThread = await listCounted(elsewhere);
		expect(listed.rows).toEqual(byThread.rows);
		expect(new Map(listed.counts)).toEqual(new Map(byThread.counts));
		expect(listed.counts.size).toBeGreaterThan(5);
		expect(sums).toEqual(await statsAll(elsewhere));
		if (round === 1) appendFileSync(session, lines(assistant("a2", "a1", 2, "an answer")));
	}
	expect(await searchAll("answer", { env, cacheDir: cache })).toContainEqual(
		expect.objectContaining({ path: session }),
	);
});

test("where there is much to read, or the index is damaged, the catalog's thread does it", async () => {
	const { env, cache, write } = tempAgentDir();
	const large = write("--p--/1.jsonl", lines(header({ cwd: "/p" }), user("a1", null, 1, "hello")));
	truncateSync(large, MIN_BYTES + 1);
	const options = { env, cacheDir: cache, blocking: true };
	const calls = countCalls();
	const { rows } = await listCounted(options);
	expect(rows.map(({ path }) => path)).toEqual([large]);
	expect(calls.threads).toBe(1);
	// Listed and counted, it need not be read again.
	expect((await listCounted(options)).rows).toEqual(rows);
	expect(calls.threads).toBe(1);
	writeFileSync(indexPath(cache), "no database");
	const again = await listCounted(options);
	expect(again.rows).toEqual(rows);
});

test("what is asked about is looked at again: growth since the listing is evidence of use", async () => {
	const { cache, write, sessionRoots, base } = tempAgentDir();
	const path = write("--p--/1.jsonl", lines(header({ cwd: "/p" }), user("a1", null, 1, "hello")));
	const stateDir = join(base, "state");
	const catalog = openCatalog({
		sessionRoots,
		cacheDir: cache,
		stateDir,
		watch: false,
		numbers: false,
		blocking: true,
	});
	const { rows } = await listWith(catalog, { numbers: false });
	const evidence = async () => (await catalog.checkUse([path])).sessions.get(path);
	expect(await evidence()).toBeUndefined();
	appendFileSync(path, lines(assistant("a2", "a1", 2, "an answer")));
	expect(await evidence()).toMatchObject([{ kind: "grew" }]);
	expect(rows.get(path)?.messageCount).toBe(2);
	await catalog.close();
});

test("it stops with the signal's reason, and closes the index", async () => {
	const { env, cache } = withFixtures();
	const controller = new AbortController();
	const options = { env, cacheDir: cache, blocking: true };
	const stopped = listCounted({ ...options, signal: controller.signal });
	controller.abort(new Error("enough"));
	await expect(stopped).rejects.toThrow("enough");
	expect((await listCounted(options)).rows.length).toBeGreaterThan(5);
});
