import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runWith } from "../../../src/app/world/effects/runners.ts";
import { SESSION_EFFECTS } from "../../../src/app/world/effects/sessions/session-effects.ts";
import { NOTHING_LIVE } from "../../../src/catalog/model/live.ts";
import { createLongWork } from "../../../src/changes/engine/long-work.ts";
import { createUndo } from "../../../src/changes/engine/undo.ts";
import { createHistoryReader } from "../../../src/changes/journal/history-reader.ts";
import { openJournal } from "../../../src/changes/journal/journal.ts";
import { openMarksFile } from "../../../src/changes/noted/marks.ts";
import { openSavedFile } from "../../../src/changes/noted/saved-queries.ts";
import { createStoreClient } from "../../../src/changes/store-thread/store-client.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { changesWith, someCapabilities } from "../../support/capabilities.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

test("a change that was made but cannot be noted is told as it is, and can be undone all the same", async () => {
	const { base, root, sessionRoots, write } = tempAgentDir();
	const path = write("--x--/a.jsonl", lines(header(), user("a0000001", null, 1, "hello")));
	const store = createStoreClient();
	onTestFinished(() => store.close());
	const notes = join(base, "journal.jsonl");
	const journal = openJournal({ path: notes, root });
	const checkUse = async () => NOTHING_LIVE;
	// A rename needs no more.
	const changes = changesWith({
		journal: {
			...journal,
			done: () => Promise.reject(new Error("the undo journal cannot be written: the disk is full")),
		},
		store,
		sessionRoots,
		titleOf: () => undefined,
		changed: () => undefined,
	});
	const capabilities = someCapabilities({ store: { checkUse, rowOf: () => undefined }, journal: changes });
	const action = await runWith(SESSION_EFFECTS, { type: "rename", path, name: "New" }, capabilities);
	expect(action).toMatchObject({
		message: {
			text: "Renamed “a.jsonl” to “New”; undo may not know of it, since the undo journal cannot be written: the disk is full",
			tone: "warning",
		},
	});
	const undo = createUndo({
		journal,
		history: createHistoryReader(notes, root, journal.run),
		store,
		marks: openMarksFile(join(base, "marks.jsonl")),
		saved: openSavedFile(join(base, "queries.jsonl")),
		stateDir: base,
		sessionRoots,
		clock: Date.now,
		changed: () => undefined,
		checkUse,
		rowOf: () => undefined,
		work: createLongWork(() => undefined),
	});
	expect(await undo({ type: "undo" })).toMatchObject({ message: { text: "Undone: rename “a.jsonl” to “New”" } });
	expect((await readSession(path)).tree.name).toBeUndefined();
});
