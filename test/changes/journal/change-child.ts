/** A process that changes a session and is killed (`killed-change.ts` says when). It prints "begins" before each change. */

import { dirname, join } from "node:path";
import { createPiFiles } from "../../../src/app/world/effects/pi-files.ts";
import { runWith } from "../../../src/app/world/effects/runners.ts";
import { SESSION_EFFECTS, type SessionEffect } from "../../../src/app/world/effects/sessions/session-effects.ts";
import { NOTHING_LIVE } from "../../../src/catalog/model/live.ts";
import { rootOf } from "../../../src/catalog/model/session-roots.ts";
import { createLongWork } from "../../../src/changes/engine/long-work.ts";
import { openJournal } from "../../../src/changes/journal/journal.ts";
import { openMarksFile } from "../../../src/changes/noted/marks.ts";
import { createStoreClient } from "../../../src/changes/store-thread/store-client.ts";
import { changesWith, someCapabilities } from "../../support/capabilities.ts";
import type { KilledChange } from "../../support/killed-change.ts";

const { effect, sessionRoots, journal: path, env, killedAt } = JSON.parse(process.argv[2] ?? "") as KilledChange;
const notes = { begin: 0, done: 0 };
/** Whether the process is to be killed at this note. */
const isLast = (note: "begin" | "done"): boolean =>
	"note" in killedAt && note === killedAt.note && notes[note]++ === (killedAt.after ?? 0);
const die = (): Promise<never> => {
	process.kill(process.pid, "SIGKILL");
	return new Promise(() => undefined);
};
const journal = openJournal({ path, root: rootOf(sessionRoots) });
const store = createStoreClient();
const checkUse = async () => NOTHING_LIVE;
const clock = Date.now;
const titleOf = () => "The session";
const work = createLongWork(() => undefined);
const home = "/home/nobody";
const changes = changesWith({
	journal: {
		...journal,
		async begin(what, plan, group) {
			process.stdout.write("begins\n");
			const id = await journal.begin(what, plan, group);
			return isLast("begin") ? die() : id;
		},
		done: (...args) => (isLast("done") ? die() : journal.done(...args)),
	},
	...{ store, sessionRoots, work, checkUse, clock, titleOf, home },
	marks: openMarksFile(join(dirname(path), "marks.jsonl")),
	stateDir: dirname(path),
	changed: () => undefined,
	rowOf: () => undefined,
	refresh: () => undefined,
});
// What a change does not use is not there.
const capabilities = someCapabilities({
	store: { roots: sessionRoots, checkUse, titleOf },
	journal: changes,
	disk: { env, home, clock },
	terminal: { work, leave: () => undefined },
	pi: {
		command: { program: "pi", args: [] },
		files: createPiFiles({ pi: "pi", env, agentDir: sessionRoots.agentDir }),
		isBusy: () => false,
		noteUse: () => () => undefined,
	},
});
await runWith(SESSION_EFFECTS, effect as SessionEffect, capabilities);
await store.close();
