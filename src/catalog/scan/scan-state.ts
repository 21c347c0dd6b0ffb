import type { FileStamp } from "../../store/files/file-system.ts";
import type { Diagnostic } from "../../store/format/diagnostic.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import type { ParsedLine } from "../../store/read/interpret.ts";
import { emptyFacts, fieldsOf, gatherFacts, type ListFacts } from "../../store/read/list-facts.ts";
import { sessionFilesIn } from "../families/named-files.ts";
import { type OwnRun, ownRunIn } from "../families/own-run.ts";
import { fileName, lastBelieved, type SessionRow } from "../model/row.ts";
import { originsOf } from "../model/run-place.ts";

/** What was gathered from one session file up to the end of a line; a later scan can continue from it. */
export interface ScanState extends ListFacts {
	/** Of the first byte not yet gathered, just after a `\n`. */
	offset: number;
	lines: number;
	/** The headers and, if that is not a header, the first usable line: enough to report their oddities. */
	leading: ParsedLine[];
	diagnostics: Diagnostic[];
	/** What the first entry about it says of the run whose session it is. */
	ownRun?: OwnRun | undefined;
	/** The sessions above the files of its runs, as those name them, "" for none; two suffice to know that one is another. */
	parents?: readonly string[];
}

/** More than repeated forks leave behind; limits files that consist of headers only. */
const MAX_HEADERS = 100;

/** The state before the first line. */
export function emptyState(): ScanState {
	return { ...emptyFacts(), offset: 0, lines: 0, leading: [], diagnostics: [] };
}

export function gatherEntry(state: ScanState, entry: RawEntry): void {
	gatherFacts(state, entry);
	state.ownRun ??= ownRunIn(entry, state.header?.time);
	const parents = new Set(sessionFilesIn(entry).map((file) => originsOf(file, undefined)[0] ?? ""));
	if (parents.size > 0) state.parents = [...new Set([...(state.parents ?? []), ...parents])].slice(0, 2);
	const isHeader = entry.type === "session";
	if (isHeader ? state.leading.length >= MAX_HEADERS : state.leading.length > 0) return;
	const value = isHeader ? headerFields(entry) : { type: "other", id: "", parentId: null, timestamp: "" };
	state.leading = [...state.leading, { line: state.lines, value }];
}

/** Only the fields that are checked: the rest of a header may be of any size, and so may nested values. */
function headerFields({ type, version, id, timestamp, cwd }: RawEntry): RawEntry {
	return { type, version: plain(version), id: plain(id), timestamp: plain(timestamp), cwd: plain(cwd) };
}

/** A value without its content: only its type is checked, and it is stored and passed to other threads. */
function plain(value: unknown): unknown {
	if (typeof value !== "object" || value === null) return value;
	return Array.isArray(value) ? [] : {};
}

export function rowOf(
	path: string,
	state: ScanState,
	{ size, mtimeMs }: Pick<FileStamp, "size" | "mtimeMs">,
	diagnostics: readonly Diagnostic[],
): SessionRow {
	const { ownRun, parents = [] } = state;
	// A family may have been moved or copied: then it names the same files in another directory.
	const tells = parents.some((parent) => fileName(parent) !== fileName(path));
	const more = { ...(ownRun && { ownRun }), ...(tells && ({ tells } as const)) };
	return { path, ...fieldsOf(state, mtimeMs), ...aheadTime(state, mtimeMs), size, diagnostics, ...more };
}

/** A time that is still to come is not believed: the session would be the newest one until then. */
function aheadTime({ activity }: ScanState, mtimeMs: number): Pick<SessionRow, "modified" | "aheadMs"> | undefined {
	const now = Date.now();
	if (activity <= lastBelieved(now)) return undefined;
	return { modified: new Date(Math.round(Math.min(mtimeMs, now))), aheadMs: activity };
}
