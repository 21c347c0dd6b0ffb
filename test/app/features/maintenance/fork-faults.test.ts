import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ChangeAllRequest } from "../../../../src/changes/engine/change-all.ts";
import { defaultSessionDir } from "../../../../src/store/read/session-dir.ts";
import { inLong, inShort } from "../../../support/cases.ts";
import type { KilledAt } from "../../../support/killed-change.ts";
import { makeRow } from "../../../support/rows.ts";
import { tempAgentDir } from "../../../support/temp-dir.ts";
import { goneSession, killedRun, textOf } from "./killed-run.ts";

/** Sessions of a missing directory, a process that forks them all, and an undo by the next run. */
function start(count: number) {
	const agent = tempAgentDir();
	const { base, sessionRoots, write } = agent;
	const cwd = join(base, "new");
	mkdirSync(cwd);
	const paths = Array.from({ length: count }, (_, index) =>
		write(`--old--/s${index}.jsonl`, goneSession(agent, index)),
	);
	const before = paths.map((path) => readFileSync(path, "utf8"));
	const sessions = paths.map((path) => ({ row: { ...makeRow("x"), path }, uses: [] }));
	const change = { type: "fork", to: cwd, archives: false } as const;
	const effect: ChangeAllRequest = { type: "change-all", change, sessions };
	const { changes, undo, kill } = killedRun(agent, effect);
	const directory = defaultSessionDir(cwd, sessionRoots.agentDir);
	return {
		undo,
		kill,
		fork: () => changes.changeAll(effect),
		/** The number of forks; checks that each is complete and that the sessions are unchanged. */
		forks(): number {
			expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(before);
			const names = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith(".jsonl")) : [];
			for (const name of names) {
				const [header = "", ...entries] = readFileSync(join(directory, name), "utf8").split("\n");
				const { parentSession } = JSON.parse(header);
				expect(entries.join("\n")).toBe(before[paths.indexOf(parentSession)]?.split("\n").slice(1).join("\n"));
			}
			return names.length;
		},
	};
}

describe.skipIf(process.platform !== "linux")("forking many", () => {
	test("killed before the first fork: there is none, and nothing to undo", async () => {
		const started = start(3);
		await started.kill({ note: "begin" });
		expect(started.forks()).toBe(0);
		expect(await started.undo()).toBe("There is nothing to undo");
	});

	test("killed before the journal records the fork as made: the next run finds out, and undoes it", async () => {
		const started = start(3);
		await started.kill({ note: "done" });
		expect(started.forks()).toBe(1);
		expect(await started.undo()).toMatch(/^Undone: fork 1 of 3 sessions into \S+\/new/);
		expect(started.forks()).toBe(0);
	});

	test("killed at any moment: all forks are complete, and one undo removes them", async () => {
		const moments: readonly KilledAt[] = [
			{ note: "begin", after: 3 },
			{ note: "done", after: 5 },
			...[1, 3, 5, 7].map((begun) => ({ begun, afterMs: begun % 4 })),
		];
		for (const killedAt of inShort(moments, (moment) =>
			"note" in moment ? moment.note === "done" : moment.begun === 3,
		)) {
			const started = start(8);
			await started.kill(killedAt);
			const forks = started.forks();
			if ("note" in killedAt) expect(forks).toBe(killedAt.note === "begin" ? 3 : 6);
			const said = await started.undo();
			expect(said).toMatch(forks === 0 ? /^There is nothing to undo/ : /^Undone: fork (?:\d+ of )?8 sessions into/);
			expect(started.forks()).toBe(0);
		}
	});

	test("hundreds are one step, and one undo", async () => {
		const count = inLong(500, 110);
		const started = start(count);
		expect(textOf(await started.fork())).toBe(`Forked ${count} sessions into ~/new (undo reverts this)`);
		expect(started.forks()).toBe(count);
		expect(await started.undo()).toBe(`Undone: fork ${count} sessions into ~/new`);
		expect(started.forks()).toBe(0);
	});
});
