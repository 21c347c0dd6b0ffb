import type { SessionEntry } from "../../store/format/schema.ts";
import type { State } from "../model/state.ts";
import { selectedEntry } from "../tree/select-tree.ts";
import { currentEntry } from "./current-entry.ts";

/** The entry that a key acts on: in the reader the one that is being read, else the one under the tree's cursor. */
export function targetEntry(state: State): SessionEntry | undefined {
	return (state.focus === "reader" ? currentEntry(state) : undefined) ?? selectedEntry(state);
}
