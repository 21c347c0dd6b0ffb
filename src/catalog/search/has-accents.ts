import { isAscii } from "node:buffer";
import { closeSync, readSync } from "node:fs";
import type { Steps } from "../../shared/steps.ts";
import { openFile } from "../../store/files/open-file.ts";

/** Bytes that are read at once. */
const CHUNK_BYTES = 256 * 1024;
/** Bytes that are looked at more closely, where one of them is not ASCII. */
const PIECE_BYTES = 8 * 1024;
/** A letter may begin before a chunk: as many bytes as any has. */
const OVERLAP = 4;

/** Such letters and accents in UTF-8; a few others, too. */
const LETTER = /[\xc3-\xc9\xcc-\xd4]|\xe1[\xb8-\xbf]|\xe2\x84[\xa6-\xab]/;

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
	for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
		const piece = chunk.subarray(Math.max(0, from - OVERLAP), from + PIECE_BYTES);
		if (!isAscii(piece) && LETTER.test(piece.toString("latin1"))) return true;
	}
	return false;
}
