import type { SessionRow } from "../../catalog/model/row.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import { editedText } from "../../ui/field/edit.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { span } from "../../ui/text/span.ts";
import type { Line } from "../../ui/view.ts";
import { chosenSessions, selectedSession } from "../doctor/doctor-rows.ts";
import { copiesSum, copySentences } from "../doctor/doctor-words.ts";
import { selectedFinding } from "../doctor/finding-rows.ts";
import { applyCopies, saySound, withDoctor } from "../doctor/reconcile-doctor.ts";
import { sessionTitle } from "../list/draw-row.ts";
import { chosenRows } from "../list/marked.ts";
import { selectList } from "../list/select-list.ts";
import type { DoctorCopy } from "../model/doctor-state.ts";
import type { PromptOverlay } from "../model/overlays.ts";
import type { State } from "../model/state.ts";
import { say, type Transition, transition } from "../model/transition.ts";
import { openPage, pageOf } from "../page/open-page.ts";
import { damageKey } from "../tree/tree-rows.ts";

/** The page, which examines the marked sessions, or the one under the cursor, unless it has just done that. */
export function openDoctor(state: State): State {
	return examine(openPage(state, "doctor"), chosenRows(state));
}

/** Examines those of these sessions of which not all is known yet; what was found before stays. */
function examine(state: State, rows: readonly SessionRow[]): State {
	const { doctor } = state;
	const fresh = rows.filter((row) => isNew(state, row)).map(({ path }) => path);
	const cursor = { ...doctor.cursor, selected: rows[0]?.path };
	if (fresh.length === 0) return saySound(withDoctor(state, { cursor, inFindings: false }), rows);
	const wanted = new Set(fresh);
	const rest = doctor.queue.slice(doctor.done).filter((path) => !wanted.has(path));
	return begin(withDoctor(state, { cursor, inFindings: false }), [...fresh, ...rest]);
}

/** Examines all that the list shows, the damaged ones first; what was examined and has not changed stays. */
export function examineAll(state: State): State {
	const shown = selectList(state).rows.map(({ row }) => row);
	const [damaged, others] = [true, false].map((wanted) => shown.filter((row) => isDamaged(row.diagnostics) === wanted));
	const fresh = [...(damaged ?? []), ...(others ?? [])].filter((row) => isNew(state, row));
	const next = begin(
		state,
		fresh.map(({ path }) => path),
	);
	const hidden = state.catalog.rows.size - shown.length;
	if (hidden <= 0) return next;
	const which = `${formatCounted(hidden, "session")} that the list does not show now ${hidden === 1 ? "is" : "are"}`;
	return say(next, `${which} not examined`, "warning");
}

function begin(state: State, queue: readonly string[]): State {
	const request = state.doctor.request + 1;
	return withDoctor(state, { request, queue, done: 0, asked: false, compared: false });
}

function isNew({ doctor }: State, { path, size }: SessionRow): boolean {
	return doctor.examined.get(path)?.size !== size;
}

/** Ends the examination; what was found stays. */
export function stopExamining(state: State): State {
	const { queue, done, request } = state.doctor;
	const left = formatCounted(queue.length - done, "session");
	const next = withDoctor(state, { request: request + 1, queue: queue.slice(0, done), asked: false });
	return say(next, `Stopped: ${left} not examined`, "warning");
}

export function isExamining({ doctor }: State): boolean {
	return doctor.done < doctor.queue.length;
}

/** From a session to its findings, and from a finding to its entry in the tree. */
export function goOnInDoctor(state: State): State {
	const { inFindings } = state.doctor;
	return inFindings ? goToFinding(state) : withDoctor(state, { inFindings: true });
}

export function backToSessions(state: State): State {
	return withDoctor(state, { inFindings: false });
}

/** Codes of findings of lines that are rows of the tree, though no entry is in them. */
const LOST_LINES: ReadonlySet<string> = new Set(["bad-line", "torn-tail", "line-too-long"]);

function goToFinding(state: State): State {
	const session = selectedSession(state);
	const finding = selectedFinding(state);
	if (session === undefined || finding === undefined) return say(state, "This is about no entry", "muted");
	const { entryId, code, line } = finding;
	const id = LOST_LINES.has(code) && line !== undefined ? damageKey(line) : entryId;
	if (id === undefined) return say(state, "This is about the file, not about an entry of it", "muted");
	const { key: path } = session;
	const { detail, tree, list } = state;
	const isOpen = detail.status !== "none" && detail.row.path === path;
	const savedCursors = new Map([...tree.savedCursors, [path, id]]);
	return {
		...state,
		overlays: [],
		tree: isOpen ? { ...tree, selected: id } : { ...tree, savedCursors },
		list: { ...list, pendingSelection: path, opensPending: true },
	};
}

/** Finds out what repaired copies of the chosen sessions would have, and asks where they go. */
export function repairChosen(state: State): Transition {
	const sessions = chosenSessions(state).map(({ row }) => ({ path: row.path, title: sessionTitle(row) }));
	return transition(state, { type: "plan-repair", sessions });
}

/** What stands in a question about many. */
const MOST_SENTENCES = 12;

/** Asks where the planned copies go; what they leave out and change is on the page, too. */
export function askWhereTo(
	state: State,
	planned: ReadonlyMap<string, readonly DoctorCopy[]>,
	directory: string,
): State {
	const next = applyCopies(state, planned);
	if (pageOf(state) !== "doctor" || state.overlays.at(-1)?.kind !== "doctor") return next;
	const copies = [...planned.values()].flat();
	if (copies.length === 0) return say(next, "There is no entry in it: no copy can be made", "warning");
	const many = planned.size > 1;
	const sessions = [...planned.keys()].map((path) => ({ path, title: titleOf(state, path) }));
	const sentences = [...planned].flatMap(([path, each]) => planLines(many ? titleOf(state, path) : undefined, each));
	const more = sentences.length - MOST_SENTENCES;
	const body: Line[] = [
		[
			span(
				sanitizeLine(`${copiesSum(copies)}. The ${many ? "originals stay as they are" : "original stays as it is"}.`),
			),
		],
		...sentences.slice(0, MOST_SENTENCES),
		...(more > 0 ? [[span(`and ${formatCount(more)} more; escape, then enter on a session shows all`, "muted")]] : []),
		[span("Directory:", "muted")],
	];
	const prompt: PromptOverlay = {
		kind: "prompt",
		title: many ? `Repair ${formatCount(planned.size)} sessions into copies` : "Repair into a copy",
		body,
		value: editedText(directory),
		submit: { type: "repair", sessions },
	};
	return { ...next, overlays: [...next.overlays, prompt] };
}

function titleOf({ catalog }: State, path: string): string {
	const row = catalog.rows.get(path);
	return row === undefined ? path : sessionTitle(row);
}

function planLines(title: string | undefined, copies: readonly DoctorCopy[]): Line[] {
	const head: Line[] =
		title === undefined ? [] : [[span(sanitizeLine(title), "heading"), span(`  ${copiesSum(copies)}`, "muted")]];
	const told = copies.flatMap((copy): Line[] => {
		const { dropped, changes } = copySentences(copy);
		return [
			...dropped.map((why): Line => [span(sanitizeLine(`left out: ${why}`), "warning")]),
			...changes.map((change): Line => [span(sanitizeLine(`changed: ${change}`))]),
		];
	});
	return [...head, ...told];
}
