import { type SessionRow, whyNotASession } from "../../../catalog/model/row.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import { GRAVITIES, type Gravity, worstOf } from "../../../store/doctor/finding.ts";
import { damagedRows } from "../../world/list/list-counts.ts";

export interface DamagedSession {
	readonly row: SessionRow;
	/** Undefined until it is examined; then only the diagnostics of its row are known. */
	readonly examination: Examination | undefined;
	readonly gravity: Gravity;
}

/** Sessions with findings of the list or of a check, worst first, then newest first. */
export function damagedSessions(
	rows: ReadonlyMap<string, SessionRow>,
	examined: ReadonlyMap<string, Examination>,
): readonly DamagedSession[] {
	const sessions = new Map<string, DamagedSession>();
	for (const row of damagedRows(rows)) {
		const gravity = whyNotASession(row) === undefined ? "loses" : "closed";
		sessions.set(row.path, { row, examination: undefined, gravity });
	}
	for (const [path, examination] of examined) {
		const row = rows.get(path);
		if (row === undefined) continue;
		const gravity = worstOf(examination.findings) ?? sessions.get(path)?.gravity;
		if (gravity !== undefined) sessions.set(path, { row, examination, gravity });
	}
	const byGravity = Map.groupBy(sessions.values(), ({ gravity }) => gravity);
	return GRAVITIES.flatMap((gravity) =>
		(byGravity.get(gravity) ?? []).toSorted((a, b) => b.row.modified.getTime() - a.row.modified.getTime()),
	);
}
