import { rmSync } from "node:fs";
import { test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { caseCount } from "../../support/cases.ts";
import { header, lines } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** Catalogs that are open at the same time. */
const AT_ONCE = 8;

/** Opens a catalog of six sessions, deletes them, and resolves when the catalog is closed, `afterMs` milliseconds later. */
async function closeWhileDeleted(afterMs: number): Promise<void> {
	const folder = tempAgentDir();
	const paths = [0, 1, 2, 3, 4, 5].map((n) =>
		folder.write(`--p--/${n}.jsonl`, lines(header({ id: `s${n}`, cwd: "/p" }))),
	);
	const { sessionRoots, cache: cacheDir, base: stateDir } = folder;
	const catalog = openCatalog({ sessionRoots, cacheDir, stateDir, processes: false });
	const { rows, until } = startCatalog(catalog);
	await catalog.counted();
	const last = folder.write("--p--/last.jsonl", lines(header({ id: "last", cwd: "/p" })));
	await until("what tells that the directory is watched", () => rows.has(last));
	for (const path of paths) rmSync(path);
	// Not a timer: the moments that matter lie less than a millisecond apart.
	const end = performance.now() + afterMs;
	while (performance.now() < end);
	await catalog.close();
}

test("a catalog that is closed while sessions are deleted ends, whatever its watcher still holds", async () => {
	for (let round = 0; round < caseCount(1, 10); round++)
		await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => closeWhileDeleted(((round * AT_ONCE + n) % 40) / 20)));
});
