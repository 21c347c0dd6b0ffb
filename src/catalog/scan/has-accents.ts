import { isAscii } from "node:buffer";
import { closeSync, readSync } from "node:fs";
import type { Steps } from "../../shared/steps.ts";
import { openFile } from "../../store/files/open-file.ts";
import type { FileLine } from "../../store/read/line-reader.ts";
import { HIDDEN_BYTES } from "../query/hidden.ts";

/** Bytes read at a time. */
const CHUNK_BYTES = 256 * 1024;
/** Bytes examined at a time, if one of them is not ASCII. */
const PIECE_BYTES = 8 * 1024;
/** A letter, or a character and what does not show behind it, may begin before a chunk; none has more bytes. */
const OVERLAP = 8;

/** Bytes needed to recognize an escape. */
const ESCAPED_BYTES = 5;

/**
 * Accented letters and accents in UTF-8, and what does not show (src/catalog/query/hidden.ts) behind ASCII, dashes or quotes; also
 * matches a few others.
 */
const LETTER = new RegExp(
	String.raw`[\xc3-\xc9\xcc-\xd4]|\xe1[\xb8-\xbf]|\xe2\x84[\xa6-\xab]|(?:[\x20-\x7e]|\xc2.|\xe2[\x80\x88].)(?:${HIDDEN_BYTES})`,
	"s",
);

/** A letter with an accent, an accent, or what does not show, as an escape. */
export const ESCAPED_ACCENT = String.raw`\\u(?:00[ac-f]|0[1-6]|1[8ef]|2[01]|fe|db)`;

const ESCAPED = new RegExp(ESCAPED_ACCENT, "i");
const ESCAPE = Buffer.from("\\u");

const buffer = Buffer.allocUnsafeSlow(OVERLAP + CHUNK_BYTES);

/**
 * Whether a file may have unescaped Latin letters with accents, Greek or Cyrillic letters, or what does not show within a word or a phrase;
 * in steps. For ASCII, as fast as
 * the file can be read. Throws the system's error if it cannot be read.
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
			// Another file may be examined between two steps, so the kept bytes are read again.
			kept = Math.min(OVERLAP, offset);
			yield;
			readSync(fd, buffer, 0, kept, offset - kept);
		}
	} finally {
		closeSync(fd);
	}
}

function isInChunk(chunk: Buffer): boolean {
	// By far the most chunks are ASCII, and checking that is fast.
	if (isAscii(chunk)) return false;
	return pieces(chunk, OVERLAP).some((piece) => !isAscii(piece) && LETTER.test(piece.toString("latin1")));
}

/** Whether a line may have such letters or accents, raw or escaped. */
export function lineHasAccents({ bytes, start, end, whole }: FileLine): boolean {
	if (!whole) return true;
	const line = bytes.subarray(start, end);
	if (isInChunk(line)) return true;
	const first = line.indexOf(ESCAPE);
	if (first === -1) return false;
	// Shell output is full of escapes that are not letters.
	return pieces(line.subarray(first), ESCAPED_BYTES).some((piece) => ESCAPED.test(piece.toString("latin1")));
}

/** Pieces short enough for a string, each beginning with the last bytes of the previous one. */
function* pieces(bytes: Buffer, overlap: number): Generator<Buffer> {
	for (let from = 0; from < bytes.length; from += PIECE_BYTES)
		yield bytes.subarray(Math.max(0, from - overlap), from + PIECE_BYTES);
}
