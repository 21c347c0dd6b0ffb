import type { SessionRow } from "../../catalog/model/row.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { entryUnderCursor } from "../branches/select-branches.ts";
import { chosenRows } from "../list/marked.ts";
import { selectedRow } from "../list/select-list.ts";
import type { Binding } from "../model/binding.ts";
import type { State } from "../model/state.ts";
import { type Transition, transition } from "../model/transition.ts";

/** A row of the keymap; `keymap.ts` adds the section. */
export type Key = Omit<Binding, "section">;

type Guarded = Required<Pick<Binding, "needs" | "acts" | "run">>;

/** What changes only the state. */
export function change(next: (state: State) => State): Binding["run"] {
	return (state) => transition(next(state));
}

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

/** What is done with the entry under the tree's cursor, or with the last one of the branch under that of the branches. */
export function onEntry(verb: string, run: (state: State, entry: SessionEntry) => Transition): Guarded {
	return { acts: "entry", ...guarded(entryUnderCursor, `There is no entry to ${verb}`, run) };
}

function guarded<Thing>(
	select: (state: State) => Thing | undefined,
	missing: string,
	run: (state: State, thing: Thing) => Transition,
	refuse?: (state: State, thing: Thing) => string | undefined,
): Omit<Guarded, "acts"> {
	return {
		needs(state) {
			const thing = select(state);
			return thing === undefined ? missing : refuse?.(state, thing);
		},
		run(state) {
			const thing = select(state);
			return thing === undefined ? transition(state) : run(state, thing);
		},
	};
}
