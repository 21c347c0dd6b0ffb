import { expect, onTestFinished, test } from "vitest";
import { BETWEEN_MS, Watch } from "../../../src/catalog/sync/watch.ts";
import { header, lines } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";
import { Changes, until } from "../../support/wait.ts";

test("while many files change one after the other they are reported in batches, and none is left out", async () => {
	const folder = tempAgentDir();
	const first = folder.write("--a--/first.jsonl", lines(header()));
	const changes = new Changes();
	const told = new Set<string>();
	let isReady = false;
	let lots = 0;
	const watch = new Watch({
		sessionRoots: folder.sessionRoots,
		onFiles(paths) {
			// The same ones are reported once more, a little later.
			if (paths.some((path) => !told.has(path))) lots += 1;
			for (const path of paths) told.add(path);
			changes.notify();
		},
		onOther() {
			isReady = true;
			changes.notify();
		},
		onProblems: () => undefined,
	});
	onTestFinished(() => watch.close());
	await watch.start([first]);
	await until("the watch to be ready", { subscribe: changes.subscribe, state: () => isReady }, () => isReady);
	const written = new Set<string>();
	const began = performance.now();
	while (performance.now() - began < 5 * BETWEEN_MS) {
		written.add(folder.write(`--a--/${written.size}.jsonl`, lines(header())));
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
	await until("all of them", { subscribe: changes.subscribe, state: () => told }, () => written.isSubsetOf(told));
	expect(lots).toBeLessThanOrEqual(2 + (performance.now() - began) / BETWEEN_MS);
});
