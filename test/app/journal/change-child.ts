/**
 * A process that changes a session, and is killed: after the note in the journal that comes before ("begin"), instead of
 * the one that comes after ("done"), or from outside, once it has said that it begins ("never").
 */

import { dirname, join } from "node:path";
import { createLongWork } from "../../../src/app/effects/long-work.ts";
import { openMarksFile } from "../../../src/app/effects/marks-file.ts";
import { createPiFiles } from "../../../src/app/effects/pi-files.ts";
import { type EffectTools, runEffect } from "../../../src/app/effects/run-effect.ts";
import { createStoreClient } from "../../../src/app/effects/store-client.ts";
import { openJournal } from "../../../src/app/journal/journal.ts";
import type { Effect } from "../../../src/app/model/effect.ts";
import { NOTHING_LIVE } from "../../../src/catalog/model/live.ts";
import { rootOf, type SessionRoots } from "../../../src/catalog/model/session-roots.ts";

interface Task {
	readonly effect: Effect;
	readonly sessionRoots: SessionRoots;
	readonly journal: string;
	readonly killAt: "begin" | "done" | "never";
	readonly env: Record<string, string>;
}

const { effect, sessionRoots, journal: path, killAt, env } = JSON.parse(process.argv[2] ?? "") as Task;
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
			return killAt === "begin" ? die() : id;
		},
		done: (...args) => (killAt === "done" ? die() : journal.done(...args)),
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
