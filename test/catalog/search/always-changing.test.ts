import { expect, onTestFinished, test } from "vitest";
import type { SearchEvent, SearchFile } from "../../../src/catalog/search/search.ts";
import { Searcher } from "../../../src/catalog/search/searcher.ts";
import { queryOf } from "../../support/follow-search.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** A searcher of two files, the first of which changes whenever a ripgrep has started or ended. */
function changing(onEvent: (event: SearchEvent) => void): Searcher {
	const folder = tempAgentDir();
	const [first, second] = ["retries were deployed", "a retry"].map(
		(text, index): SearchFile => ({
			path: folder.write(`--p--/${index}.jsonl`, lines(header(), user("u1", null, 1, text))),
			size: 1,
			modified: 2 - index,
		}),
	) as [SearchFile, SearchFile];
	const searcher = new Searcher(
		(_request, event) => onEvent(event),
		() => queueMicrotask(() => searcher.update([first])),
	);
	searcher.update([first, second]);
	searcher.watchVisible([first.path, second.path], 1);
	onTestFinished(() => searcher.close());
	return searcher;
}

test.each([
	["as typed", "retr", 2],
	["in other forms", "deploying", 1],
	["nowhere", "kubernetes", 0],
])("a search ends though a session changes all the time: %s", async (_, words, count) => {
	const found = new Set<string>();
	let searched: readonly number[] = [];
	const settled = Promise.withResolvers<void>();
	const searcher = changing((event) => {
		if (event.type === "results") for (const { path } of event.results) found.add(path);
		if (event.type === "progress") searched = [event.searched, event.total];
		if (event.type === "settled" && !event.inForms) settled.resolve();
	});
	searcher.search(1, queryOf(words));
	await settled.promise;
	expect(searched).toEqual([2, 2]);
	expect(found.size).toBe(count);
});
