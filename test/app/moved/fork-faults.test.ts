import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createLongWork } from "../../../src/app/effects/long-work.ts";
import { openMarksFile } from "../../../src/app/effects/marks-file.ts";
import { type EffectTools, runEffect } from "../../../src/app/effects/run-effect.ts";
import { openSavedFile } from "../../../src/app/effects/saved-file.ts";
import { createStoreClient } from "../../../src/app/effects/store-client.ts";
import { createUndoer } from "../../../src/app/effects/undo-last.ts";
import { openJournal } from "../../../src/app/journal/journal.ts";
import type { Action } from "../../../src/app/model/action.ts";
import type { Effect } from "../../../src/app/model/effect.ts";
import { NOTHING_LIVE } from "../../../src/catalog/model/live.ts";
import { defaultSessionDir } from "../../../src/store/read/session-dir.ts";
import { childProgram } from "../../support/bundled-programs.ts";
import { makeRow } from "../../support/rows.ts";
import { conversation, lines } from "../../support/session-builder.ts";
import { tempAgentDir, tempDirOfFile } from "../../support/temp-dir.ts";

// A trash of its own; only on Linux can its directory be set. It is read once, at the first import.
vi.stubEnv("XDG_DATA_HOME", tempDirOfFile());

/** Sessions of a directory that is gone, what forks all of them, and an undo of the next run over it. */
function start(count: number) {
	const { base, root, sessionRoots, write } = tempAgentDir();
	const cwd = join(base, "new");
	mkdirSync(cwd);
	const paths = Array.from({ length: count }, (_, index) => {
		const { lines: all } = conversation({
			...{ number: String(index).padStart(4, "0"), cwd: join(base, "old"), endMs: Date.now() - 60_000 },
			messages: [
				{ role: "user", text: "Why?" },
				{ role: "assistant", text: "Because." },
			],
		});
		return write(`--old--/s${index}.jsonl`, lines(...all));
	});
	const before = paths.map((path) => readFileSync(path, "utf8"));
	const sessions = paths.map((path) => ({ row: { ...makeRow("x"), path }, uses: [] }));
	const places = Object.fromEntries(paths.map((path) => [path, cwd]));
	const effect: Effect = { type: "change-all", change: { type: "fork", places }, sessions };
	const journal = join(base, "state", "journal.jsonl");
	const store = createStoreClient();
	onTestFinished(() => store.close());
	const tools = {
		store,
		sessionRoots,
		home: base,
		journal: openJournal({ path: journal, root }),
		work: createLongWork(() => undefined),
		marks: openMarksFile(join(base, "state", "marks.jsonl")),
		saved: openSavedFile(join(base, "state", "queries.jsonl")),
		look: async () => NOTHING_LIVE,
		titleOf: () => undefined,
		clock: Date.now,
		changed: () => undefined,
		refresh: () => undefined,
		isInUse: async () => false,
	};
	const undo = createUndoer(tools).undo;
	const directory = defaultSessionDir(cwd, sessionRoots.agentDir);
	return {
		fork: () => runEffect(effect, tools as Partial<EffectTools> as EffectTools),
		/** How many forks there are; each is whole, and the sessions are as they were. */
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
		/** Takes back what was done last, also by another run. */
		async undo(): Promise<string> {
			const asked = await undo({ type: "undo" });
			const again = asked.type === "ask" ? asked.question.choices[0]?.effect : undefined;
			return textOf(again?.type === "undo" ? await undo(again) : asked);
		},
		/** Forks them in a process that is killed: at a certain moment, or some time after so many were begun. */
		async kill(killAt: "begin" | "done" | "never", afterMs = 0, begun = 1): Promise<void> {
			const task = JSON.stringify({ effect, sessionRoots, journal, killAt, env: {} });
			const script = childProgram("journal/change-child.ts");
			const child = spawn(process.execPath, [script, task], { stdio: ["ignore", "pipe", "inherit"] });
			const exited = once(child, "exit");
			if (killAt === "never") {
				for (let said = ""; said.split("begins").length <= begun; ) said += await once(child.stdout, "data");
				await delay(afterMs);
				child.kill("SIGKILL");
			}
			await exited;
		},
	};
}

function textOf(action: Action | undefined): string {
	return action?.type === "done" ? action.message.text : "";
}

describe.skipIf(process.platform !== "linux")("forking many", () => {
	test("killed before the first: nothing is there, and nothing is to be undone", async () => {
		const started = start(3);
		await started.kill("begin");
		expect(started.forks()).toBe(0);
		expect(await started.undo()).toBe("There is nothing to undo");
	});

	test("killed before the journal says that it was made: the next run finds that out, and undoes it", async () => {
		const started = start(3);
		await started.kill("done");
		expect(started.forks()).toBe(1);
		expect(await started.undo()).toMatch(/^Undone: fork 3 sessions into \S+\/new: 1 of them/);
		expect(started.forks()).toBe(0);
	});

	test("killed at any moment: what is there is whole, and one undo takes all back", { timeout: 240_000 }, async () => {
		for (let begun = 1; begun <= 7; begun += 2) {
			const started = start(8);
			await started.kill("never", begun % 4, begun);
			const forks = started.forks();
			const said = await started.undo();
			expect(said).toMatch(forks === 0 ? /^There is nothing to undo/ : /^Undone: fork 8 sessions into/);
			expect(started.forks()).toBe(0);
		}
	});

	test("500 are one step, and one undo", { timeout: 240_000 }, async () => {
		const started = start(500);
		expect(textOf(await started.fork())).toBe("Forked 500 sessions into ~/new (undo takes it back)");
		expect(started.forks()).toBe(500);
		expect(await started.undo()).toBe("Undone: fork 500 sessions into ~/new");
		expect(started.forks()).toBe(0);
	});
});
