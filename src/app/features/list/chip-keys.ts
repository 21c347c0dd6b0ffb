import type { SessionRow } from "../../../catalog/model/row.ts";
import { isWaiting } from "../../../catalog/query/conditions.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import { change, type Key, onChosen } from "../../world/keys/key.ts";
import { dropLastChip, dropScope, hasChips } from "../../world/list/chips.ts";
import { familiesOf } from "../../world/list/families.ts";
import { toggleTerm } from "../../world/list/list-actions.ts";
import { chosenRows } from "../../world/list/marked.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";

const LIST = ["list"] as const;

/** What narrows the list besides the text of the query. */
// biome-ignore format: a table
export const CHIP_KEYS: readonly Key[] = [
	{ id: "drop-chip", keys: ["backspace"], contexts: LIST, when: (state) => state.list.query.cursor === 0 && hasChips(state),
		pi: "tui.editor.deleteCharBackward", help: "at the beginning of the text: take away the last of what narrows the list",
		run: change(dropLastChip) },
	{ id: "drop-scope", keys: [], contexts: LIST, help: "sessions of all projects again", run: change(dropScope) },
	{ id: "only-running", keys: [], contexts: LIST,
		help: "only sessions that a pi has open, or all", run: change((state) => toggleTerm(state, "is:running")) },
	{ id: "only-waiting", keys: [], contexts: LIST,
		help: "only sessions that ask or stopped midway in the last 14 days, or all", run: change((state) => toggleTerm(state, "is:waiting")) },
	{ id: "only-today", keys: [], contexts: LIST,
		help: "only sessions with a message since midnight, or all", run: change((state) => toggleTerm(state, "on:today")) },
	{ id: "done-with", name: "Done with it, or wait again", synonyms: "waiting, dismiss, read, seen", keys: [], contexts: LIST, isOn: isDone,
		help: "the session no longer waits for you, until something is said in it, or it does again", ...onChosen("be done with", doneWith) },
];

/** Escape with an empty text; further out than marks, so that it does not quit the browser. */
// biome-ignore format: a table
export const LEAVE_CHIP_KEYS: readonly Key[] = [
	{ id: "back", keys: ["escape"], contexts: LIST, short: "show more", pi: "tui.select.cancel", when: hasChips,
		help: "take away the last of what narrows the list, once its text is empty", run: change(dropLastChip) },
];

function isDone(state: State): boolean {
	const rows = chosenRows(state);
	return rows.some(({ id }) => state.marks.done.has(id)) && waitingAmong(state, rows).length === 0;
}

function waitingAmong({ catalog, marks, now }: State, rows: readonly SessionRow[]): readonly SessionRow[] {
	const { runs } = familiesOf(catalog.rows);
	const facts = { counts: catalog.counts, live: catalog.live.sessions, marks, now: startOfDay(now), runs };
	return rows.filter((row) => row.id !== "" && isWaiting(row, facts));
}

/** Says of sessions that wait that they need nothing more; if none of them waits, that they may wait again. */
function doneWith(state: State, rows: readonly SessionRow[]): Transition {
	const { marks } = state;
	const waiting = waitingAmong(state, rows);
	const changes =
		waiting.length > 0
			? waiting.map(({ id, modified }) => ({ id, done: modified.getTime(), on: true }))
			: rows.flatMap(({ id }) => {
					const done = marks.done.get(id);
					return done === undefined ? [] : [{ id, done, on: false }];
				});
	if (changes.length === 0) return transition(say(state, "It does not wait for you", "muted"));
	const ids = new Set(changes.map(({ id }) => id));
	const paths = rows.filter(({ id }) => ids.has(id)).map(({ path }) => path);
	return transition(state, { type: "mark", paths, changes });
}
