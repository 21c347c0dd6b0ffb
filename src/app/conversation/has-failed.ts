import { messageFailed } from "../../catalog/stats/has-failed.ts";
import type { EntryKind } from "./entry-kind.ts";
import type { Fields } from "./fields.ts";

/** What can fail. */
const STEPS: ReadonlySet<EntryKind> = new Set<EntryKind>(["result", "command", "answer"]);

/** Whether a step failed, or an answer did; `message`: of the entry. */
export function hasFailed(kind: EntryKind, message: Fields): boolean {
	return STEPS.has(kind) && messageFailed(message);
}
