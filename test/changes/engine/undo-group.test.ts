import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { initialState } from "../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../src/app/core/keys/keymap.ts";
import { JOURNAL_CHANGES } from "../../../src/app/features/history/history-state.ts";
import { type LiveReport, NOTHING_LIVE } from "../../../src/catalog/model/live.ts";
import type { SessionRow } from "../../../src/catalog/model/row.ts";
import { changeSessions } from "../../../src/changes/engine/change-sessions.ts";
import { createLongWork } from "../../../src/changes/engine/long-work.ts";
import { makeChange } from "../../../src/changes/engine/make-change.ts";
import { redoChosen } from "../../../src/changes/engine/redo.ts";
import { createUndo } from "../../../src/changes/engine/undo.ts";
import { createHistoryReader } from "../../../src/changes/journal/history-reader.ts";
import { type Journal, openJournal } from "../../../src/changes/journal/journal.ts";
import { madeOf } from "../../../src/changes/kinds/kinds.ts";
import { openMarksFile } from "../../../src/changes/noted/marks.ts";
import { openSavedFile } from "../../../src/changes/noted/saved-queries.ts";
import { createStoreClient } from "../../../src/changes/store-thread/store-client.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { makeRow } from "../../support/rows.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const START = initialState(
	{ home: "/home/me", cwd: "/home/me", demo: false, keymap: KEYMAP, problems: [] },
	{ columns: 80, rows: 24 },
	0,
);

function setUp({ look = NOTHING_LIVE, rowOf }: { look?: LiveReport; rowOf?: (path: string) => SessionRow } = {}) {
	const { base, root, sessionRoots, write } = tempAgentDir();
	const paths = ["a", "b", "c"].map((name) =>
		write(`--x--/${name}.jsonl`, lines(header(), user("a0000001", null, 1, "hello"))),
	);
	const store = createStoreClient();
	onTestFinished(() => store.close());
	const path = join(base, "journal.jsonl");
	const journal = openJournal({ path, root });
	const history = createHistoryReader(path, root, journal.run);
	const tools = {
		...{ journal, history, store, readThread: store, sessionRoots, clock: Date.now, titleOf: () => undefined },
		marks: openMarksFile(join(base, "marks.jsonl")),
		saved: openSavedFile(join(base, "queries.jsonl")),
		stateDir: base,
		changed: () => undefined,
		refresh: () => undefined,
		checkUse: async () => look,
		rowOf: rowOf ?? (() => undefined),
		work: createLongWork(() => undefined),
		home: base,
	};
	return { paths, tools };
}

test("an undo of a group that was still being changed takes all of it back", async () => {
	const { paths, tools } = setUp();
	const group = { id: "g", what: "rename 3 sessions", count: 3 };
	const rename = (of: string | undefined) => makeChange({ type: "rename", path: of ?? "", name: "New" }, tools, group);
	await rename(paths[0]);
	// What the page has when the key is pressed.
	const undoRow = KEYMAP.find(({ id }) => id === "undo-row");
	const [, effects = []] = undoRow?.run(JOURNAL_CHANGES.set(START, await tools.history.read(40))) ?? [];
	await rename(paths[1]);
	await rename(paths[2]);
	const [effect] = effects;
	if (effect?.type !== "undo") throw new Error("no undo");
	expect(await createUndo(tools)(effect)).toMatchObject({
		message: { text: "Undone: rename 3 sessions", tone: "text" },
	});
	for (const each of paths) expect((await readSession(each)).tree.name).toBeUndefined();
});

test("a fork that was renamed stays until its rename is undone; then the person is asked about a pi that may have it open", async () => {
	const look = { ...NOTHING_LIVE, pis: [{ pid: 4711, startedMs: 0, cwd: "/x", sessions: [], reportsSession: false }] };
	const rowOf = (path: string): SessionRow => ({ ...makeRow("x"), path, cwd: "/x", modified: new Date() });
	const { paths, tools } = setUp({ look, rowOf });
	const made = await makeChange({ type: "branch", path: paths[0] ?? "", entryId: "a0000001" }, tools);
	const path = made.created ?? "";
	await makeChange({ type: "rename", path, name: "New" }, tools);
	await tools.history.read(40);
	const undoOfFork = { type: "undo", of: { id: made.id ?? "" } } as const;
	expect(await createUndo(tools)(undoOfFork)).toMatchObject({
		message: { text: expect.stringMatching(/^Not undone: .* Undo first what depends on it: rename /), tone: "error" },
	});
	expect(existsSync(path)).toBe(true);
	await createUndo(tools)({ type: "undo" });
	const answer = await createUndo(tools)(undoOfFork);
	if (answer.type !== "ask") throw new Error("nothing was asked");
	expect(answer.question.body.join(" ")).toMatch(/It may be in use\. pi \(pid 4711, /);
	expect(answer.question.danger).toBe(true);
	const effect = answer.question.choices.at(-1)?.effect;
	expect((await createUndo(tools)(effect ?? { type: "undo" })).type).toBe("done");
	expect(existsSync(path)).toBe(false);
});

test("a session that is replaced says what the journal could not record of it", async () => {
	const { paths, tools } = setUp();
	const journal: Journal = {
		...tools.journal,
		done: async (id, undo) => {
			if (undo.type === "moved") throw new Error("the undo journal cannot be written: the disk is full");
			await tools.journal.done(id, undo);
		},
	};
	const path = paths[0] ?? "";
	const sessions = [{ row: { ...makeRow("x"), path, size: statSync(path).size }, uses: [] }];
	const change = { type: "fork", to: tools.home, archives: true } as const;
	expect(await changeSessions({ type: "change-sessions", change, sessions }, { ...tools, journal })).toMatchObject({
		message: { text: expect.stringContaining("since the undo journal cannot be written: the disk is full") },
	});
});

test("a deletion that was undone cannot be redone once the session is gone", async () => {
	const { paths, tools } = setUp();
	const path = paths[0] ?? "";
	const undo = { type: "restore", receipt: { path, size: statSync(path).size } } as const;
	const plan = { type: "trash", path, size: undo.receipt.size, trashes: [] } as const;
	const { kind, made } = madeOf({ plan: { ...plan, trashes: [] }, undo, what: "", receipt: undefined });
	expect(await kind.checkAgain(made, new Set(), tools)).toEqual({ kind: "clear" });
	rmSync(path);
	const why = "the session is not where it was";
	expect(await kind.checkAgain(made, new Set(), tools)).toEqual({ kind: "refuse", why });
});

test("redoing pins that are set again already changes nothing, and says so", async () => {
	const { paths, tools } = setUp();
	const changes = [{ id: "a", on: true }];
	const { id = "" } = await makeChange({ type: "mark", paths: [paths[0] ?? ""], changes }, tools);
	await createUndo(tools)({ type: "undo" });
	tools.marks.append("another window", changes);
	expect(await redoChosen({ type: "redo", of: { id } }, tools)).toMatchObject({
		message: { text: "Nothing to change", tone: "muted" },
	});
});
