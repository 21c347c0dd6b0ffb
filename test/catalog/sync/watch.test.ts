import { expect, test } from "vitest";
import { Watch } from "../../../src/catalog/sync/watch.ts";
import { header, lines } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";
import { Changes, until } from "../../support/wait.ts";

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;

test("a watch that is closed while something changes leaves no timer behind, which would keep its thread alive", async () => {
	const folder = tempAgentDir();
	const path = folder.write("--a--/first.jsonl", lines(header()));
	const before = timers();
	for (let round = 0; round < 20; round++) {
		const changes = new Changes();
		let isReady = false;
		const watch = new Watch({
			sessionRoots: folder.sessionRoots,
			onFiles: () => undefined,
			onOther: () => {
				isReady = true;
				changes.notify();
			},
			onProblems: () => undefined,
		});
		await watch.start([path]);
		await until("the watch to be ready", { subscribe: changes.subscribe, state: () => isReady }, () => isReady);
		folder.write(`--a--/${round}.jsonl`, lines(header()));
		// Closed at different moments of chokidar's reading of the directory.
		for (let turns = 0; turns < round; turns++) await new Promise((resolve) => setImmediate(resolve));
		await watch.close();
	}
	// The test runner's own timer may have ended meanwhile.
	expect(timers()).toBeLessThanOrEqual(before);
});
