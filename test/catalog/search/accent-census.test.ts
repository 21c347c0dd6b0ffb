import { expect, test } from "vitest";
import { parseQuery } from "../../../src/catalog/query/parse-query.ts";
import type { SearchFile } from "../../../src/catalog/search/search.ts";
import { Searcher } from "../../../src/catalog/search/searcher.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

test("a file known to have no letters with accents is not examined again until it is reread", async () => {
	const { write } = tempAgentDir();
	const text = (words: string) => lines(header(), user("a", null, 1, words));
	const path = write("--p--/1.jsonl", text("tea"));
	const file: SearchFile = { path, size: 1, modified: 1 };
	let started = 0;
	let found: readonly string[] = [];
	let settled = Promise.withResolvers<void>();
	const searcher = new Searcher(
		(_request, event) => {
			if (event.type === "results") found = event.results.map((result) => result.path);
			if (event.type === "settled") settled.resolve();
		},
		(_pid, running) => {
			if (running) started += 1;
		},
	);
	const search = async (request: number): Promise<readonly [processes: number, found: number]> => {
		[started, found] = [0, []];
		settled = Promise.withResolvers();
		const parsed = parseQuery("cafe");
		if ("error" in parsed) throw new Error(parsed.error);
		searcher.search(request, parsed.query);
		await settled.promise;
		searcher.stop();
		return [started, found.length];
	};
	searcher.update([file]);
	searcher.learn([{ ...file, accents: false }]);
	expect(await search(1)).toEqual([1, 0]);
	// Reread with the same size and time: what was known about it is forgotten.
	write("--p--/1.jsonl", text("café"));
	searcher.update([file]);
	const [processes, sessions] = await search(2);
	expect(processes).toBeGreaterThan(1);
	expect(sessions).toBe(1);
	searcher.learn([{ ...file, accents: true }]);
	expect((await search(3))[1]).toBe(1);
	await searcher.close();
});
