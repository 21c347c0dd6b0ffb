import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { undoRow } from "../../../../src/app/features/history/history-actions.ts";
import { HISTORY } from "../../../../src/app/features/history/history-state.ts";
import { NOTHING_LIVE } from "../../../../src/catalog/model/live.ts";
import { createLongWork } from "../../../../src/changes/engine/long-work.ts";
import { makeChange } from "../../../../src/changes/engine/make-change.ts";
import { createUndoer } from "../../../../src/changes/engine/undo.ts";
import { createHistoryReader } from "../../../../src/changes/journal/history-reader.ts";
import { openJournal } from "../../../../src/changes/journal/journal.ts";
import { openMarksFile } from "../../../../src/changes/noted/marks-file.ts";
import { openSavedFile } from "../../../../src/changes/noted/saved-file.ts";
import { createStoreClient } from "../../../../src/changes/store-thread/store-client.ts";
import { readSession } from "../../../../src/store/read/read-session.ts";
import { header, lines, user } from "../../../support/session-builder.ts";
import { tempAgentDir } from "../../../support/temp-dir.ts";

const START = initialState(
	{ home: "/home/me", cwd: "/home/me", demo: false, keymap: KEYMAP, problems: [] },
	{ columns: 80, rows: 24 },
	0,
);

test("an undo of a group that was still being changed takes all of it back", async () => {
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
		...{ journal, history, store, sessionRoots, clock: Date.now, titleOf: () => undefined },
		marks: openMarksFile(join(base, "marks.jsonl")),
		saved: openSavedFile(join(base, "queries.jsonl")),
		changed: () => undefined,
		refresh: () => undefined,
		look: async () => NOTHING_LIVE,
		rowOf: () => undefined,
		work: createLongWork(() => undefined),
	};
	const group = { id: "g", what: "rename 3 sessions", count: 3 };
	const rename = (of: string | undefined) => makeChange({ type: "rename", path: of ?? "", name: "New" }, tools, group);
	await rename(paths[0]);
	// What the page has when the key is pressed.
	const { changes } = await history.read(40);
	const [, effects] = undoRow(HISTORY.with(START, { changes }));
	await rename(paths[1]);
	await rename(paths[2]);
	const [effect] = effects;
	if (effect?.type !== "undo") throw new Error("no undo");
	expect(await createUndoer(tools).undo(effect)).toMatchObject({
		message: { text: "Undone: rename 3 sessions", tone: "text" },
	});
	for (const each of paths) expect((await readSession(each)).tree.name).toBeUndefined();
});
