import type { SessionRow } from "../../../catalog/model/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import { type Finding, GRAVITIES, gravityOf } from "../../../store/doctor/finding.ts";
import { isDamaged } from "../../../store/format/diagnostic.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { quote, textWidth } from "../../../ui/text/width.ts";
import { selectList } from "../../world/list/select-list.ts";
import type { Action } from "../../world/state/action.ts";
import { pageOf } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { openAtDamaged } from "./maintenance-actions.ts";
import { DOCTOR } from "./maintenance-state.ts";

/** The sessions that the person wants checked; `opens`: findings open the view. */
export interface Check {
	readonly paths: readonly string[];
	readonly opens: boolean;
}

/** Examines these sessions, with the progress shown, and reports the result of a check. Earlier results stay. */
export function examine(state: State, paths: readonly string[], check?: Check): Transition {
	const examining = DOCTOR.of(state).examining.union(new Set(paths));
	return transition(DOCTOR.with(state, { examining }), { type: "examine", paths, check });
}

/** Examines sessions, unless that is up to date, and shows or reports the result. */
export function checkChosen(state: State, rows: readonly SessionRow[]): Transition {
	const check = { paths: rows.map(({ path }) => path), opens: true };
	const fresh = rows.filter((row) => needsExamination(state, row)).map(({ path }) => path);
	if (fresh.length === 0) return transition(report(state, check));
	const damaged = rows.find(({ diagnostics }) => isDamaged(diagnostics));
	const nextState = damaged === undefined ? say(state, "Checking …", "muted") : openAtDamaged(state, damaged.path);
	return examine(nextState, fresh, check);
}

/** Examines all sessions that the list shows, damaged ones first, without those that have not changed since their last examination. */
export function checkAll(state: State): Transition {
	const listedRows = selectList(state).rows.flatMap(({ row }) => (row.place === undefined ? [row] : []));
	const fresh = listedRows
		.filter((row) => needsExamination(state, row))
		.toSorted((a, b) => Number(isDamaged(b.diagnostics)) - Number(isDamaged(a.diagnostics)))
		.map(({ path }) => path);
	const hidden = state.catalog.here.size - listedRows.length;
	const which = `${formatCounted(hidden, "session")} outside the list ${hidden === 1 ? "was" : "were"}`;
	const next = hidden <= 0 ? state : say(state, `${which} not checked`, "warning");
	return fresh.length === 0 ? transition(next) : examine(next, fresh, { paths: fresh, opens: false });
}

function needsExamination(state: State, { path, size }: SessionRow): boolean {
	return DOCTOR.of(state).examined.get(path)?.size !== size;
}

/** Findings of a session that are kept, the worst ones; the totals count all. */
const MOST_KEPT = 200;

export function applyExamined(
	state: State,
	{ paths, check, found, left }: Extract<Action, { type: "examined" }>,
): State {
	const { examined, examining } = DOCTOR.of(state);
	const next = DOCTOR.with(state, {
		examined: new Map([...examined, ...found.map((one) => [one.path, worstPart(one)] as const)]),
		examining: examining.difference(new Set(paths)),
	});
	if (left > 0) return say(next, `Stopped: ${formatCounted(left, "session")} not checked`, "warning");
	return check === undefined ? next : report(next, check);
}

function worstPart(examination: Examination): Examination {
	if (examination.findings.length <= MOST_KEPT) return examination;
	const rank = (finding: Finding): number => GRAVITIES.indexOf(gravityOf(finding));
	return { ...examination, findings: examination.findings.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_KEPT) };
}

const FOUND = "The session has findings: see Maintenance";
const SOUND = cleanText(" is sound");
/** Cells of the quotation marks and of the margins of the row. */
const AROUND = 4;

/** Says how many of these sessions are sound, and shows the first in which something was found. */
function report(state: State, { paths, opens }: Check): State {
	const { examined } = DOCTOR.of(state);
	const rows = paths.flatMap((path) => state.catalog.here.get(path) ?? []);
	const hasFindings = ({ path }: SessionRow): boolean => (examined.get(path)?.findings.length ?? 0) > 0;
	const next = saySound(state, rows, rows.filter((row) => examined.has(row.path) && !hasFindings(row)).length);
	const rowWithFindings = rows.find(hasFindings);
	// Whatever the person has opened meanwhile stays open.
	if (rowWithFindings === undefined || !opens || pageOf(next) !== undefined) return next;
	return next.overlays.length === 0 ? openAtDamaged(next, rowWithFindings.path) : say(next, FOUND, "warning");
}

function saySound(state: State, rows: readonly SessionRow[], sound: number): State {
	const [first, second] = rows;
	if (sound === 0 || first === undefined) return state;
	if (second === undefined) {
		const room = state.size.columns - textWidth(SOUND) - AROUND;
		return say(state, `${quote(sessionTitle(first), room)}${SOUND}`);
	}
	const all = `Checked ${formatCount(rows.length)} sessions`;
	return say(state, `${all}: ${sound === rows.length ? "all" : formatCount(sound)} are sound`);
}
