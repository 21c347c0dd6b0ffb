import type { SessionRow } from "../../../catalog/model/row.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { cursorIndex } from "../../../ui/page/page-cursor.ts";
import { formatCount } from "../../../ui/text/format.ts";
import type { Line } from "../../../ui/view.ts";
import { sentence } from "../../world/menus.ts";
import { openOverlay } from "../../world/overlays.ts";
import { openPage } from "../../world/page/open-page.ts";
import type { State } from "../../world/state.ts";
import { say, type Transition, transition } from "../../world/transition.ts";
import { selectList } from "../list/select-list.ts";
import { closeStage } from "../list/stage.ts";
import { FIRST_MOVED } from "../moved/moved-state.ts";
import { withMoved } from "../moved/reconcile-moved.ts";
import { deleteAllQuestion } from "../sessions/several-menus.ts";
import { withTidy } from "./reconcile-tidy.ts";
import { selectTidying } from "./select-tidying.ts";
import { chosenTidySessions, selectedTidySession, selectTidyRows, type TidyRow } from "./tidy-rows.ts";
import { OLD_DAYS } from "./tidy-state.ts";

/** The page of what may be deleted, as it was left; directories are looked at anew. */
export function openTidy(state: State): State {
	const looking = withMoved(state, { ...FIRST_MOVED, search: state.moved.search + 1 });
	return openPage(withTidy(looking, { isStopped: false }), "tidy");
}

/** Puts the cursor on the next heading, or the one before, with its group below it. */
export function moveToGroup(state: State, by: 1 | -1): State {
	const rows = selectTidyRows(state);
	const { cursor } = state.tidy;
	const from = cursorIndex(cursor, rows);
	const isHeading = ({ type }: TidyRow): boolean => type === "heading";
	const index =
		by === 1
			? rows.findIndex((row, at) => at > from && isHeading(row))
			: rows.slice(0, Math.max(0, from)).findLastIndex(isHeading);
	const heading = rows[index];
	return heading === undefined
		? state
		: withTidy(state, { cursor: { ...cursor, selected: heading.key, index, top: index } });
}

/** Goes on to the next number of days after which a session is old, from the last one to the first. */
export function changeOldDays(state: State): State {
	const { oldDays } = state.tidy;
	const next = OLD_DAYS[(OLD_DAYS.indexOf(oldDays) + 1) % OLD_DAYS.length] ?? oldDays;
	return say(withTidy(state, { oldDays: next }), `Old: nothing was said for ${formatCount(next)} days`);
}

/** Reads no more of what is compared. */
export function stopComparing(state: State): State {
	return withTidy(state, { isStopped: true });
}

/** Closes the page and opens the session under its cursor, whatever the list shows. The page stays as it is. */
export function openTidySession(state: State): State {
	const path = selectedTidySession(state)?.row.path;
	if (path === undefined) return state;
	const isListed = selectList(state).itemIndexes.has(path);
	const { list } = isListed ? state : showingAll(closeStage(state));
	return { ...state, overlays: [], list: { ...list, pendingSelection: path, opensPending: true } };
}

function showingAll(state: State): State {
	return { ...state, list: { ...state.list, query: editedText(""), scope: "all", namedOnly: false } };
}

/** Asks before the marked sessions go to the trash, or the one under the cursor. */
export function askToDeleteTidy(state: State): Transition {
	const rows = chosenTidySessions(state).map(({ row }) => row);
	return rows.length === 0
		? transition(state)
		: transition(openOverlay(state, deleteAllQuestion(state, rows, 0, aboutTidy)));
}

/** What a person must know who has not seen each of these sessions. */
export function aboutTidy(state: State, going: readonly SessionRow[]): Line[] {
	const paths = new Set(going.map(({ path }) => path));
	let [proposed, alone] = [0, 0];
	for (const { sessions } of selectTidying(state).groups) {
		for (const { row, within } of sessions) {
			if (!paths.has(row.path)) continue;
			proposed += 1;
			if (within !== undefined && paths.has(within.path)) alone += 1;
		}
	}
	const lines: Line[] = [];
	if (proposed < going.length)
		lines.push(
			...sentence(state, `${formatCount(going.length - proposed)} of them would not be proposed any more.`, "warning"),
		);
	if (alone > 0) {
		const go = alone === 1 ? "1 duplicate goes" : `${formatCount(alone)} duplicates go`;
		lines.push(...sentence(state, `${go} with the session that holds all of it.`, "warning"));
	}
	return lines;
}
