import { closeSync, statSync } from "node:fs";
import { runToEnd } from "../../shared/steps.ts";
import { type FileStamp, NO_STAMP, stampOf } from "../../store/files/file-stamp.ts";
import { openFile } from "../../store/files/open-file.ts";
import { storeError } from "../../store/files/store-error.ts";
import type { Diagnostic } from "../../store/format/diagnostic.ts";
import { DiagnosticList } from "../../store/format/diagnostic-list.ts";
import { MAX_LINE_BYTES } from "../../store/format/lines.ts";
import { parseLine } from "../../store/format/parse.ts";
import { interpretSteps } from "../../store/read/interpret.ts";
import { type FileLine, rawLine, readBytes, readLinesSteps } from "../../store/read/line-reader.ts";
import { gatherActivity } from "../../store/read/list-facts.ts";
import type { SessionRow } from "../model/row.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { emptyState, gatherEntry, rowOf, type ScanState } from "./scan-state.ts";
import { sniff, sniffHead } from "./sniff.ts";

/** What one reading of a session file has found. */
export interface Scan {
	readonly row: SessionRow;
	/** Where to continue when the file has grown; undefined when the file could not be read. */
	readonly state: ScanState | undefined;
	/** Of the bytes before `state.offset`; "" when the file could not be read. */
	readonly fingerprint: string;
	readonly stamp: FileStamp;
}

/** A scan, and how it came about. */
interface Reading extends Scan {
	/** Whether what had been read before was still there, so that only the rest was read. */
	readonly continued: boolean;
}

/**
 * Reads what the list shows of one session file; given an earlier scan, and if the file has only grown since, of the part
 * that was appended. Never throws for what the file holds; a file that cannot be read is a row with an `unreadable` diagnostic.
 * Synchronous: for a worker thread. `beside` gets each line as well (of a long one only its ends), so that other facts
 * need no second reading.
 */
export function scanFile(
	path: string,
	earlier?: Pick<Scan, "state" | "fingerprint">,
	buffer?: Buffer,
	beside?: (line: FileLine) => void,
): Reading {
	try {
		const { fd, stats } = openFile(path);
		try {
			const stamp = stampOf(stats);
			const from = earlier?.state && isPrefix(fd, earlier.state, earlier.fingerprint) ? earlier.state : emptyState();
			const gathered = gatherFile(path, fd, stamp, from, buffer, beside);
			const fingerprint = fingerprintOf(fd, gathered.state.offset);
			return { ...gathered, fingerprint, stamp, continued: from.offset > 0 };
		} finally {
			closeSync(fd);
		}
	} catch (error) {
		return unreadable(path, error);
	}
}

/** Whether the file still begins with what was read. */
function isPrefix(fd: number, { offset }: ScanState, fingerprint: string): boolean {
	return fingerprint !== "" && fingerprintOf(fd, offset) === fingerprint;
}

function unreadable(path: string, error: unknown): Reading {
	const { message } = storeError(path, "read the session", error);
	const stamp = stampOf(statSync(path, { throwIfNoEntry: false }) ?? NO_STAMP);
	const diagnostics: Diagnostic[] = [{ code: "unreadable", severity: "damage", message }];
	return {
		row: rowOf(path, emptyState(), stamp, diagnostics),
		state: undefined,
		fingerprint: "",
		stamp,
		continued: false,
	};
}

function gatherFile(
	path: string,
	fd: number,
	stamp: FileStamp,
	earlier: ScanState,
	buffer: Buffer | undefined,
	beside: ((line: FileLine) => void) | undefined,
) {
	const state: ScanState = { ...earlier };
	const diagnostics = new DiagnosticList();
	let tail: ScanState | undefined;
	let settled: readonly Diagnostic[] | undefined;
	const onLine = (line: FileLine) => {
		beside?.(line);
		if (line.terminated) {
			gatherLine(state, line, diagnostics, fd);
			state.offset = line.offset + line.length + 1;
			return true;
		}
		// An unfinished line may yet change: it shows in the row, but the next scan reads it again.
		settled = diagnostics.toArray();
		tail = { ...state };
		gatherLine(tail, line, diagnostics, fd);
		return true;
	};
	const wanted = (head: Buffer) => ["parse", "user"].includes(sniffHead(head, 0));
	runToEnd(readLinesSteps(fd, { from: state.offset, to: stamp.size, wanted, onLine, ...(buffer ? { buffer } : {}) }));
	const found = diagnostics.toArray();
	state.diagnostics = [...earlier.diagnostics, ...(settled ?? found)];
	const shown = tail ?? state;
	const all = [...fileDiagnostics(shown, stamp.size), ...earlier.diagnostics, ...found];
	return {
		state,
		row: rowOf(
			path,
			shown,
			stamp,
			all.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
		),
	};
}

/** A state that was gathered by parsing every line, with all that was found, where the next scan can continue. */
export function completeState(state: ScanState, diagnostics: readonly Diagnostic[]): ScanState {
	const aboutFile = new Set(fileDiagnostics(state, 0).map((diagnostic) => JSON.stringify(diagnostic)));
	const settled = diagnostics.filter(
		(diagnostic) => (diagnostic.line ?? 0) <= state.lines && !aboutFile.has(JSON.stringify(diagnostic)),
	);
	return { ...state, diagnostics: settled };
}

/** What is odd about the header, or that the file has nothing in it. */
function fileDiagnostics(state: ScanState, size: number): Diagnostic[] {
	const diagnostics = new DiagnosticList();
	// Copies, because interpreting takes its lines over.
	const leading = state.leading.map(({ line, value }) => ({ line, value: { ...value } }));
	runToEnd(interpretSteps(leading, size, diagnostics));
	return diagnostics.toArray();
}

function gatherLine(state: ScanState, line: FileLine, diagnostics: DiagnosticList, fd: number): void {
	state.lines += 1;
	let end = line.end;
	if (end > line.start && line.bytes[end - 1] === 0x0d) end -= 1;
	const tooLong = line.length > MAX_LINE_BYTES;
	if (!tooLong && line.utf8 && state.header) {
		const sniffed = sniff(line.bytes, line.start, end, state.firstMessage === "");
		if (sniffed.kind === "skip") return;
		if (sniffed.kind !== "parse") {
			state.messageCount += 1;
			if (sniffed.kind === "activity") gatherActivity(state, sniffed.time);
			return;
		}
	}
	const raw = rawLine(line, state.lines);
	// A long line whose beginning looked as if its ends were enough, but whose end is not as pi writes it.
	const bytes = raw.bytes ?? (tooLong ? undefined : readBytes(fd, line.offset, line.length));
	const entry = parseLine({ ...raw, bytes }, diagnostics);
	if (entry) gatherEntry(state, entry);
}
