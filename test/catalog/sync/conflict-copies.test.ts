import { appendFileSync, copyFileSync, rmSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { listAll, listCounted } from "../../../src/catalog/list-all.ts";
import { listKnown } from "../../../src/catalog/list-known.ts";
import type { SessionRow } from "../../../src/catalog/model/row.ts";
import { searchAll } from "../../../src/catalog/search-all.ts";
import { statsAll } from "../../../src/catalog/stats-all.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const NAME = "2026-01-01T00-00-00-000Z_a";

/** A session that has cost three cents, and a copy of its beginning. */
function withCopy() {
	const folder = tempAgentDir();
	const start = lines(
		header({ id: "a" }),
		user("a1", null, 1, "Where is the lexer?"),
		assistant("a2", "a1", 2, "Here."),
	);
	const original = folder.write(`--p--/${NAME}.jsonl`, start);
	const copy = folder.write(`--p--/${NAME}.sync-conflict-20260101-000000-ABCDEFG.jsonl`, start);
	appendFileSync(original, lines(user("a3", "a2", 3, "Where is the parser?")));
	const { env, base, cache } = folder;
	return { folder, original, copy, options: { env, home: base, cwd: base, cacheDir: cache } };
}

const notesOf = (rows: Iterable<SessionRow>): unknown =>
	[...rows].map(({ path, conflictOf, conflicts }) => [path, conflictOf?.own, conflicts?.map(({ own }) => own)]).sort();

test("the catalog says which session is a conflict copy, and what changes of that", async () => {
	const { folder, original, copy } = withCopy();
	const catalog = openCatalog({ sessionRoots: folder.sessionRoots, cacheDir: folder.cache });
	const seen = startCatalog(catalog);
	await catalog.counted();
	expect(notesOf(seen.rows.values())).toEqual([
		[original, undefined, [0]],
		[copy, 0, undefined],
	]);
	expect(seen.rows.get(copy)?.conflictOf?.path).toBe(original);
	// It goes on there.
	appendFileSync(copy, lines(assistant("b3", "a2", 4, "The emitter.")));
	await catalog.changed([copy]);
	await catalog.counted();
	expect(notesOf(seen.rows.values())).toEqual([
		[original, undefined, [1]],
		[copy, 1, undefined],
	]);
	await seen.until("what was appended", () => seen.rows.get(copy)?.messageCount === 3);
	// What both have is paid once, and they are one session.
	const statsOf = () => catalog.stats([...seen.rows.values()]);
	await expect.poll(async () => (await statsOf()).cost, { timeout: 10_000 }).toBeCloseTo(0.06);
	const stats = await statsOf();
	expect(stats).toMatchObject({ sessions: 1, counted: 1, cost: expect.closeTo(0.06) });
	expect(stats.projects).toMatchObject([{ sessions: 1, cost: expect.closeTo(0.06) }]);
	rmSync(original);
	await catalog.changed([original]);
	expect(notesOf(seen.rows.values())).toEqual([[copy, undefined, undefined]]);
	await catalog.close();
});

test("commands say the same, from the index and without; what is wholly contained is not found twice", async () => {
	const { original, copy, options } = withCopy();
	const expected = [
		[original, undefined, [0]],
		[copy, 0, undefined],
	];
	expect(notesOf(await listAll({ ...options, blocking: true }))).toEqual(expected);
	expect(notesOf((await listKnown((all) => all, options)) ?? [])).toEqual(expected);
	expect(notesOf((await listCounted(options)).rows)).toEqual(expected);
	expect(notesOf((await searchAll("lexer", options)).map(({ row }) => row))).toEqual([expected[0]]);
	expect(notesOf((await searchAll("cost:>0", options)).map(({ row }) => row))).toEqual([expected[0]]);
	expect(await statsAll({ ...options, blocking: true })).toMatchObject({ sessions: 1, cost: expect.closeTo(0.03) });
	appendFileSync(copy, lines(assistant("b3", "a2", 4, "The emitter.")));
	expect(notesOf((await searchAll("emitter", options)).map(({ row }) => row))).toEqual([[copy, 1, undefined]]);
	expect(await statsAll(options)).toMatchObject({ sessions: 1, cost: expect.closeTo(0.06) });
});

test("a copy that is older than its session is counted after it, so that the session has the cost of both", async () => {
	const { original, copy, options } = withCopy();
	copyFileSync(original, copy);
	utimesSync(copy, 1, 1);
	const { counts } = await listCounted(options);
	expect(counts.get(original)?.cost).toBeCloseTo(0.03);
});
