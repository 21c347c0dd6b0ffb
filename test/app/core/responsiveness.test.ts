import { expect, test } from "vitest";
import { createSessionReader } from "../../../src/app/core/effects/capabilities.ts";
import { createStoreClient } from "../../../src/changes/store-thread/store-client.ts";
import { TimeSlice } from "../../../src/shared/steps.ts";
import { isUnchecked } from "../../../src/store/held/held-message.ts";
import { holdSession } from "../../../src/store/held/hold-session.ts";
import { SessionManager } from "../../../src/store/manager/session-manager.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { inLong } from "../../support/cases.ts";
import { inputOf, treeDrawer } from "../../support/draw-tree.ts";
import { largeSession } from "../../support/large-session.ts";
import { tempDir } from "../../support/temp-dir.ts";

const ENTRIES = inLong(100_000, 30_000);

/**
 * The longest time, in ms, that a key pressed during the work would have waited for this thread. It is the time that the
 * thread itself was busy between two turns of the event loop, so that other programs on the machine do not count.
 */
async function longestWait(work: () => unknown): Promise<number> {
	const busyMs = () => {
		const { user, system } = process.threadCpuUsage();
		return (user + system) / 1000;
	};
	let longest = 0;
	let since = busyMs();
	const look = () => {
		const now = busyMs();
		longest = Math.max(longest, now - since);
		since = now;
	};
	const timer = setInterval(look, 1);
	await new Promise((resolve) => setTimeout(resolve, 20));
	longest = 0;
	try {
		await work();
		await new Promise((resolve) => setTimeout(resolve, 20));
	} finally {
		clearInterval(timer);
	}
	return longest;
}

// Node 22 cannot tell the time of one thread.
const canMeasure = typeof process.threadCpuUsage === "function";

test.runIf(canMeasure)(
	`no key waits while a session of ${ENTRIES.toLocaleString("en")} entries is read, drawn, branched, forked or renamed`,
	async () => {
		const { path, last } = largeSession(ENTRIES);
		const other = tempDir();
		const store = createStoreClient();
		// What a key would wait for if this thread only opened the session: any such work below would be noticed.
		const opening = await longestWait(() => SessionManager.open(path));
		const session = await readSession(path);
		const held = await holdSession(path);
		expect(held && isUnchecked(held)).toBe(true);
		const reader = createSessionReader();
		const waits = {
			read: await longestWait(() => readSession(path)),
			hold: await longestWait(() => holdSession(path)),
			check: await longestWait(async () => held && (await reader.check(held, new TimeSlice()))),
			draw: await longestWait(() => treeDrawer()(inputOf(session), undefined)),
			branch: await longestWait(() => store.run("branchSession", path, last)),
			fork: await longestWait(() => store.run("forkSession", path, "/home/ada", other)),
			rename: await longestWait(() => store.run("renameSession", path, "named")),
		};
		await store.close();
		reader.close();
		expect(held && isUnchecked(held)).toBe(false);
		// Measured: about a twentieth. All of the work in one go would be between a half and three times `opening`.
		for (const [action, wait] of Object.entries(waits)) expect.soft(wait, action).toBeLessThan(opening / 4);
	},
);
