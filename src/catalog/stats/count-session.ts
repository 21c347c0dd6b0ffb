import { fstatSync } from "node:fs";
import type { Steps } from "../../shared/steps.ts";
import type { OpenFile } from "../../store/files/open-file.ts";
import { type Diagnostic, DiagnosticList } from "../../store/format/diagnostic.ts";
import { parseLine } from "../../store/format/parse.ts";
import { rawLine, readLineAt, readLinesSteps } from "../../store/read/line-reader.ts";
import { continueChecksum, NO_BYTES } from "../scan/fingerprint.ts";
import { isUnchanged, type ScanStamp, scanStampOf } from "../scan/scan-stamp.ts";
import type { FileChecksum } from "./numbers-table.ts";
import { SessionTally, type StoredNumbers, type TallyOptions } from "./session-tally.ts";

/** Buffer size for reading single lines again. */
const SHORT_LINE_BYTES = 64 * 1024;

interface CountOptions extends TallyOptions {
	/** The file as it is listed. */
	readonly listed: Pick<ScanStamp, "size" | "mtimeMs">;
	readonly file: OpenFile;
	readonly buffer: Buffer;
}

interface CountedSession {
	readonly stored: StoredNumbers;
	/** All oddities; undefined if the file is not as it is listed, or the session is very large. */
	readonly diagnostics: readonly Diagnostic[] | undefined;
	/** Of all bytes, with the state of the file that they are of; undefined if it was changed meanwhile. */
	readonly summed: FileChecksum | undefined;
}

/**
 * Counts one session, in steps because a large one takes seconds. The file is read up to its listed size; what was appended since is
 * counted once the list has it too.
 */
export function* countSession({ listed, file, buffer, ...options }: CountOptions): Steps<CountedSession> {
	const { fd, stats } = file;
	const tally = new SessionTally(options);
	let checksum = NO_BYTES;
	yield* readLinesSteps(fd, {
		from: 0,
		to: Math.min(stats.size, listed.size),
		buffer,
		onLine(line) {
			tally.add(line);
			return true;
		},
		onBytes(bytes, position) {
			checksum = continueChecksum(checksum, bytes, position);
		},
	});
	const { size, mtimeMs } = stats;
	const isListed = size === listed.size && mtimeMs === listed.mtimeMs;
	const diagnostics = isListed ? yield* tally.check.finish(size) : undefined;
	const lineBuffer = buffer.subarray(0, SHORT_LINE_BYTES);
	const stored = tally.finish((offset) =>
		readLineAt(fd, offset, lineBuffer, (line) => parseLine(rawLine(line, 1), new DiagnosticList())),
	);
	const { bytes, crc } = checksum;
	const isSummed = crc !== undefined && bytes === size && isUnchanged(stats, fstatSync(fd));
	return { stored, diagnostics, summed: isSummed ? { ...scanStampOf(stats), crc } : undefined };
}
