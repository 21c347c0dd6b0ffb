import { type PageCursor, type PageRow, rowAtCursor } from "../../ui/page/page-cursor.ts";
import { markTo, NO_MARKED, type PageMarks, toggleMarks } from "../../ui/page/page-marks.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { selectDoctorRows } from "../doctor/doctor-rows.ts";
import { withDoctor } from "../doctor/reconcile-doctor.ts";
import type { PageKind } from "../model/page.ts";
import type { State } from "../model/state.ts";
import { say } from "../model/transition.ts";
import { movedGroups } from "../moved/gone-groups.ts";
import { withMoved } from "../moved/reconcile-moved.ts";
import { pageOf } from "../page/open-page.ts";
import { withTidy } from "../tidy/reconcile-tidy.ts";
import { pathsOf, selectTidyRows } from "../tidy/tidy-rows.ts";
import { withTrash } from "../trash/reconcile-trash.ts";
import { groupsToMark } from "./moved.ts";
import { moveInPage } from "./pages.ts";

/** A page whose rows can be marked. */
interface MarkedPage {
	readonly of: (state: State) => { readonly cursor: PageCursor; readonly marks: PageMarks };
	readonly rows: (state: State) => readonly PageRow[];
	readonly withMarks: (state: State, marks: PageMarks) => State;
	/** What is marked with a row: of a heading, its group. Default: the row. */
	readonly marksOf?: (state: State, key: string) => readonly string[];
	/** What is marked with all. Default: all rows that the cursor may be on. */
	readonly all?: (state: State) => readonly string[];
	/** What is marked, once and several times. */
	readonly what: readonly [one: string, many: string];
}

const SESSIONS = ["session", "sessions"] as const;

/** The pages by their kinds. */
const MARKED: Readonly<Record<MarkedKind, MarkedPage>> = {
	trash: {
		of: ({ trash }) => trash,
		rows: ({ trash }) => trash.items,
		withMarks: (state, marks) => withTrash(state, { marks }),
		what: SESSIONS,
	},
	doctor: {
		of: ({ doctor }) => doctor,
		rows: selectDoctorRows,
		withMarks: (state, marks) => withDoctor(state, { marks, inFindings: false }),
		what: SESSIONS,
	},
	tidy: {
		of: ({ tidy }) => tidy,
		rows: selectTidyRows,
		withMarks: (state, marks) => withTidy(state, { marks }),
		marksOf: (state, key) => selectTidyRows(state).flatMap((row) => (row.key === key ? pathsOf(row) : [])),
		all: (state) => selectTidyRows(state).flatMap((row) => (row.type === "session" ? [row.key] : [])),
		what: SESSIONS,
	},
	moved: {
		of: ({ moved }) => moved,
		rows: movedGroups,
		withMarks: (state, marks) => withMoved(state, { marks }),
		all: groupsToMark,
		what: ["directory", "directories"],
	},
};

/** The pages whose rows can be marked. */
export const MARKED_PAGES = ["trash", "doctor", "tidy", "moved"] as const satisfies readonly PageKind[];
type MarkedKind = (typeof MARKED_PAGES)[number];

function pageHere(state: State): MarkedPage | undefined {
	const kind = MARKED_PAGES.find((each) => each === pageOf(state));
	return kind && MARKED[kind];
}

/** The row under the cursor of a page whose rows can be marked. */
export function rowToMark(state: State): PageRow | undefined {
	const page = pageHere(state);
	return page && rowAtCursor(page.of(state).cursor, page.rows(state));
}

export function hasMarks(state: State): boolean {
	const page = pageHere(state);
	return page !== undefined && page.of(state).marks.marked.size > 0;
}

/** Marks the row under the cursor, or takes its mark away, and goes to the next one; of a heading, all of its group. */
export function markRow(state: State): State {
	const page = pageHere(state);
	const row = rowToMark(state);
	const kind = pageOf(state);
	if (page === undefined || row === undefined || kind === undefined) return state;
	const keys = page.marksOf?.(state, row.key) ?? [row.key];
	const marked = page.withMarks(state, toggleMarks(page.of(state).marks, keys, row.key));
	return keys.includes(row.key) ? moveInPage(marked, kind, { rows: 1 }) : marked;
}

/** Marks all from the row that was marked last to the one under the cursor. */
export function markRows(state: State): State {
	const page = pageHere(state);
	if (page === undefined) return state;
	const { marks, cursor } = page.of(state);
	const next = markTo(marks, page.rows(state), cursor);
	const marked = page.marksOf === undefined ? next.marked : next.marked.intersection(new Set(allOf(page, state)));
	return page.withMarks(state, { ...next, marked });
}

/** Marks all; once all are marked, takes the marks away. */
export function markAllRows(state: State): State {
	const page = pageHere(state);
	if (page === undefined) return state;
	const all = allOf(page, state);
	if (all.length === 0) return say(state, "There is nothing that all would mark", "warning");
	const { marks } = page.of(state);
	const next = toggleMarks(marks, all, marks.lastMarked);
	const said =
		next.marked.size === 0 ? "All marks taken away" : `${formatCounted(next.marked.size, ...page.what)} marked`;
	return say(page.withMarks(state, next), said);
}

function allOf({ all, rows }: MarkedPage, state: State): readonly string[] {
	return all?.(state) ?? rows(state).flatMap(({ key, isSkipped }) => (isSkipped === true ? [] : [key]));
}

export function unmarkRows(state: State): State {
	return pageHere(state)?.withMarks(state, NO_MARKED) ?? state;
}
