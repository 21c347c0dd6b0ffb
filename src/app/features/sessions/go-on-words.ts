import type { SessionRow } from "../../../catalog/model/row.ts";
import { spanAround } from "../../../conversation/entries/entry-span.ts";
import { conversationLeaf, goesOnFrom, isLeaf } from "../../../conversation/entries/leaf.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { fieldsOf } from "../../../store/format/fields.ts";
import { BOOKKEEPING } from "../../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { Line } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { quotedWords, quoteEntry } from "../../world/opened/quote-entry.ts";
import { runsStartedIn } from "../../world/opened/select-runs.ts";
import { rowsForFiles, titleRow } from "../../world/screen/menus.ts";
import type { Effect, GoesOn } from "../../world/state/effect.ts";
import type { MenuItem } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";

/** The title of the dialog that asks where to continue, in the browser and inside pi. */
export const GO_ON_TITLE = "Continue from here";

export const BRANCH_LABEL = "Branch into a new session, up to here";

export const FILES_LABEL = "With the files as they were here, in a new worktree…";

export function filesPlan(
	state: State,
	row: SessionRow,
	session: Session,
	entry: SessionEntry,
	inWindow?: true,
): Extract<Effect, { type: "plan-files" }> {
	return {
		type: "plan-files",
		...{ session, entryId: entry.id, title: sessionTitle(row), words: quotedWords(state, session, entry) },
		others: [...state.catalog.rows.values()],
		rows: rowsForFiles(state),
		inWindow,
		inPlace: rewindPlan(state, row, session, entry),
	};
}

/** Cells of the quotation behind the words of an item. */
const LEAF_QUOTE = 28;

/**
 * The item that goes on from an entry with what was changed after it taken back, in the directory of the session; none where nothing came
 * after it, on a branch that was left, and for a session of another machine.
 */
export function rewindItem(
	state: State,
	row: SessionRow,
	session: Session,
	entry: SessionEntry,
	next: GoesOn,
): readonly MenuItem[] {
	const effect = rewindPlan(state, row, session, entry, next);
	const where = isSaidAgain(session, entry) ? "Before it" : "Here";
	return effect === undefined ? [] : [{ label: `${where}, with the later changes of files taken back…`, effect }];
}

function rewindPlan(
	state: State,
	row: SessionRow,
	session: Session,
	entry: SessionEntry,
	next?: GoesOn,
): Effect | undefined {
	const isLast = isLeaf(session, goesOnFrom(session, entry.id) ?? "");
	if (isLast || row.place !== undefined || !outlineOf(session).isActive(entry.id)) return undefined;
	const since = spanAround(session, "since", entry.id).ids;
	return {
		...{ type: "plan-rewind", session, entryId: entry.id, title: sessionTitle(row), next },
		runs: runsStartedIn(state, row, new Set([...since, entry.id])),
		others: [...state.catalog.rows.values()],
		rows: rowsForFiles(state),
	};
}

export function quotedRow(state: State, session: Session, entry: SessionEntry): Line {
	return titleRow(cleanText(`“${quotedWords(state, session, entry)}”`));
}

/** The item for a prompt that is to be said again. `where`: what its text is put into. */
export function beforeLabel({ type }: SessionEntry, where: "the clipboard" | "pi's editor"): string {
	const what = type === "custom_message" ? "message" : "prompt";
	return `Rewind to before this ${what}, and reword it (its text goes to ${where})`;
}

/** The item for the leaf, which quotes its text; undefined if there is no leaf. */
export function leafLabel(state: State, session: Session, words: string): string | undefined {
	const leaf = session.tree.byId.get(conversationLeaf(session) ?? "");
	return leaf && `${words}   ${quoteEntry(state, session, leaf, LEAF_QUOTE)}`;
}

/** Whether pi continues before an entry, because that is a prompt to be reworded. */
export function isSaidAgain(session: Session, { id }: SessionEntry): boolean {
	return goesOnFrom(session, id) !== id;
}

/** The end of the answer to a prompt, on the path that is shown; undefined if it was not answered. */
export function answerBelow(session: Session, { id }: SessionEntry): SessionEntry | undefined {
	const outline = outlineOf(session);
	const below = outline.pathThrough(id).slice(outline.level(id) + 1);
	const next = below.findIndex((entry) => isSaidAgain(session, entry));
	const turn = below.slice(0, next === -1 ? undefined : next);
	const isAnswered = turn.some((entry) => entry.type === "message" && fieldsOf(entry.message).role === "assistant");
	return isAnswered ? turn.findLast(({ type }) => !BOOKKEEPING.has(type)) : undefined;
}
