import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { SessionsRequest } from "../../../../src/changes/kinds/kinds.ts";
import { defaultSessionDir } from "../../../../src/store/read/session-dir.ts";
import { inShort } from "../../../support/cases.ts";
import { DATA_HOME } from "../../../support/data-home.ts";
import type { KilledAt } from "../../../support/killed-change.ts";
import { makeRow } from "../../../support/rows.ts";
import { tempAgentDir } from "../../../support/temp-dir.ts";
import { goneSession, killedRun, textOf } from "./killed-run.ts";

/** Damaged sessions of a missing directory, a process that forks or repairs them, and an undo by the next run. */
function start(type: "fork" | "repair", count: number) {
	const agent = tempAgentDir();
	const { base, sessionRoots, write } = agent;
	const cwd = join(base, "new");
	mkdirSync(cwd);
	const paths = Array.from({ length: count }, (_, index) =>
		write(`--old--/s${index}.jsonl`, goneSession(agent, index, "{ cut off")),
	);
	const before = paths.map((path) => readFileSync(path, "utf8"));
	const sessions = paths.map((path) => ({ row: { ...makeRow("x"), path, size: statSync(path).size }, uses: [] }));
	const effect: SessionsRequest = {
		type: "change-sessions",
		change: type === "fork" ? { type, to: cwd, archives: true } : { type },
		sessions,
	};
	const { changes, undo, kill } = killedRun(agent, effect);
	// What a killed process was still writing is no session; the next new file removes it.
	const namesIn = (directory: string): string[] =>
		existsSync(directory) ? readdirSync(directory).filter((name) => !name.endsWith(".tmp")) : [];
	const contentsOf = (directory: string): string[] =>
		namesIn(directory).map((name) => readFileSync(join(directory, name), "utf8"));
	const own = dirname(paths[0] ?? "");
	const copies = type === "fork" ? defaultSessionDir(cwd, sessionRoots.agentDir) : own;
	const away = type === "fork" ? own.replace("/sessions/", "/session-archive/") : join(DATA_HOME, "Trash", "files");
	return {
		undo,
		kill,
		change: () => changes.changeSessions(effect),
		/** The number of originals moved away; checks that each is complete, wherever it is. */
		away(): number {
			const put = contentsOf(away);
			for (const content of before)
				expect([...contentsOf(own), ...put].filter((one) => one === content)).toHaveLength(1);
			return put.filter((content) => before.includes(content)).length;
		},
		/** The number of listed copies; checks that each is complete. */
		copies(): number {
			const made = contentsOf(copies).filter((content) => !before.includes(content));
			for (const content of made) {
				expect(
					content
						.trimEnd()
						.split("\n")
						.map((line) => JSON.parse(line).type),
				).toEqual(expect.arrayContaining(["session", "message"]));
				expect(content.endsWith("\n")).toBe(true);
			}
			return made.length;
		},
		isAsBefore: () =>
			paths.every((path, index) => existsSync(path) && readFileSync(path, "utf8") === before[index]) &&
			namesIn(own).length === count,
	};
}

const MOMENTS: readonly KilledAt[] = [
	{ note: "begin" },
	{ note: "done" },
	{ note: "begin", after: 1 },
	{ note: "done", after: 1 },
	{ note: "begin", after: 4 },
	{ note: "done", after: 4 },
	...[1, 2, 3, 4, 5].map((begun) => ({ begun, afterMs: begun % 3 })),
];

describe.skipIf(process.platform !== "linux").each(["fork", "repair"] as const)("%s", (type) => {
	beforeEach(() => rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true }));

	test("is one step: a copy of each, and each original moved away; one undo reverts it", async () => {
		const started = start(type, 3);
		expect(textOf(await started.change())).toMatch(/^(?:Forked|Repaired) 3 sessions/);
		expect([started.copies(), started.away()]).toEqual([3, 3]);
		expect(await started.undo()).toMatch(/^Undone: (?:fork|repair) 3 sessions/);
		expect([started.copies(), started.away(), started.isAsBefore()]).toEqual([0, 0, true]);
	});

	test("killed at any moment: nothing is lost, no session is moved away without its copy, and one undo reverts it", async () => {
		// The two put their copies into other places, and do the same otherwise.
		const tried = type === "repair" ? [0, 5] : [2];
		for (const killedAt of inShort(MOMENTS, (_, index) => tried.includes(index))) {
			rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true });
			const started = start(type, 3);
			await started.kill(killedAt);
			const [copies, away] = [started.copies(), started.away()];
			expect(away).toBeLessThanOrEqual(copies);
			const said = await started.undo();
			expect(said, JSON.stringify(killedAt)).toMatch(copies === 0 ? /^There is nothing to undo/ : /^Undone: /);
			expect([started.copies(), started.away(), started.isAsBefore()]).toEqual([0, 0, true]);
		}
	});
});
