import {
	appendFileSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	truncateSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { listAll, statsAll } from "../../../src/catalog/list-all.ts";
import type { SessionRow } from "../../../src/catalog/model/row.ts";
import { scanFile } from "../../../src/catalog/scan/scan-file.ts";
import { searchAll } from "../../../src/catalog/search-all.ts";
import type { CatalogStats } from "../../../src/catalog/stats/aggregate-stats.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { mutateSession, seededRandom } from "../../support/mutate-session.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** The first seed. */
const RUNS = caseCount(1, 4);
const FIXTURES = join(import.meta.dirname, "..", "..", "..", "fixtures");
const FILES = 24;
const ROUNDS = 6;

const CHANGES: readonly ((path: string, random: () => number, text: string) => void)[] = [
	(path, _random, text) => appendFileSync(path, text.slice(text.indexOf("\n") + 1)),
	(path, random, text) => appendFileSync(path, text.slice(0, Math.floor(random() * text.length))),
	(path, random) => writeFileSync(path, mutateSession(readFileSync(path, "latin1"), random), "latin1"),
	(path, random) => {
		// The same size as before, at the same time.
		const { atime, mtime } = statSync(path);
		const bytes = readFileSync(path);
		for (let count = 0; count < 3 && bytes.length > 0; count++)
			bytes[Math.floor(random() * bytes.length)] = 0x61 + Math.floor(random() * 26);
		writeFileSync(path, bytes);
		utimesSync(path, atime, mtime);
	},
	(path, random) => truncateSync(path, Math.floor(random() * statSync(path).size)),
	(path, _random, text) => {
		writeFileSync(`${path}.tmp`, text);
		renameSync(`${path}.tmp`, path);
	},
	(path) => rmSync(path),
	(path) => utimesSync(path, 1e9, 1e9),
];

const byPath = (rows: Iterable<SessionRow>) => [...rows].sort((a, b) => (a.path < b.path ? -1 : 1));
/** Counting parses every line, and so finds more oddities. */
const shown = (rows: Iterable<SessionRow>) =>
	byPath(rows).map(({ path, id, cwd, name, firstMessage, created, size }) => ({
		path,
		id,
		cwd,
		name,
		firstMessage,
		created,
		size,
	}));

test.each(Array.from({ length: RUNS }, (_, at) => FIRST_SEED + at))(
	"whatever is done to the files, the list is that of a fresh reading (%i)",
	async (seed) => {
		const random = seededRandom(seed);
		const folder = tempAgentDir();
		const texts = readdirSync(FIXTURES)
			.filter((name) => name.endsWith(".jsonl"))
			.map((name) => readFileSync(join(FIXTURES, name), "utf8"));
		const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
		const fresh = (name: number) => folder.write(`--p${name % 4}--/${name}.jsonl`, mutateSession(pick(texts), random));
		const paths = Array.from({ length: FILES }, (_, name) => fresh(name));
		const catalog = openCatalog({ sessionRoots: folder.sessionRoots, cacheDir: folder.cache, processes: false });
		const { rows, problems } = startCatalog(catalog);
		await catalog.listed();
		for (let round = 0; round < ROUNDS; round++) {
			for (let count = 0; count < 5; count++) {
				const path = pick(paths);
				if (statSync(path, { throwIfNoEntry: false })) pick(CHANGES)(path, random, pick(texts));
				else fresh(paths.indexOf(path));
			}
			await catalog.refresh();
			const there = paths.filter((path) => statSync(path, { throwIfNoEntry: false }));
			expect(shown(rows.values())).toEqual(shown(there.map((path) => scanFile(path).row)));
		}
		await catalog.close();
		expect(problems()).toEqual([]);

		const options = { env: folder.env, cacheDir: folder.cache };
		const expected = byPath(rows.values());
		expect(shown(await listAll(options))).toEqual(shown(expected));
		const anew = { env: folder.env, cacheDir: join(folder.base, "anew") };
		const sum = await statsAll(options);
		expect({ sessions: sum.sessions, counted: sum.counted }).toEqual({
			sessions: expected.length,
			counted: expected.length,
		});
		expect(totals(sum)).toEqual(totals(await statsAll(anew)));
		// Nothing in a file ends a search.
		for (const query of ["a", "re:[a-z]+ing", "role:user e"]) await searchAll(query, options);
		expect(dirname(paths[0] ?? "")).toContain(folder.root);
	},
);

/** Which session has the cost that several of them share depends on which came first; the sum does not. */
function totals({ bytes, tokens, cost }: CatalogStats) {
	// Dollars are added in another order.
	return { bytes, tokens, cost: cost.toFixed(9) };
}
