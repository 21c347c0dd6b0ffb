import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { findRipgrep } from "../../../src/catalog/search/find-ripgrep.ts";
import type { SearchFile, SearchResult } from "../../../src/catalog/search/search.ts";
import { Searcher } from "../../../src/catalog/search/searcher.ts";
import { queryOf } from "../../support/follow-search.ts";
import { header, lines, toolResult, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

type Kind = "search" | "count";

/** Wraps ripgrep: while a kind of run is held (those that search have a limit), each of them waits until it is released. */
async function gates(directory: string) {
	const { command } = await findRipgrep({});
	const path = join(directory, "rg");
	const file = (kind: Kind, what: string) => join(directory, `${kind}-${what}`);
	const script = `#!/bin/sh
cd "${directory}"
case "$*" in *--max-count*) kind=search;; *) kind=count;; esac
echo >"$kind-waiting"
while [ -e "$kind-held" ] && ! rm "$kind-go" 2>/dev/null; do sleep 0.01; done
exec "${command}" "$@"
`;
	writeFileSync(path, script);
	chmodSync(path, 0o755);
	vi.stubEnv("PI_GROVE_RG", path);
	onTestFinished(() => {
		vi.unstubAllEnvs();
	});
	return {
		hold: (kind: Kind) => {
			rmSync(file(kind, "waiting"), { force: true });
			writeFileSync(file(kind, "held"), "");
		},
		isWaiting: (kind: Kind) => existsSync(file(kind, "waiting")),
		/** Releases the waiting run; later ones wait again. */
		letGo: (kind: Kind) => {
			rmSync(file(kind, "waiting"), { force: true });
			writeFileSync(file(kind, "go"), "");
		},
		open: (kind: Kind) => rmSync(file(kind, "held")),
	};
}

test("a session that is to be searched again is counted after that, not before", async () => {
	const folder = tempAgentDir();
	const outputs = Array.from({ length: 20 }, (_, index) => toolResult(`t${index}`, "u1", 2, `needle ${index}`));
	const content = lines(header(), user("u1", null, 1, "hello"), ...outputs);
	const [first, second] = ["1", "2"].map(
		(name, index): SearchFile => ({
			path: folder.write(`--p--/${name}.jsonl`, content),
			size: 1,
			modified: 2 - index,
		}),
	) as [SearchFile, SearchFile];
	const { hold, isWaiting, letGo, open } = await gates(folder.base);
	const found = new Map<string, SearchResult>();
	const settled = Promise.withResolvers<void>();
	let running = 0;
	const searcher = new Searcher(
		(_request, event) => {
			if (event.type === "results") for (const result of event.results) found.set(result.path, result);
			if (event.type === "settled") settled.resolve();
		},
		(_pid, isRunning) => {
			running += isRunning ? 1 : -1;
		},
	);
	onTestFinished(() => searcher.close());
	const change = (file: SearchFile): void => searcher.update([file]);
	for (const file of [first, second]) change(file);
	searcher.search(1, queryOf("needle"));
	await settled.promise;
	expect(found.get(second.path)).toMatchObject({ more: true });

	// The first is being searched again, and the second is about to be, when the second one's hits are requested.
	hold("search");
	hold("count");
	change(first);
	await expect.poll(() => isWaiting("search")).toBe(true);
	change(second);
	searcher.watchVisible([second.path], 1);
	letGo("search");
	// Now the second one is: its earlier results are forgotten.
	await expect.poll(() => isWaiting("search")).toBe(true);
	open("count");
	await expect.poll(() => running).toBe(1);
	open("search");
	await expect.poll(() => found.get(second.path)).toMatchObject({ count: 20, more: false });
});
