import { expect, onTestFinished, test, vi } from "vitest";
import { Searcher } from "../../../src/catalog/search/searcher.ts";
import { ripgrepOnFailingDisk } from "../../support/failing-disk.ts";
import { queryOf } from "../../support/follow-search.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

test.skipIf(process.platform === "win32")(
	"the search of the browser names what ripgrep could not read, and finds the others",
	async () => {
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
	},
);
