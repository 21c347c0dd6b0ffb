import { closeSync, statSync } from "node:fs";
import { runToEnd } from "../../shared/steps.ts";
import { openFile, readBytes } from "../../store/files/open-file.ts";
import { storeError } from "../../store/files/store-error.ts";
import { type Diagnostic, DiagnosticList } from "../../store/format/diagnostic.ts";
import { FILE_FORMS } from "../../store/format/file-form.ts";
import { MAX_LINE_BYTES, parseLine } from "../../store/format/parse.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import { interpretSteps } from "../../store/read/interpret.ts";
import { type FileLine, HEAD_BYTES, rawLine, readLinesSteps } from "../../store/read/line-reader.ts";
import { gatherActivity } from "../../store/read/list-facts.ts";
import type { SessionRow } from "../model/row.ts";
import {
	type Checksum,
	continueChecksum,
	type Fingerprint,
	fingerprintOf,
	NO_BYTES,
	NO_CHECKSUM,
	verify,
} from "./fingerprint.ts";
import { NO_SCAN_STAMP, type ScanStamp, scanStampOf, UNVERIFIED } from "./scan-stamp.ts";
import { emptyState, gatherEntry, type ScanState, scannedRow } from "./scan-state.ts";
import { isNeededWhole, sniff } from "./sniff.ts";

/** The result of reading a session file; its fingerprint is of all bytes read by this scan and earlier ones. */
export interface Scan extends Fingerprint {
	readonly row: SessionRow;
	/** Where to continue when the file has grown; undefined if the file could not be read. */
	readonly state: ScanState | undefined;
	/** Unverified if the next comparison must read the file again: it could not be read, or only its ends were compared. */
	readonly stamp: ScanStamp;
	/** Whether the file was read from its first byte, because it is new or was changed other than by appending. */
	readonly isWhole: boolean;
	/** Whether it begins as it did when it was read before, as far as its ends tell. */
	readonly hasGrown: boolean;
}

interface EarlierScan extends Fingerprint, Pick<Scan, "state"> {
	/** Whether comparing only the ends of what was read suffices for now. @default false */
	readonly hasty?: boolean;
}

/** For a file that was not read before and will grow: its bytes are summed from the first one on. */
export const NOT_SCANNED: EarlierScan = { state: undefined, fingerprint: "", crc: undefined };

/**
 * Reads what the list shows of one session file; given an earlier scan, and if the file still begins with all the bytes
 * read then, only the appended part. Without one, no checksum of the bytes is computed: most sessions never grow again. Never
 * throws because of the file's content; a file that cannot be read is a row with an `unreadable` diagnostic. Synchronous: for a
 * worker thread. `beside` gets each line as well (of a long one only its ends), so that other facts need no second reading.
 */
export function scanFile(
	path: string,
	earlier?: EarlierScan,
	buffer?: Buffer,
	beside?: (line: FileLine) => void,
): Scan {
	try {
		const { fd, stats } = openFile(path);
		try {
			const { state, hasty } = earlier ?? {};
			const verified = earlier && state ? verify(fd, stats.size, earlier, { hasty, buffer }) : undefined;
			const checked =
				verified === "unverified" || (state && mustReadAgain(fd, state, stats.size)) ? undefined : verified;
			const from = checked && state ? state : emptyState();
			const gathered = gatherFile(
				{ path, fd, size: stats.size, mtimeMs: stats.mtimeMs },
				from,
				buffer,
				beside,
				checked ?? (earlier ? NO_BYTES : NO_CHECKSUM),
			);
			const stamp = scanStampOf(stats);
			return {
				row: gathered.row,
				state: gathered.state,
				...fingerprintOf(fd, gathered.checksum),
				stamp: checked && hasty ? { ...stamp, ctimeMs: UNVERIFIED } : stamp,
				isWhole: !checked,
				hasGrown: verified !== undefined,
			};
		} finally {
			closeSync(fd);
		}
	} catch (error) {
		return unreadable(path, error);
	}
}

/** The time of an entry in its first bytes, however the program writes JSON that appended it. */
const TIME = /^.{0,300}?"timestamp": ?"([^"]{1,40})"/;

/**
 * Whether appended lines must be read together with those before them: the first one is not known to be later than the last message, so
 * it may repeat an earlier line; or the file is in a form in which no line is an entry.
 */
function mustReadAgain(fd: number, { offset, activity, messageCount, diagnostics }: ScanState, size: number): boolean {
	if (offset >= size) return false;
	if (hasForm(diagnostics)) return true;
	if (messageCount === 0) return false;
	const head = readBytes(fd, offset, Math.min(HEAD_BYTES, size - offset)).toString("latin1");
	return !(timeOf(TIME.exec(head)?.[1]) > activity);
}

/** Whether the file is in a form in which no line is an entry. */
function hasForm(diagnostics: readonly Diagnostic[]): boolean {
	return diagnostics.some(({ code }) => FILE_FORMS.some((form) => form === code));
}

function unreadable(path: string, error: unknown): Scan {
	const { message } = storeError(path, "read the session", error);
	const stamp = { ...statOf(path), ctimeMs: UNVERIFIED };
	const diagnostics: Diagnostic[] = [{ code: "unreadable", severity: "damage", message }];
	return {
		row: scannedRow(path, emptyState(), stamp, diagnostics),
		state: undefined,
		fingerprint: "",
		crc: undefined,
		stamp,
		isWhole: true,
		hasGrown: false,
	};
}

function statOf(path: string): ScanStamp {
	try {
		return scanStampOf(statSync(path));
	} catch {
		// The reason has been reported already.
		return NO_SCAN_STAMP;
	}
}

interface ScannedFile {
	readonly path: string;
	readonly fd: number;
	/** At the time of opening; what is appended later is left for the next scan. */
	readonly size: number;
	readonly mtimeMs: number;
}

function gatherFile(
	{ path, fd, ...stamp }: ScannedFile,
	earlier: ScanState,
	buffer: Buffer | undefined,
	beside: ((line: FileLine) => void) | undefined,
	start: Checksum,
) {
	const state: ScanState = { ...earlier };
	let checksum = start;
	const diagnostics = new DiagnosticList();
	let tail: ScanState | undefined;
	let settled: readonly Diagnostic[] | undefined;
	const onLine = (line: FileLine) => {
		beside?.(line);
		if (line.terminated) {
			gatherLine(state, line, diagnostics, fd);
			state.offset = line.next;
			return true;
		}
		// An unfinished line may yet change: it shows in the row, but the next scan reads it again.
		settled = diagnostics.toArray();
		tail = { ...state };
		gatherLine(tail, line, diagnostics, fd);
		return true;
	};
	const onBytes = (bytes: Buffer, position: number) => {
		checksum = continueChecksum(checksum, bytes, position);
	};
	const span = { from: state.offset, to: stamp.size };
	runToEnd(readLinesSteps(fd, { ...span, wanted: isNeededWhole, onLine, onBytes, ...(buffer ? { buffer } : {}) }));
	const newDiagnostics = diagnostics.toArray();
	state.diagnostics = [...earlier.diagnostics, ...(settled ?? newDiagnostics)];
	const shownState = tail ?? state;
	const lines = [...earlier.diagnostics, ...newDiagnostics];
	const isForm = hasForm(lines);
	const whole = fileDiagnostics(shownState, stamp.size).filter(({ code }) => !isForm || code !== "not-a-session");
	const all = [...whole, ...lines];
	return {
		state,
		checksum,
		row: scannedRow(
			path,
			shownState,
			stamp,
			all.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
		),
	};
}

/** The state for a next scan after every line was parsed, with all diagnostics. */
export function completeState(state: ScanState, diagnostics: readonly Diagnostic[]): ScanState {
	const aboutFile = new Set(fileDiagnostics(state, 0).map((diagnostic) => JSON.stringify(diagnostic)));
	const settled = diagnostics.filter(
		(diagnostic) => (diagnostic.line ?? 0) <= state.lines && !aboutFile.has(JSON.stringify(diagnostic)),
	);
	return { ...state, diagnostics: settled };
}

/** Oddities of the header, and of an empty file. */
function fileDiagnostics(state: ScanState, size: number): Diagnostic[] {
	const diagnostics = new DiagnosticList();
	// Copies, because interpreting changes the lines.
	const leading = state.leading.map(({ line, value }) => ({ line, value: { ...value } }));
	runToEnd(interpretSteps(leading, size, diagnostics));
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
