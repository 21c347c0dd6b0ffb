import type { RawEntry } from "../../store/format/raw-entry.ts";
import type { ListFacts } from "../../store/read/list-facts.ts";
import { sessionFilesIn } from "../families/named-files.ts";
import { type OwnRun, ownRunIn } from "../families/own-run.ts";
import { fileName, type SessionRow } from "../model/row.ts";
import { originsOf } from "../model/run-place.ts";

/** A fact of a session's row: what is kept of it while the entries are read that a list parses (`sniff.ts`), and what the row has of that. */
export interface RowFact<Value> {
	/** What is kept after one more entry, as plain JSON; undefined for nothing. `facts`: of all lines up to this one. */
	add(value: Value | undefined, entry: RawEntry, facts: ListFacts): Value | undefined;
	fields(value: Value, path: string): Partial<SessionRow>;
}

/** What the first entry about it says of the run whose session it is. */
const OWN_RUN: RowFact<OwnRun> = {
	add: (ownRun, entry, { header }) => ownRun ?? ownRunIn(entry, header?.time),
	fields: (ownRun) => ({ ownRun }),
};

/**
 * Whether a session names files of runs that are not below itself. Kept are the sessions below which the named files are, and ""
 * for a file that is below none; two of them suffice to know that one is another session.
 */
const TELLS: RowFact<readonly string[]> = {
	add(earlier, entry) {
		const parents = sessionFilesIn(entry).map((file) => originsOf(file, undefined)[0] ?? "");
		return parents.length === 0 ? earlier : [...new Set([...(earlier ?? []), ...parents])].slice(0, 2);
	},
	// A family may have been moved or copied: then it names the same files in another directory.
	fields: (parents, path) => (parents.some((parent) => fileName(parent) !== fileName(path)) ? { tells: true } : {}),
};

/**
 * The facts of a row besides those of every list of sessions (`store/read/list-facts.ts`), by the names under which they are kept.
 * One more makes a new version of the index by itself; one that is changed or taken away needs a higher `TABLES_VERSION`.
 */
export const ROW_FACTS: Readonly<Record<string, RowFact<unknown>>> = { ownRun: OWN_RUN, tells: TELLS };
