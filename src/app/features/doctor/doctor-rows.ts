import type { SessionRow } from "../../../catalog/model/row.ts";
import { memoLast } from "../../../shared/memo.ts";
import { type Examination, withShared } from "../../../store/doctor/examine-session.ts";
import { GRAVITIES, type Gravity, worstOf } from "../../../store/doctor/finding.ts";
import { type PageRow, rowAtCursor } from "../../../ui/page/page-cursor.ts";
import type { State } from "../../world/state.ts";
import type { DoctorState } from "./doctor-state.ts";

/** A session in which something was found. */
export interface DoctorSession extends PageRow {
	readonly row: SessionRow;
	readonly examination: Examination;
	readonly gravity: Gravity;
	/** How many findings it has. */
	readonly total: number;
}

/** What stands above the sessions that are as badly off as each other. */
interface DoctorHeading extends PageRow {
	readonly isSkipped: true;
	readonly gravity: Gravity;
	readonly count: number;
}

export type DoctorRow = DoctorSession | DoctorHeading;

export function isSession(row: DoctorRow): row is DoctorSession {
	return "row" in row;
}

/** The sessions that have findings, worst first, with headings; what is no longer listed is left out. */
export function selectDoctorRows({ doctor, catalog }: State): readonly DoctorRow[] {
	return arrange(doctor.examined, doctor.shared, catalog.rows);
}

const arrange = memoLast(
	(
		examined: DoctorState["examined"],
		shared: DoctorState["shared"],
		rows: ReadonlyMap<string, SessionRow>,
	): readonly DoctorRow[] => {
		const sessions: DoctorSession[] = [];
		for (const [key, found] of examined) {
			const row = rows.get(key);
			const examination = withShared(found, shared.get(key));
			const gravity = worstOf(examination.findings);
			if (row !== undefined && gravity !== undefined)
				sessions.push({ key, row, examination, gravity, total: totalOf(examination) });
		}
		const byGravity = Map.groupBy(sessions, ({ gravity }) => gravity);
		return GRAVITIES.flatMap((gravity): DoctorRow[] => {
			const group = byGravity.get(gravity) ?? [];
			if (group.length === 0) return [];
			const order = group.toSorted((a, b) => b.total - a.total || b.row.modified.getTime() - a.row.modified.getTime());
			return [{ key: `\0${gravity}`, isSkipped: true, gravity, count: group.length }, ...order];
		});
	},
);

function totalOf({ totals }: Examination): number {
	return Object.values(totals).reduce((sum, count) => sum + count, 0);
}

/** How many sessions were examined that are still listed. */
export function examinedCount({ doctor, catalog }: State): number {
	return countListed(doctor.examined, catalog.rows);
}

const countListed = memoLast((examined: DoctorState["examined"], rows: ReadonlyMap<string, SessionRow>): number => {
	let count = 0;
	for (const path of examined.keys()) if (rows.has(path)) count += 1;
	return count;
});

/** The session under the cursor. */
export function selectedSession(state: State): DoctorSession | undefined {
	const row = rowAtCursor(state.doctor.cursor, selectDoctorRows(state));
	return row !== undefined && isSession(row) ? row : undefined;
}

/** The sessions that a command for several is about: the marked ones, else the one under the cursor. */
export function chosenSessions(state: State): readonly DoctorSession[] {
	const { marked } = state.doctor.marks;
	const here = selectedSession(state);
	if (marked.size === 0) return here === undefined ? [] : [here];
	return selectDoctorRows(state)
		.filter(isSession)
		.filter(({ key }) => marked.has(key));
}
