import { readFileSync } from "node:fs";
import { KEYMAP } from "../src/app/keys/keymap.ts";
import { SORTS } from "../src/app/list/list-order.ts";
import type { Action } from "../src/app/model/action.ts";
import { commandFor } from "../src/app/model/binding.ts";
import { initialState } from "../src/app/model/initial-state.ts";
import type { State } from "../src/app/model/state.ts";
import { selectScreen } from "../src/app/screen/select-screen.ts";
import { update } from "../src/app/update/update.ts";
import { NOTHING_IN_IT, type SessionCounts } from "../src/catalog/model/counts.ts";
import type { SessionRow } from "../src/catalog/model/row.ts";

/** What a key in the list costs, from the key to the view: `node bench/list.ts [sessions] [projects]`. */

const SESSIONS = Number(process.argv[2] ?? 10_000);
const PROJECTS = Number(process.argv[3] ?? 120);
const NOW = Date.parse("2026-11-21T12:00:00Z");

/** What this thread was on a processor for, in ms: on a busy machine that still tells one build from another. */
function cpuMs(): number {
	return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

function rowOf(index: number): SessionRow {
	const time = new Date(NOW - index * 60_000);
	return {
		path: `/sessions/--p--/${index}.jsonl`,
		id: `${index}`,
		cwd: `/home/me/work/project-${(index * 7919) % PROJECTS}`,
		firstMessage: `please do the thing number ${(index * 104_729) % SESSIONS} in a long sentence`,
		created: time,
		modified: time,
		messageCount: index % 97,
		parentSession: index % 10 === 3 ? `/sessions/--p--/${index + 1}.jsonl` : undefined,
		size: (index * 31) % 100_000,
		diagnostics: [],
	};
}

function countsOf(index: number): SessionCounts {
	const model = `model-${index % 5}`;
	const some = { turns: index % 13, branches: 1, errors: index % 5, tokens: index, cost: index % 100, model };
	return { ...NOTHING_IN_IT, ...some };
}

const rows = Array.from({ length: SESSIONS }, (_, index) => rowOf(index));
const counts = rows.map(({ path }, index) => [path, countsOf(index)] as const);
let state: State = initialState(
	{ home: "/home/me", cwd: "/home/me/work/project-1", demo: false, keymap: KEYMAP, problems: [] },
	{ columns: 200, rows: 60 },
	NOW,
);

function send(action: Action): void {
	[state] = update(state, action, NOW);
	selectScreen(state);
}

const keys = (...pressed: readonly string[]) => send({ type: "keys", keys: pressed });

function runCommand(id: string): void {
	[state] = commandFor(state, id)?.run(state) ?? [state];
	send({ type: "tick", now: NOW });
}

function measure(what: string, times: number, act: () => void): void {
	const taken = Array.from({ length: times }, () => {
		const before = cpuMs();
		act();
		return cpuMs() - before;
	}).sort((a, b) => a - b);
	const [median, most] = [taken[times >> 1] ?? 0, taken.at(-1) ?? 0];
	console.log(`${what.padEnd(36)} median ${median.toFixed(1).padStart(6)} ms  most ${most.toFixed(1).padStart(6)} ms`);
}

measure("all rows", 1, () => send({ type: "catalog", event: { type: "rows", rows } }));
send({ type: "catalog", event: { type: "progress", read: SESSIONS, total: SESSIONS } });
measure("all counts", 1, () => send({ type: "catalog", event: { type: "counts", counts } }));
measure("down", 200, () => keys("down"));
measure("page down", 50, () => keys("pageDown"));
measure("a session has grown", 20, () => send({ type: "catalog", event: { type: "rows", rows: [rowOf(5)] } }));
for (const sort of SORTS.filter((each) => each !== "relevance"))
	measure(`sort by ${sort}`, 6, () => runCommand(`sort-${sort}`));
runCommand("sort-project");
measure("by project: down", 200, () => keys("down"));
measure("by project: fold, open", 20, () => keys("alt+h"));
measure("by project: fold all, open all", 6, () => runCommand("fold-projects"));
measure("only one project, all again", 20, () => keys("alt+p"));
measure("the other way round", 10, () => keys("alt+r"));
measure("the page of projects", 10, () => keys("alt+o", "escape"));
