import { closeSync, statSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import { runToEnd } from "../../shared/steps.ts";
import { openFile, readBytes } from "../../store/files/open-file.ts";
import { storeError } from "../../store/files/store-error.ts";
import { type Diagnostic, DiagnosticList } from "../../store/format/diagnostic.ts";
import { FILE_FORMS } from "../../store/format/file-form.ts";
import { MAX_LINE_BYTES, parseLine } from "../../store/format/parse.ts";
import { interpretSteps } from "../../store/read/interpret.ts";
import { type FileLine, rawLine, readLinesSteps } from "../../store/read/line-reader.ts";
import { gatherActivity } from "../../store/read/list-facts.ts";
import type { SessionRow } from "../model/row.ts";
import { NO_SCAN_STAMP, type ScanStamp, scanStampOf, UNVERIFIED } from "./scan-stamp.ts";
import { emptyState, gatherEntry, type ScanState, scannedRow } from "./scan-state.ts";
import { isNeededWhole, sniff } from "./sniff.ts";

/** The result of reading a session file. */
export interface Scan {
	readonly row: SessionRow;
	/** Unverified if the file could not be read, so that the next comparison tries again. */
	readonly stamp: ScanStamp;
}

/**
 * Reads what the list shows of one session file. Never throws because of the file's content; a file that cannot be read is a row with
 * an `unreadable` diagnostic. Synchronous: for a worker thread. `beside` gets each line as well (of a long one only its ends), so that
 * other facts need no second reading.
 */
export function scanFile(path: string, buffer?: Buffer, beside?: (line: FileLine) => void): Scan {
	try {
		const { fd, stats } = openFile(path);
		try {
			return { row: gatherFile({ path, fd, ...scanStampOf(stats) }, buffer, beside), stamp: scanStampOf(stats) };
		} finally {
			closeSync(fd);
		}
	} catch (error) {
		const { message } = storeError(path, "read the session", error);
		const stamp = { ...statOf(path), ctimeMs: UNVERIFIED };
		return { row: scannedRow(path, emptyState(), stamp, [{ code: "unreadable", severity: "damage", message }]), stamp };
	}
}

function statOf(path: string): ScanStamp {
	// The reason has been reported already.
	return attempt(() => scanStampOf(statSync(path))) ?? NO_SCAN_STAMP;
}

interface ScannedFile extends ScanStamp {
	readonly path: string;
	readonly fd: number;
}

/** What is appended after the file was opened is left for the next scan. */
function gatherFile(
	{ path, fd, ...stamp }: ScannedFile,
	buffer: Buffer | undefined,
	beside: ((line: FileLine) => void) | undefined,
): SessionRow {
	const state = emptyState();
	const diagnostics = new DiagnosticList();
	const onLine = (line: FileLine) => {
		beside?.(line);
		gatherLine(state, line, diagnostics, fd);
		return true;
	};
	runToEnd(readLinesSteps(fd, { to: stamp.size, wanted: isNeededWhole, onLine, ...(buffer ? { buffer } : {}) }));
	const isForm = diagnostics.has(FILE_FORMS);
	const whole = fileDiagnostics(state, stamp.size).filter(({ code }) => !isForm || code !== "not-a-session");
	const all = [...whole, ...diagnostics.toArray()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
	return scannedRow(path, state, stamp, all);
}

/** Oddities of the header, and of an empty file. */
function fileDiagnostics(state: ScanState, size: number): Diagnostic[] {
	const diagnostics = new DiagnosticList();
	runToEnd(interpretSteps(state.leading, size, diagnostics));
	return diagnostics.toArray();
}

function gatherLine(state: ScanState, line: FileLine, diagnostics: DiagnosticList, fd: number): void {
	state.lines += 1;
	let end = line.end;
	if (end > line.start && line.bytes[end - 1] === 0x0d) end -= 1;
	const tooLong = line.length > MAX_LINE_BYTES;
	if (!tooLong && line.utf8 && state.header && !line.isGlued && !line.isRepeated) {
		const sniffed = sniff(line.bytes, line.start, end, state);
		if (sniffed.kind === "skip") return;
		if (sniffed.kind !== "parse") {
			state.messageCount += 1;
			if (sniffed.kind === "activity") gatherActivity(state, sniffed.time);
			return;
		}
	}
	const raw = rawLine(line, state.lines);
	// A long line whose beginning suggested that its ends suffice, but whose end is not in pi's form.
	const bytes = raw.bytes ?? (tooLong ? undefined : readBytes(fd, line.offset, line.length));
	const entry = parseLine({ ...raw, bytes }, diagnostics);
	if (entry) gatherEntry(state, entry);
}
