import type { SessionRow } from "../../../catalog/model/row.ts";
import { type Guarded, guarded } from "../key.ts";
import type { State, Transition } from "../state/state.ts";
import { transition } from "../state/transition.ts";
import { chosenRows } from "./marked.ts";
import { selectedRow } from "./select-list.ts";

/** What is done with the session under the cursor; `refuse` says why this one does not allow it. */
export function onSession(
	verb: string,
	run: (state: State, row: SessionRow) => Transition,
	refuse?: (state: State, row: SessionRow) => string | undefined,
): Guarded {
	return { acts: "session", ...guarded(selectedRow, `There is no session to ${verb}`, run, refuse) };
}

/** What is done with all marked sessions, or, while none is marked, with the one under the cursor. */
export function onChosen(verb: string, run: (state: State, rows: readonly SessionRow[]) => Transition): Guarded {
	return {
		acts: "session",
		// It is asked with every key: ten thousand marked ones are not put in order for that.
		needs: (state) =>
			state.list.marked.size > 0 || selectedRow(state) !== undefined ? undefined : `There is no session to ${verb}`,
		run(state) {
			const rows = chosenRows(state);
			return rows.length === 0 ? transition(state) : run(state, rows);
		},
	};
}
