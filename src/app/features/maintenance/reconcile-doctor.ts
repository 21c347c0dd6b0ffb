import type { SessionRow } from "../../../catalog/model/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import type { Examination } from "../../../store/doctor/examine-session.ts";
import { type Finding, GRAVITIES, gravityOf } from "../../../store/doctor/finding.ts";
import { type SessionHead, sharedBy } from "../../../store/doctor/session-head.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { quote, textWidth } from "../../../ui/text/width.ts";
import { pageOf } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { openAtDamaged } from "./maintenance-actions.ts";
import { DOCTOR, type DoctorState } from "./maintenance-state.ts";

/** Paths passed with one effect, which examines as many as it has time for. */
const EXAMINED_AT_ONCE = 500;

/** Beyond this many findings, only the worst few of each further session are stored. */
const MOST_STORED = 100_000;
const WORST_STORED = 20;

/** Requests the next examination, and compares the sessions once all have been examined. */
export function examineNext(state: State): Transition {
	const doctor = DOCTOR.of(state);
	const { request } = doctor;
	if (doctor.asked) return transition(state);
	if (doctor.done < doctor.queue.length) {
		const paths = doctor.queue.slice(doctor.done, doctor.done + EXAMINED_AT_ONCE);
		return transition(DOCTOR.with(state, { asked: true }), { type: "examine", request, paths });
	}
	if (doctor.compared) return transition(state);
	const paths = mayBeCopies(state);
	if (paths.length === 0) return transition(compare(state));
	return transition(DOCTOR.with(state, { asked: true }), { type: "read-heads", request, paths });
}

/** Whether sessions are being examined. */
export function isChecking(state: State): boolean {
	const { done, queue } = DOCTOR.of(state);
	return done < queue.length;
}

/** Examines these sessions; earlier results stay. */
export function beginChecking(state: State, queue: readonly string[], checked?: DoctorState["checked"]): State {
	const request = DOCTOR.of(state).request + 1;
	return DOCTOR.with(state, { request, queue, done: 0, asked: false, compared: false, checked });
}

/** Sessions that begin with the same message as an examined one, and whose own beginning has not been read. */
function mayBeCopies(state: State): readonly string[] {
	const { here: rows } = state.catalog;
	const { examined, heads } = DOCTOR.of(state);
	const messages = new Set<string>();
	for (const path of examined.keys()) messages.add(rows.get(path)?.firstMessage ?? "");
	messages.delete("");
	const isUnknown = ({ path, firstMessage }: SessionRow): boolean =>
		messages.has(firstMessage) && !examined.has(path) && !heads.has(path);
	return [...rows.values()].filter(isUnknown).map(({ path }) => path);
}

/** Finds what the examined sessions share with others. */
function compare(state: State): State {
	const { examined, heads } = DOCTOR.of(state);
	const all = state.catalog.here
		.values()
		.map(
			({ path, id, parentSession }): SessionHead =>
				examined.get(path) ??
				heads.get(path) ?? { path, id, ...(parentSession === undefined ? {} : { parent: parentSession }) },
		);
	const shared = new Map([...sharedBy(all)].filter(([path]) => examined.has(path)));
	return answerCheck(DOCTOR.with(state, { shared, compared: true }));
}

/** Reports that the checked sessions are sound, or shows the first one that is not. */
export function answerCheck(state: State): State {
	const { checked, examined, shared } = DOCTOR.of(state);
	if (checked === undefined) return state;
	const rows = checked.paths.flatMap((path) => state.catalog.here.get(path) ?? []);
	const next = saySound(DOCTOR.with(state, { checked: undefined }), rows);
	const found = rows.find(({ path }) => (examined.get(path)?.findings.length ?? 0) > 0 || shared.has(path));
	if (found === undefined) return next;
	// Whatever the person has opened meanwhile stays open.
	if (!checked.opens || pageOf(next) !== undefined) return next;
	return next.overlays.length === 0 ? openAtDamaged(next, found.path) : say(next, FOUND, "warning");
}

const FOUND = "Something was found in the session: see Maintenance";

const SOUND = cleanText(" is sound");
/** Cells of the quotation marks and of the margins of the row. */
const AROUND = 4;

/** Reports how many of these sessions are sound. */
function saySound(state: State, rows: readonly SessionRow[]): State {
	const { examined, shared } = DOCTOR.of(state);
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

/** Stores the results of an examination. */
export function applyExamined(state: State, request: number, found: readonly Examination[]): State {
	const doctor = DOCTOR.of(state);
	if (doctor.request !== request) return state;
	const examined = new Map(doctor.examined);
	let { stored } = doctor;
	for (const one of found) {
		const kept = stored < MOST_STORED ? one : worstPart(one);
		stored += kept.findings.length;
		examined.set(one.path, kept);
	}
	return DOCTOR.with(state, { examined, stored, done: doctor.done + found.length, asked: false });
}

/** Keeps only the worst findings; the totals still count all. */
function worstPart(examination: Examination): Examination {
	const rank = (finding: Finding): number => GRAVITIES.indexOf(gravityOf(finding));
	const findings = examination.findings.toSorted((a, b) => rank(a) - rank(b)).slice(0, WORST_STORED);
	return { ...examination, findings };
}

/** Stores the beginnings of other sessions, and compares. */
export function applyHeads(state: State, request: number, found: readonly SessionHead[]): State {
	const doctor = DOCTOR.of(state);
	if (doctor.request !== request) return state;
	const heads = new Map(doctor.heads);
	for (const one of found) heads.set(one.path, one);
	return compare(DOCTOR.with(state, { heads, asked: false }));
}
