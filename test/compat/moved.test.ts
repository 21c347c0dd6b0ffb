import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NOTHING_LIVE } from "../../src/catalog/model/live.ts";
import { createLongWork } from "../../src/changes/engine/long-work.ts";
import { openJournal } from "../../src/changes/journal/journal.ts";
import { createStoreClient } from "../../src/changes/store-thread/store-client.ts";
import { SessionManager as OurManager } from "../../src/store/manager/session-manager.ts";
import { defaultSessionDir } from "../../src/store/read/session-dir.ts";
import { changesWith } from "../support/capabilities.ts";
import { makeRow } from "../support/rows.ts";
import { conversation, lines } from "../support/session-builder.ts";
import { tempAgentDir } from "../support/temp-dir.ts";
import { SessionManager as PiManager } from "./pi.ts";

/** Sessions of a directory that is gone, forked to its new place all at once: pi lists and opens them there. */

test("pi lists what was forked in the new directory, with names, labels, branches and parents", async () => {
	const { base, root, sessionRoots, write } = tempAgentDir();
	const cwd = join(base, "new");
	mkdirSync(cwd);
	const paths = [0, 1, 2].map((index) => {
		const { lines: all } = conversation({
			...{ number: `000${index}`, cwd: join(base, "old"), endMs: Date.now() - 60_000, name: `Work ${index}` },
			messages: [
				{ role: "user", text: "Why?" },
				{ role: "assistant", text: "Because." },
				{ role: "user", text: "And then?", after: 1 },
				{ role: "assistant", text: "Nothing." },
			],
		});
		const path = write(`--old--/s${index}.jsonl`, lines(...all));
		const manager = OurManager.open(path);
		manager.appendLabelChange(manager.getEntries()[0]?.id ?? "", `label ${index}`);
		return path;
	});
	const store = createStoreClient();
	const tools = {
		...{ store, sessionRoots, home: base, clock: Date.now },
		journal: openJournal({ path: join(base, "state", "journal.jsonl"), root }),
		work: createLongWork(() => undefined),
		checkUse: async () => NOTHING_LIVE,
		titleOf: () => undefined,
		changed: () => undefined,
		refresh: () => undefined,
	};
	const sessions = paths.map((path) => ({ row: { ...makeRow("x"), path }, uses: [] }));
	const change = { type: "fork", to: cwd, archives: false } as const;
	await changesWith(tools).changeSessions({ type: "change-sessions", change, sessions });
	await store.close();
	const listed = await PiManager.list(cwd, defaultSessionDir(cwd, sessionRoots.agentDir));
	expect(listed.map(({ name }) => name).sort()).toEqual(["Work 0", "Work 1", "Work 2"]);
	expect(listed.map(({ parentSessionPath }) => parentSessionPath).sort()).toEqual(paths);
	for (const { path, cwd: where, parentSessionPath = "" } of listed) {
		expect(where).toBe(cwd);
		const [fork, original] = [PiManager.open(path), PiManager.open(parentSessionPath)];
		expect(fork.getCwd()).toBe(cwd);
		expect(fork.getSessionName()).toBe(original.getSessionName());
		expect(fork.getTree()).toEqual(original.getTree());
		expect(fork.getLeafId()).toBe(original.getLeafId());
		expect(fork.buildSessionContext()).toEqual(original.buildSessionContext());
		expect(fork.getEntries().filter(({ id }) => fork.getLabel(id) !== undefined).length).toBe(1);
	}
});
