import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Action } from "../../../../src/app/world/state/action.ts";
import { NOTHING_LIVE } from "../../../../src/catalog/model/live.ts";
import { createLongWork } from "../../../../src/changes/engine/long-work.ts";
import { createHistoryReader } from "../../../../src/changes/journal/history-reader.ts";
import { openJournal } from "../../../../src/changes/journal/journal.ts";
import { openMarksFile } from "../../../../src/changes/noted/marks.ts";
import { openSavedFile } from "../../../../src/changes/noted/saved-queries.ts";
import { createStoreClient } from "../../../../src/changes/store-thread/store-client.ts";
import { changesWith } from "../../../support/capabilities.ts";
import { type KilledAt, type KilledChange, killedChange } from "../../../support/killed-change.ts";
import { conversation, lines } from "../../../support/session-builder.ts";
import type { tempAgentDir } from "../../../support/temp-dir.ts";

/** A process that makes a change of many sessions and is killed, and the next run of the program, which undoes it. */
export function killedRun(
	{ base, root, sessionRoots }: ReturnType<typeof tempAgentDir>,
	effect: KilledChange["effect"],
) {
	const journal = join(base, "state", "journal.jsonl");
	const store = createStoreClient();
	onTestFinished(() => store.close());
	const next = openJournal({ path: journal, root });
	const changes = changesWith({
		store,
		sessionRoots,
		home: base,
		journal: next,
		history: createHistoryReader(journal, root, next.run),
		work: createLongWork(() => undefined),
		marks: openMarksFile(join(base, "state", "marks.jsonl")),
		saved: openSavedFile(join(base, "state", "queries.jsonl")),
		checkUse: async () => NOTHING_LIVE,
		rowOf: () => undefined,
		titleOf: () => undefined,
		clock: Date.now,
		changed: () => undefined,
		refresh: () => undefined,
	});
	return {
		journal,
		changes,
		/** Undoes the last change, also one of another run, for which it asks. */
		async undo(): Promise<string> {
			const asked = await changes.undo({ type: "undo" });
			const again = asked.type === "ask" ? asked.question.choices[0]?.effect : undefined;
			return textOf(again?.type === "undo" ? await changes.undo(again) : asked);
		},
		/** Makes the change in a process that is killed. */
		kill: (killedAt: KilledAt) => killedChange({ effect, sessionRoots, journal, killedAt, env: {} }),
	};
}

export function textOf(action: Action | undefined): string {
	return action?.type === "done" ? action.message.text : "";
}

/** The lines of a session with a question and its answer, of a directory that is gone. */
export function goneSession({ base }: ReturnType<typeof tempAgentDir>, index: number, ...more: string[]): string {
	const { lines: all } = conversation({
		...{ number: String(index).padStart(4, "0"), cwd: join(base, "old"), endMs: Date.now() - 60_000 },
		messages: [
			{ role: "user", text: `Why ${index}?` },
			{ role: "assistant", text: "Because." },
		],
	});
	return lines(...all, ...more);
}
