import type { SessionRow } from "../../catalog/model/row.ts";
import { scanFile } from "../../catalog/scan/scan-file.ts";
import { SESSION_ACTIONS } from "../../store/actions/session-actions.ts";

/** What the store's thread can do: all that is done to a session, and reading what the list would show of a file. */
export const WORKER_ACTIONS = { ...SESSION_ACTIONS, scanRow };

/** What the list would show of a file, wherever it is. */
function scanRow(path: string): SessionRow {
	return scanFile(path).row;
}
