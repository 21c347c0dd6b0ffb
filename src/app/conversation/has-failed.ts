import type { EntryKind } from "./entry-kind.ts";
import type { Fields } from "./fields.ts";
import { commandFailed } from "./step.ts";
import { stopMark } from "./stop-reason.ts";

/** Whether a step failed, or an answer did; `message`: of the entry. */
export function hasFailed(kind: EntryKind, message: Fields): boolean {
	switch (kind) {
		case "result":
			return message.isError === true;
		case "command":
			return commandFailed(message);
		case "answer":
			return stopMark(message)?.tone === "error";
		default:
			return false;
	}
}
