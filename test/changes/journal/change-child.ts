/** A process that changes a session and is killed (`killed-change.ts` says when). It prints "begins" before each change. */

import { dirname, join } from "node:path";
import { type EffectTools, runEffect } from "../../../src/app/core/effects/run-effect.ts";
import { createPiFiles } from "../../../src/app/world/effects/pi-files.ts";
import { NOTHING_LIVE } from "../../../src/catalog/model/live.ts";
import { rootOf } from "../../../src/catalog/model/session-roots.ts";
import { createLongWork } from "../../../src/changes/engine/long-work.ts";
import { openJournal } from "../../../src/changes/journal/journal.ts";
import { openMarksFile } from "../../../src/changes/noted/marks-file.ts";
import { createStoreClient } from "../../../src/changes/store-thread/store-client.ts";
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
const tools: Partial<EffectTools> = {
	journal: {
		...journal,
		async begin(what, plan, group) {
			process.stdout.write("begins\n");
			const id = await journal.begin(what, plan, group);
			return isLast("begin") ? die() : id;
		},
		done: (...args) => (isLast("done") ? die() : journal.done(...args)),
	},
	store: createStoreClient(),
	marks: openMarksFile(join(dirname(path), "marks.jsonl")),
	work: createLongWork(() => undefined),
	sessionRoots,
	look: async () => NOTHING_LIVE,
	env,
	home: "/home/nobody",
	pi: { program: "pi", args: [] },
	piFiles: createPiFiles({ pi: "pi", env, agentDir: sessionRoots.agentDir }),
	clock: Date.now,
	titleOf: () => "The session",
	changed: () => undefined,
	refresh: () => undefined,
	noteUse: () => () => undefined,
	leave: () => undefined,
};
// What a change does not use is not there.
await runEffect(effect, tools as EffectTools);
await tools.store?.close();
