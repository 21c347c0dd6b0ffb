import type { SessionRow } from "../../../catalog/model/row.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { chosenRows } from "../list/marked.ts";
import { selectedRow } from "../list/select-list.ts";
import { entryUnderCursor } from "../opened/select-branches.ts";
import type { Binding } from "../state/binding.ts";
import { type State, type Transition, transition } from "../state/state.ts";

/** A row of the keymap; `keymap.ts` adds the section. */
export type Key = Omit<Binding, "section">;

/** How a key acts on something that may be missing. */
export type Guarded = Required<Pick<Binding, "needs" | "acts" | "run">>;

/** The handler of a key that only changes the state. */
export function change(next: (state: State) => State): Binding["run"] {
	return (state) => transition(next(state));
}

/** Acts on what `select` finds. `missing`: the reason if it finds nothing; `refuse`: why the key may not act on it. */
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

/** A key that acts on the session under the cursor; `refuse`: why it may not act on this one. */
export function onSession(
	verb: string,
	run: (state: State, row: SessionRow) => Transition,
	refuse?: (state: State, row: SessionRow) => string | undefined,
): Guarded {
	return { acts: "session", ...guarded(selectedRow, `There is no session to ${verb}`, run, refuse) };
}

/** A key that acts on all marked sessions, or, if none is marked, on the one under the cursor. */
export function onChosen(verb: string, run: (state: State, rows: readonly SessionRow[]) => Transition): Guarded {
	return {
		acts: "session",
		// Called for every key, so it does not sort what may be ten thousand marked sessions.
		needs: (state) =>
			state.list.marked.size > 0 || selectedRow(state) !== undefined ? undefined : `There is no session to ${verb}`,
		run(state) {
			const rows = chosenRows(state);
			return rows.length === 0 ? transition(state) : run(state, rows);
		},
	};
}

/** A key that acts on the entry under the cursor: see `entryUnderCursor`. */
export function onEntry(verb: string, run: (state: State, entry: SessionEntry) => Transition): Guarded {
	return { acts: "entry", ...guarded(entryUnderCursor, `There is no entry to ${verb}`, run) };
}
