import { sep } from "node:path";
import { archiveOf } from "./archive.ts";
import type { SessionRow } from "./row.ts";
import { runAt } from "./run-place.ts";
import type { SessionRoots } from "./session-roots.ts";

/** The rows, with those in the archive and those of subagents marked. */
export function placedRows(rows: readonly SessionRow[], sessionRoots: SessionRoots): readonly SessionRow[] {
	const archive = archiveOf(sessionRoots) + sep;
	return rows.map((row) => {
		const run = runAt(row.path, sessionRoots);
		const archived = row.path.startsWith(archive);
		return run || archived ? { ...row, ...(run && { run }), ...(archived && { archived }) } : row;
	});
}

/** The row, marked if its file is in the archive, or is the session of a subagent. */
export function placedRow(row: SessionRow, sessionRoots: SessionRoots): SessionRow {
	return placedRows([row], sessionRoots)[0] ?? row;
}
