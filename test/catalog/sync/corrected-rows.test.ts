import { expect, onTestFinished, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import type { SessionRow } from "../../../src/catalog/model/row.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** Files that are listed by their first bytes, and corrected once every line has been parsed. */
const FILES = 600;

test("rows that are corrected after every line was parsed come in batches, and all of them come", async () => {
	const folder = tempAgentDir();
	for (let index = 0; index < FILES; index++)
		folder.write(`--p--/${index}.jsonl`, `${JSON.stringify({ event: "start", index })}\nnot JSON\n`);
	const { sessionRoots, cache: cacheDir, base: stateDir } = folder;
	const listings: ReadonlyMap<string, SessionRow>[] = [];
	for (const numbers of [true, false]) {
		// The second one lists what the first one has stored.
		const catalog = openCatalog({ sessionRoots, cacheDir, stateDir, processes: false, numbers, watch: false });
		onTestFinished(() => catalog.close());
		const rows = new Map<string, SessionRow>();
		let events = 0;
		catalog.start((event) => {
			if (event.type !== "rows") return;
			events += 1;
			for (const row of event.rows) rows.set(row.path, row);
		});
		await catalog.listed();
		const before = events;
		const began = performance.now();
		const first = new Map(rows);
		if (numbers) {
			await catalog.counted();
			const corrected = [...rows].filter(([path, row]) => first.get(path) !== row).length;
			expect(corrected).toBe(FILES);
			// None waits longer than 50 ms for others.
			expect(events - before).toBeLessThan(5 + (performance.now() - began) / 40);
		}
		await catalog.close();
		listings.push(rows);
	}
	expect(listings[1]).toEqual(listings[0]);
});
