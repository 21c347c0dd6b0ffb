import type { FileStamp } from "../../store/files/file-system.ts";
import type { Diagnostic } from "../../store/format/diagnostic.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import type { ParsedLine } from "../../store/read/interpret.ts";
import { emptyFacts, fieldsOf, gatherFacts, type ListFacts } from "../../store/read/list-facts.ts";
import type { SessionRow } from "../model/row.ts";

/** What was gathered from one session file up to the end of a line; a later scan can continue from it. */
export interface ScanState extends ListFacts {
	/** Of the first byte not yet gathered, just after a `\n`. */
	offset: number;
	/** Number of lines gathered. */
	lines: number;
	/** The headers and, if that is not a header, the first usable line: enough to report their oddities. */
	leading: ParsedLine[];
	diagnostics: Diagnostic[];
}

/** More than repeated forks leave behind; limits files that consist of headers only. */
const MAX_HEADERS = 100;

/** The state before the first line. */
export function emptyState(): ScanState {
	return { ...emptyFacts(), offset: 0, lines: 0, leading: [], diagnostics: [] };
}

/** Adds one parsed line. */
export function gatherEntry(state: ScanState, entry: RawEntry): void {
	gatherFacts(state, entry);
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

/** The list's row for what was gathered. */
export function rowOf(
	path: string,
	state: ScanState,
	{ size, mtimeMs }: Pick<FileStamp, "size" | "mtimeMs">,
	diagnostics: readonly Diagnostic[],
): SessionRow {
	return { path, ...fieldsOf(state, mtimeMs), size, diagnostics };
}
