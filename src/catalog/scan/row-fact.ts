import type { RawEntry } from "../../store/format/raw-entry.ts";
import type { ListFacts } from "../../store/read/list-facts.ts";
import type { SessionRow } from "../model/row.ts";

/** A fact of a session's row: what is kept of it while the entries are read that a list parses (`sniff.ts`), and what the row has of that. */
export interface RowFact<Kept> {
	/** What is kept after one more entry, as plain JSON; undefined for nothing. `facts`: of all lines up to this one. */
	add(kept: Kept | undefined, entry: RawEntry, facts: ListFacts): Kept | undefined;
	/** Its fields of the row of the session at a path. */
	fields(kept: Kept, path: string): Partial<SessionRow>;
}
