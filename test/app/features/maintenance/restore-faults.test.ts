import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { readTrash } from "../../../../src/changes/engine/read-trash.ts";
import type { RestoreAllRequest } from "../../../../src/changes/engine/restore-all.ts";
import { createHistoryReader } from "../../../../src/changes/journal/history-reader.ts";
import { trashSession } from "../../../../src/store/actions/trash.ts";
import { inLong, inShort } from "../../../support/cases.ts";
import { DATA_HOME } from "../../../support/data-home.ts";
import type { KilledAt } from "../../../support/killed-change.ts";
import { conversation, lines } from "../../../support/session-builder.ts";
import { tempAgentDir } from "../../../support/temp-dir.ts";
import { killedRun, textOf } from "./killed-run.ts";

const WORDS = [
	{ role: "user", text: "Why?" },
	{ role: "assistant", text: "Because." },
] as const;

/** Sessions in the trash, a process that restores them, and an undo by the next run. */
async function start(count = 1) {
	const agent = tempAgentDir();
	const { base, root, sessionRoots, write } = agent;
	const { lines: all } = conversation({ number: "0001", cwd: base, endMs: Date.now() - 60_000, messages: WORDS });
	const paths = Array.from({ length: count }, (_, index) => write(`--x--/s${index}.jsonl`, lines(...all)));
	const content = readFileSync(paths[0] ?? "", "utf8");
	for (const path of paths) await trashSession(path);
	const journal = join(base, "state", "journal.jsonl");
	const history = createHistoryReader(journal, root, { pid: 1, start: 1 });
	const items = (await readTrash(history, sessionRoots)).map((item) => ({ item, title: "It" }));
	expect(items).toHaveLength(count);
	const effect: RestoreAllRequest = { type: "restore-all", items, beside: false };
	const { changes, undo, kill } = killedRun(agent, effect);
	return {
		...{ paths, content, journal, sessionRoots },
		restore: () => changes.restoreAll(effect),
		undo,
		kill,
		/**
		 * The number of restored sessions; checks that each is complete in its place, in the trash, or under both names if the
		 * process was killed before it removed the second one.
		 */
		back(): number {
			const back = paths.filter((path) => existsSync(path));
			const files = join(DATA_HOME, "Trash", "files");
			const all = [...back, ...readdirSync(files).map((name) => join(files, name))];
			expect(new Set(all.map((path) => statSync(path).ino)).size).toBe(count);
			for (const path of all) expect(readFileSync(path, "utf8")).toBe(content);
			return back.length;
		},
	};
}

describe.skipIf(process.platform !== "linux")("restoring", () => {
	beforeEach(() => rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true }));

	test("killed while the file has both names: the next run counts it as restored, and undoes it", async () => {
		const started = await start();
		await started.kill({ note: "begin" });
		const [name = ""] = readdirSync(join(DATA_HOME, "Trash", "files"));
		linkSync(join(DATA_HOME, "Trash", "files", name), started.paths[0] ?? "");
		expect(started.back()).toBe(1);
		expect(await started.undo()).toMatch(/^Undone: restore “It” from the trash/);
		expect(started.back()).toBe(0);
	});

	test("killed at any moment: each session is in its place or in the trash, and one undo reverts it", async () => {
		const moments: readonly KilledAt[] = [
			{ note: "begin" },
			{ note: "done" },
			{ note: "begin", after: 3 },
			{ note: "done", after: 5 },
			...[1, 3, 5, 7, 9].map((begun) => ({ begun, afterMs: begun % 4 })),
		];
		for (const killedAt of inShort(moments, (moment) =>
			"note" in moment ? moment.after === undefined || moment.note === "begin" : moment.begun === 3,
		)) {
			rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true });
			const started = await start(10);
			await started.kill(killedAt);
			const back = started.back();
			if ("note" in killedAt) expect(back).toBe((killedAt.after ?? 0) + (killedAt.note === "begin" ? 0 : 1));
			const said = await started.undo();
			if (back === 0) expect(said).toBe("There is nothing to undo");
			else expect(said).toMatch(/^Undone: restore (?:\d+ of )?10 sessions from the trash/);
			expect(started.back()).toBe(0);
		}
	});

	test("a session that cannot be restored stays in the trash; the reason is reported, and the journal records that it was not made", async () => {
		const started = await start();
		const directory = dirname(started.paths[0] ?? "");
		rmSync(directory, { recursive: true });
		writeFileSync(directory, "a file in the place of the directory\n");
		expect(textOf(await started.restore())).toMatch(/^Nothing was restored; 1 failed: “It”: /);
		expect(readdirSync(join(DATA_HOME, "Trash", "files"))).toHaveLength(1);
		expect(await started.undo()).toBe("There is nothing to undo");
		rmSync(directory);
		expect(textOf(await started.restore())).toBe("Restored “It” from the trash");
		expect(started.back()).toBe(1);
	});

	test("an info file that is gone, or about another file by now, keeps a session in the trash", async () => {
		const started = await start();
		const info = join(DATA_HOME, "Trash", "info", readdirSync(join(DATA_HOME, "Trash", "info"))[0] ?? "");
		const note = readFileSync(info, "utf8");
		writeFileSync(info, note.replace(/s0\.jsonl/, "other.jsonl"));
		expect(textOf(await started.restore())).toContain("what the trash has there is another file");
		rmSync(info);
		expect(textOf(await started.restore())).toMatch(/^Nothing was restored/);
		expect(started.back()).toBe(0);
	});

	test("info files of any content and size, and files without them, do no harm", async () => {
		const started = await start();
		const info = join(DATA_HOME, "Trash", "info");
		writeFileSync(join(info, "empty.trashinfo"), "");
		writeFileSync(join(info, "percent.trashinfo"), "[Trash Info]\nPath=/%zz.jsonl\n");
		writeFileSync(join(info, "huge.trashinfo"), `Path=/${"x".repeat(100_000)}.jsonl\n`);
		writeFileSync(join(info, "nothing.trashinfo"), "Path=/a/nothing.jsonl\nDeletionDate=never\n");
		mkdirSync(join(info, "directory.trashinfo"));
		mkdirSync(join(DATA_HOME, "Trash", "files", "folder"));
		writeFileSync(join(info, "folder.trashinfo"), "Path=/a/folder.jsonl\nDeletionDate=2026-11-20T10:11:12\n");
		const { journal, sessionRoots } = started;
		const history = createHistoryReader(journal, "/root", { pid: 1, start: 1 });
		const items = await readTrash(history, sessionRoots);
		expect(items.map(({ path }) => path)).toEqual(started.paths);
		expect(Number.isNaN(items[0]?.deletedMs)).toBe(false);
	});
});

test.skipIf(process.platform !== "linux")("hundreds of sessions come back as one step, and go again", async () => {
	rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true });
	const count = inLong(1000, 120);
	const many = count.toLocaleString("en");
	const started = await start(count);
	expect(textOf(await started.restore())).toBe(`Restored ${many} sessions from the trash`);
	expect(started.back()).toBe(count);
	expect(await started.undo()).toBe(`Undone: restore ${many} sessions from the trash`);
	expect(started.back()).toBe(0);
});
