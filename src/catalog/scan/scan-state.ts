import type { FileStamp } from "../../store/files/file-system.ts";
import type { Diagnostic } from "../../store/format/diagnostic.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import type { ParsedLine } from "../../store/read/interpret.ts";
import { emptyFacts, gatherFacts, type ListFacts, listedFields } from "../../store/read/list-facts.ts";
import { lastBelieved, type SessionRow } from "../model/row.ts";
import { ROW_FACTS } from "./row-facts.ts";

/** What was gathered from one session file up to the end of a line; a later scan can continue from it. */
export interface ScanState extends ListFacts {
	/** Of the first byte not yet gathered, just after a `\n`. */
	offset: number;
	lines: number;
	/** The headers and, if that is not a header, the first usable line: enough to report their oddities. */
	leading: ParsedLine[];
	diagnostics: Diagnostic[];
	/** What is kept of the `ROW_FACTS`, by name. */
	kept: Readonly<Record<string, unknown>>;
}

const FACTS = Object.entries(ROW_FACTS);

/** More than repeated forks leave behind; limits files that consist of headers only. */
const MAX_HEADERS = 100;

export function emptyState(): ScanState {
	return { ...emptyFacts(), offset: 0, lines: 0, leading: [], diagnostics: [], kept: {} };
}

export function gatherEntry(state: ScanState, entry: RawEntry): void {
	gatherFacts(state, entry);
	for (const [name, fact] of FACTS) {
		const value = fact.add(state.kept[name], entry, state);
		// Copied, because states share it: of a file before and after its unfinished last line.
		if (value !== state.kept[name]) state.kept = { ...state.kept, [name]: value };
	}
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

export function scannedRow(
	path: string,
	state: ScanState,
	{ size, mtimeMs }: Pick<FileStamp, "size" | "mtimeMs">,
	diagnostics: readonly Diagnostic[],
): SessionRow {
	let row: SessionRow = { path, ...listedFields(state, mtimeMs), ...aheadTime(state, mtimeMs), size, diagnostics };
	for (const [name, fact] of FACTS) {
		const value = state.kept[name];
		if (value !== undefined) row = { ...row, ...fact.fields(value, path) };
	}
	return row;
}

/** A time that is still to come is not believed: the session would be the newest one until then. */
function aheadTime({ activity }: ScanState, mtimeMs: number): Pick<SessionRow, "modified" | "aheadMs"> | undefined {
	const now = Date.now();
	if (activity <= lastBelieved(now)) return undefined;
	return { modified: new Date(Math.round(Math.min(mtimeMs, now))), aheadMs: activity };
}
