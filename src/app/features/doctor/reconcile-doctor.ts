import type { SessionRow } from "../../../catalog/model/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import { type Finding, GRAVITIES, gravityOf } from "../../../store/doctor/finding.ts";
import { type SessionHead, sharedBy } from "../../../store/doctor/session-head.ts";
import type { Distance } from "../../../ui/page/distance.ts";
import { cursorIndex, FIRST_CURSOR, moveCursor, type PageRow, placeCursor } from "../../../ui/page/page-cursor.ts";
import { scrollTo } from "../../../ui/page/scroll-to.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { quote } from "../../../ui/text/quote.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { textWidth } from "../../../ui/text/width.ts";
import type { State } from "../../world/state.ts";
import { say, type Transition, transition } from "../../world/transition.ts";
import { doctorLayout } from "./doctor-layout.ts";
import { selectedSession } from "./doctor-rows.ts";
import type { DoctorCopy, DoctorState } from "./doctor-state.ts";
import { selectFindingRows } from "./finding-rows.ts";

/** Paths that are handed over at once: as many as fit are examined before the answer. */
const EXAMINED_AT_ONCE = 500;

/** So many findings are stored whole; of a session that is examined after that, some. */
const MOST_STORED = 100_000;
const PART = 20;

/** Has the next sessions examined, and compares them when all are. */
export function syncDoctor(state: State): Transition {
	const [next, effects] = examineOn(state);
	return [placeFinding(next), effects];
}

function examineOn(state: State): Transition {
	const { doctor } = state;
	const { request } = doctor;
	if (doctor.asked) return transition(state);
	if (doctor.done < doctor.queue.length) {
		const paths = doctor.queue.slice(doctor.done, doctor.done + EXAMINED_AT_ONCE);
		return transition(withDoctor(state, { asked: true }), { type: "examine", request, paths });
	}
	if (doctor.compared) return transition(state);
	const paths = mayBeCopies(state);
	if (paths.length === 0) return transition(compare(state));
	return transition(withDoctor(state, { asked: true }), { type: "read-heads", request, paths });
}

/** Sessions that begin with the same message as one that was examined, and of which no more is known. */
function mayBeCopies({ doctor: { examined, heads }, catalog: { rows } }: State): readonly string[] {
	const messages = new Set<string>();
	for (const path of examined.keys()) messages.add(rows.get(path)?.firstMessage ?? "");
	messages.delete("");
	const isUnknown = ({ path, firstMessage }: SessionRow): boolean =>
		messages.has(firstMessage) && !examined.has(path) && !heads.has(path);
	return [...rows.values()].filter(isUnknown).map(({ path }) => path);
}

/** What the examined sessions share with any other. */
function compare(state: State): State {
	const { examined, heads } = state.doctor;
	const all = state.catalog.rows
		.values()
		.map(
			({ path, id, parentSession }): SessionHead =>
				examined.get(path) ??
				heads.get(path) ?? { path, id, ...(parentSession === undefined ? {} : { parent: parentSession }) },
		);
	const shared = new Map([...sharedBy(all)].filter(([path]) => examined.has(path)));
	const next = withDoctor(state, { shared, compared: true });
	const { rows } = state.catalog;
	return saySound(
		next,
		next.doctor.queue.flatMap((path) => rows.get(path) ?? []),
	);
}

const SOUND = cleanText(" is sound");
/** Cells of the quotation marks, and at the ends of the row. */
const AROUND = 4;

/** Says how many of these sessions are sound: they are not among the rows. */
export function saySound(state: State, rows: readonly SessionRow[]): State {
	const { examined, shared } = state.doctor;
	const isSound = ({ path }: SessionRow): boolean => examined.get(path)?.findings.length === 0 && !shared.has(path);
	const sound = rows.filter(isSound).length;
	const [first] = rows;
	if (sound === 0 || first === undefined) return state;
	if (rows.length === 1) {
		const room = state.size.columns - textWidth(SOUND) - AROUND;
		return say(state, `${quote(sessionTitle(first), room)}${SOUND}`);
	}
	const all = `${formatCount(rows.length)} sessions were examined`;
	return say(state, sound === rows.length ? `${all}: all are sound` : `${all}: ${formatCount(sound)} are sound`);
}

/** What was found in the next sessions. */
export function applyExamined(state: State, request: number, found: readonly Examination[]): State {
	const { doctor } = state;
	if (doctor.request !== request) return state;
	const examined = new Map(doctor.examined);
	let { stored } = doctor;
	for (const one of found) {
		const kept = stored < MOST_STORED ? one : worstPart(one);
		stored += kept.findings.length;
		examined.set(one.path, kept);
	}
	return withDoctor(state, { examined, stored, done: doctor.done + found.length, asked: false });
}

/** The worst of very many findings; the others are counted. */
function worstPart(examination: Examination): Examination {
	const rank = (finding: Finding): number => GRAVITIES.indexOf(gravityOf(finding));
	const findings = examination.findings.toSorted((a, b) => rank(a) - rank(b)).slice(0, PART);
	return { ...examination, findings };
}

/** How other sessions begin. */
export function applyHeads(state: State, request: number, found: readonly SessionHead[]): State {
	const { doctor } = state;
	if (doctor.request !== request) return state;
	const heads = new Map(doctor.heads);
	for (const one of found) heads.set(one.path, one);
	return compare(withDoctor(state, { heads, asked: false }));
}

/** Repaired copies that were planned or written. */
export function applyCopies(state: State, found: ReadonlyMap<string, readonly DoctorCopy[]>): State {
	return withDoctor(state, { copies: new Map([...state.doctor.copies, ...found]) });
}

/** The whole finding is in sight, as far as there is room; the findings of another session begin at the top. */
function placeFinding(state: State): State {
	const { doctor } = state;
	const { second: findings } = doctorLayout(state);
	if (!doctor.inFindings || findings === undefined) {
		const isFirst = doctor.findingCursor === FIRST_CURSOR;
		return isFirst && !doctor.inFindings
			? state
			: withDoctor(state, { findingCursor: FIRST_CURSOR, inFindings: false });
	}
	if (selectedSession(state) === undefined) return withDoctor(state, { inFindings: false });
	const rows = selectFindingRows(state);
	const cursor = placeCursor(doctor.findingCursor, rows, findings.height);
	const index = cursorIndex(cursor, rows);
	let last = index;
	while (rows[last + 1]?.isSkipped === true) last += 1;
	const down = scrollTo(cursor.top, last, findings.height, rows.length);
	const top = index <= firstStop(rows) ? 0 : scrollTo(down, index, findings.height, rows.length);
	const placed = top === cursor.top ? cursor : { ...cursor, top };
	return placed === doctor.findingCursor ? state : withDoctor(state, { findingCursor: placed });
}

function firstStop(rows: readonly PageRow[]): number {
	return rows.findIndex(({ isSkipped }) => isSkipped !== true);
}

/** Moves the cursor of the findings. */
export function moveInFindings(state: State, distance: Distance): State {
	const height = doctorLayout(state).second?.height ?? 1;
	const cursor = moveCursor(state.doctor.findingCursor, selectFindingRows(state), distance, height);
	return withDoctor(state, { findingCursor: cursor });
}

export function withDoctor(state: State, fields: Partial<DoctorState>): State {
	return { ...state, doctor: { ...state.doctor, ...fields } };
}
