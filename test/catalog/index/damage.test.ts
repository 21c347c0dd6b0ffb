import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { indexPath } from "../../../src/catalog/index/open-index.ts";
import { listAll, listRead, statsAll } from "../../../src/catalog/list-all.ts";
import { searchAll } from "../../../src/catalog/search-all.ts";
import { type Choose, listKnown } from "../../../src/catalog/snapshot.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { damageIndex } from "../../support/damage-index.ts";
import { seededRandom } from "../../support/mutate-session.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { createTempDir, tempAgentDir } from "../../support/temp-dir.ts";

// Each case starts the threads of several programs.

/** The first seed. */
const CASES = caseCount(2, 8);
const SESSIONS = 40;
/** The seed of a case in which rows are copied to other paths. */
const ROWS_COPIED = 54006;

describe("whatever is damaged in the index, all sessions are listed, found and counted", () => {
	const dir = createTempDir();
	const folder = tempAgentDir(dir.path);
	const whole = join(dir.path, "whole");
	const paths = Array.from({ length: SESSIONS }, (_, at) => {
		const text = lines(
			header({ id: `id-${at}`, cwd: `/work/${at % 3}` }),
			user("u1", null, at + 1, `hello ${at} ${"title ".repeat(30)}`),
			assistant("a1", "u1", at + 2, "an answer"),
		);
		return folder.write(`--p${at % 3}--/${at}.jsonl`, text);
	}).sort();

	beforeAll(async () => {
		await statsAll({ env: folder.env, cacheDir: whole });
		return dir.remove;
	});

	const expected = paths.map((path) => `${path} hello ${path.replace(/.*\/|\.jsonl/g, "")} 2`).sort();
	const newest = [39, 38].map((at) => `${join(folder.root, `--p${at % 3}--/${at}.jsonl`)} hello ${at} 2`);
	const titles = (rows: Iterable<{ path: string; firstMessage: string; messageCount: number }>): string[] =>
		[...rows].map((row) => `${row.path} ${row.firstMessage.split(" title")[0]} ${row.messageCount}`).sort();

	const seeds = Array.from({ length: CASES }, (_, at) => FIRST_SEED + at);
	test.each([...new Set([...seeds, ROWS_COPIED])])("case %i", async (seed) => {
		const random = seededRandom(seed);
		const cacheDir = join(dir.path, `cache-${seed}`);
		cpSync(whole, cacheDir, { recursive: true });
		const done = damageIndex(indexPath(cacheDir), random);
		const both = { env: folder.env, cacheDir };
		const ask = {
			list: async () => {
				const options = { ...both, blocking: random() < 0.5 };
				const newestTwo: Choose = (all) => all.slice(0, 2);
				const chosen = (await listKnown(newestTwo, options)) ?? (await listRead(newestTwo, options));
				expect(titles(chosen), done).toEqual([...newest].sort());
				expect(titles(await listAll(options)), done).toEqual(expected);
			},
			search: async () => {
				const found = await searchAll("hello", both);
				expect(titles(found.map(({ row }) => row)), done).toEqual(expected);
			},
			stats: async () => {
				const { sessions, counted, tokens } = await statsAll({ ...both, blocking: random() < 0.5 });
				expect({ sessions, counted, tokens }, done).toEqual({ sessions: 40, counted: 40, tokens: 1200 });
			},
			browser: async () => {
				const catalog = openCatalog({ sessionRoots: folder.sessionRoots, cacheDir, processes: false });
				const { rows } = startCatalog(catalog);
				await catalog.listed();
				await catalog.refresh();
				expect(titles(rows.values()), done).toEqual(expected);
				await catalog.close();
			},
		};
		const order = (["list", "search", "stats", "browser"] as const).toSorted(() => random() - 0.5);
		for (const what of order) await ask[what]();
		rmSync(cacheDir, { recursive: true });
	});
});
