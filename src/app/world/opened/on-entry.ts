import type { SessionEntry } from "../../../store/format/schema.ts";
import { type Guarded, guarded } from "../key.ts";
import type { State, Transition } from "../state/state.ts";
import { entryUnderCursor } from "./select-branches.ts";

/** What is done with the entry under the tree's cursor, or with the last one of the branch under that of the branches. */
export function onEntry(verb: string, run: (state: State, entry: SessionEntry) => Transition): Guarded {
	return { acts: "entry", ...guarded(entryUnderCursor, `There is no entry to ${verb}`, run) };
}
