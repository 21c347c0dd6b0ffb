import { type SessionRow, whyNotASession } from "../../../catalog/model/row.ts";
import { memoLast } from "../../../shared/memo.ts";
import { type Examination, withShared } from "../../../store/doctor/examine-session.ts";
import { GRAVITIES, type Gravity, worstOf } from "../../../store/doctor/finding.ts";
import { damagedRows } from "../../world/list/damaged-rows.ts";
import type { State } from "../../world/state/state.ts";
import type { DoctorState } from "./doctor-state.ts";
import { DOCTOR } from "./doctor-state.ts";

/** A session in which something was found. */
export interface DamagedSession {
	readonly row: SessionRow;
	/** What was found; undefined while only its row is known. */
	readonly examination: Examination | undefined;
	readonly gravity: Gravity;
}

/** Sessions in which the list or a check has found something, worst first, then the newest. */
export function selectDamaged(state: State): readonly DamagedSession[] {
	const { catalog } = state;
	const doctor = DOCTOR.of(state);

	return arrange(damagedRows(catalog.rows), doctor.examined, doctor.shared, catalog.rows);
}

const arrange = memoLast(
	(
		damaged: readonly SessionRow[],
		examined: DoctorState["examined"],
		shared: DoctorState["shared"],
		rows: ReadonlyMap<string, SessionRow>,
	): readonly DamagedSession[] => {
		const sessions = new Map<string, DamagedSession>();
		for (const row of damaged) {
			const gravity = whyNotASession(row) === undefined ? "loses" : "closed";
			sessions.set(row.path, { row, examination: undefined, gravity });
		}
		for (const [path, found] of examined) {
			const row = rows.get(path);
			if (row === undefined) continue;
			const examination = withShared(found, shared.get(path));
			const gravity = worstOf(examination.findings) ?? sessions.get(path)?.gravity;
			if (gravity !== undefined) sessions.set(path, { row, examination, gravity });
		}
		const byGravity = Map.groupBy(sessions.values(), ({ gravity }) => gravity);
		return GRAVITIES.flatMap((gravity) =>
			(byGravity.get(gravity) ?? []).toSorted((a, b) => b.row.modified.getTime() - a.row.modified.getTime()),
		);
	},
);
