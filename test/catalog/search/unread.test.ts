import { expect, onTestFinished, test, vi } from "vitest";
import { Searcher } from "../../../src/catalog/search/searcher.ts";
import { ripgrepOnFailingDisk } from "../../support/failing-disk.ts";
import { queryOf } from "../../support/follow-search.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

test("the search of the browser names what ripgrep could not read, and finds the others", async () => {
	const folder = tempAgentDir();
	const [read = "", unread = ""] = ["read", "unread"].map((name) =>
		folder.write(`--p--/${name}.jsonl`, lines(header({ id: name }), user("u1", null, 1, "needle"))),
	);
	vi.stubEnv("PI_GROVE_RG", await ripgrepOnFailingDisk(folder.base, unread));
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
	const settled = Promise.withResolvers<void>();
	const [found, left] = [new Set<string>(), new Map<string, string>()];
	const searcher = new Searcher((_request, event) => {
		if (event.type === "results") for (const result of event.results) found.add(result.path);
		if (event.type === "unread") for (const [one, reason] of event.reasons) left.set(one, reason);
		if (event.type === "error") settled.reject(new Error(event.message));
		if (event.type === "settled" && !event.inForms) settled.resolve();
	});
	onTestFinished(() => searcher.close());
	searcher.update([read, unread].map((one, index) => ({ path: one, size: 1, modified: index })));
	searcher.search(1, queryOf("needle"));
	await settled.promise;
	expect(found.has(read)).toBe(true);
	expect([...left]).toEqual([[unread, "a part of it cannot be read"]]);
});

test("without ripgrep the search of the browser says what is missing", async () => {
	vi.stubEnv("PI_GROVE_RG", "/nowhere/rg");
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
	const failed = Promise.withResolvers<string>();
	const searcher = new Searcher((_request, event) => {
		if (event.type === "error") failed.resolve(event.message);
	});
	onTestFinished(() => searcher.close());
	searcher.update([{ path: "/s/a.jsonl", size: 1, modified: 0 }]);
	searcher.search(1, queryOf("needle"));
	expect(await failed.promise).toContain("needs ripgrep");
});

test("a stronger query than one that found nothing is answered as well", async () => {
	const folder = tempAgentDir();
	const path = folder.write("--p--/a.jsonl", lines(header({ id: "a" }), user("u1", null, 1, "hello")));
	const settled = [Promise.withResolvers<number>(), Promise.withResolvers<number>()] as const;
	let searched = 0;
	const searcher = new Searcher((request, event) => {
		if (event.type === "progress") searched = event.total;
		if (event.type === "settled" && !event.inForms) settled[request === 1 ? 0 : 1].resolve(searched);
	});
	onTestFinished(() => searcher.close());
	searcher.update([{ path, size: 1, modified: 0 }]);
	searcher.search(1, queryOf("99999"));
	expect(await settled[0].promise).toBe(1);
	searched = 0;
	searcher.search(2, queryOf("999999"));
	expect(await settled[1].promise).toBe(1);
});

test("what is searched for beside a search ends with the next one, whether there was one before or not", async () => {
	const folder = tempAgentDir();
	const path = folder.write("--p--/a.jsonl", lines(header({ id: "a" }), user("u1", null, 1, "hello")));
	const searcher = new Searcher(() => undefined);
	onTestFinished(() => searcher.close());
	searcher.update([{ path, size: 1, modified: 0 }]);
	for (const request of [1, 2]) {
		const answers = searcher.searchEach([queryOf("hello")]);
		searcher.search(request, queryOf("other"));
		expect(await answers).toEqual([]);
	}
	expect(await searcher.searchEach([queryOf("hello")])).toEqual([{ paths: new Set([path]), inForms: false }]);
});
