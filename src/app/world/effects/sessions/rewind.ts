import { readerOf } from "../../../../changes/files/read-here.ts";
import { goesOnFrom } from "../../../../conversation/entries/leaf.ts";
import { patchRoot } from "../../../../edits/patch.ts";
import { putChanges } from "../../../../edits/put-change.ts";
import { sessionChanges } from "../../../../edits/session-changes.ts";
import { isDirectory } from "../../../../store/files/paths.ts";
import { readHeld } from "../../../../store/held/hold-session.ts";
import { shortenHome } from "../../../../ui/text/format.ts";
import { rewindQuestion } from "../../questions/put-question.ts";
import type { Action } from "../../state/action.ts";
import type { ChangeCapabilities } from "../capabilities.ts";
import type { EffectOf } from "../runners.ts";

/** Finds out what taking back would do that was changed after an entry, and asks. */
export async function planRewind(
	{ session, entryId, title, runs, others, next, rows }: EffectOf<"plan-rewind">,
	{ disk, store }: Pick<ChangeCapabilities, "disk" | "store">,
): Promise<Action> {
	const { home } = disk;
	const root = await patchRoot(session, false);
	if (!isDirectory(root)) throw new Error(`${shortenHome(root, home)} is gone, so nothing can be taken back there`);
	const readRuns = await Promise.all(runs.map((path) => readHeld(path)));
	const span = { from: goesOnFrom(session, entryId) ?? undefined, to: session.tree.leafId ?? "" };
	const { files, commands, left } = await sessionChanges(session, span, { home, rows: others, runs: readRuns });
	const changes = await putChanges(files, { direction: "revert", read: readerOf(root, root) });
	const { pis } = await store.checkUse([session.path]);
	const plan = { direction: "revert", path: session.path, title, root, from: root, changes, commands } as const;
	const context = { home, pis, rows, partly: true };
	return { type: "ask", question: rewindQuestion(plan, context, next, left.length) };
}
