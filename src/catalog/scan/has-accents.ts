import { isAscii } from "node:buffer";
import { closeSync, readSync } from "node:fs";
import type { Steps } from "../../shared/steps.ts";
import { openFile } from "../../store/files/open-file.ts";
import type { FileLine } from "../../store/read/line-reader.ts";

/** Bytes that are read at once. */
const CHUNK_BYTES = 256 * 1024;
/** Bytes that are looked at more closely, where one of them is not ASCII. */
const PIECE_BYTES = 8 * 1024;
/** A letter may begin before a chunk: as many bytes as any has. */
const OVERLAP = 4;

/** As many bytes as are needed to tell what an escape is. */
const ESCAPED_BYTES = 5;

/** Such letters and accents in UTF-8; a few others, too. */
const LETTER = /[\xc3-\xc9\xcc-\xd4]|\xe1[\xb8-\xbf]|\xe2\x84[\xa6-\xab]/;

/** A letter with an accent, or an accent, as an escape. */
export const ESCAPED_ACCENT = String.raw`\\u(?:00[c-f]|0[1-5]|1[ef]|21)`;

const ESCAPED = new RegExp(ESCAPED_ACCENT, "i");
const ESCAPE = Buffer.from("\\u");

const buffer = Buffer.allocUnsafeSlow(OVERLAP + CHUNK_BYTES);

/**
 * Whether a file may have Latin letters with accents, or Greek or Cyrillic letters, that are not escaped; in steps. As fast as
 * the file can be read, where it is ASCII. Throws the system's error for one that cannot be read.
 */
export function* hasAccents(path: string): Steps<boolean> {
	const { fd } = openFile(path);
	try {
		let kept = 0;
		for (let offset = 0; ; ) {
			const read = readSync(fd, buffer, kept, CHUNK_BYTES, offset);
			if (read === 0) return false;
			const chunk = buffer.subarray(0, kept + read);
			if (isInChunk(chunk)) return true;
			offset += read;
			// Another file may be looked at between two steps: what is kept is read again.
			kept = Math.min(OVERLAP, offset);
			yield;
			readSync(fd, buffer, 0, kept, offset - kept);
		}
	} finally {
		closeSync(fd);
	}
}

function isInChunk(chunk: Buffer): boolean {
	// By far the most are, and that is seen at once.
	if (isAscii(chunk)) return false;
	return pieces(chunk, OVERLAP).some((piece) => !isAscii(piece) && LETTER.test(piece.toString("latin1")));
}

/** Whether a line may have such letters or accents, as they are or escaped. */
export function lineHasAccents({ bytes, start, end, whole }: FileLine): boolean {
	if (!whole) return true;
	const line = bytes.subarray(start, end);
	if (isInChunk(line)) return true;
	const first = line.indexOf(ESCAPE);
	if (first === -1) return false;
	// Shell output is full of escapes that are no letters.
	return pieces(line.subarray(first), ESCAPED_BYTES).some((piece) => ESCAPED.test(piece.toString("latin1")));
}

/** Pieces that are not too long for a string, each with the last bytes of the one before it. */
function* pieces(bytes: Buffer, overlap: number): Generator<Buffer> {
	for (let from = 0; from < bytes.length; from += PIECE_BYTES)
		yield bytes.subarray(Math.max(0, from - overlap), from + PIECE_BYTES);
}
