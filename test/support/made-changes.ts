import { createHistoryReader } from "../../src/changes/journal/history-reader.ts";
import { type Change, isMade } from "../../src/changes/kinds/change.ts";

/** The changes of a journal that are still as they were made, oldest first. */
export async function madeChanges(path: string, root: string): Promise<Change[]> {
	const { changes } = await createHistoryReader(path, root, { pid: 0, start: 0 }).read(Number.MAX_SAFE_INTEGER);
	return changes.filter(isMade).toReversed();
}
