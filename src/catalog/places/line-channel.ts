import type { Readable } from "node:stream";

const NEWLINE = 0x0a;

/**
 * Calls `onLine` for each line of a stream, without its end, and `onTooLong` once if a line has more than `most` bytes; then nothing
 * more is read. Memory is bounded by `most` and the size of a chunk.
 */
export function readLines(
	stream: Readable,
	most: number,
	{ onLine, onTooLong }: { readonly onLine: (line: string) => void; readonly onTooLong: () => void },
): void {
	let parts: Buffer[] = [];
	let held = 0;
	const hold = (part: Buffer): boolean => {
		if (held + part.length > most) {
			stream.off("data", read);
			stream.destroy();
			onTooLong();
			return false;
		}
		parts.push(part);
		held += part.length;
		return true;
	};
	const read = (chunk: Buffer): void => {
		let start = 0;
		for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
			if (!hold(chunk.subarray(start, end))) return;
			const line = Buffer.concat(parts).toString("utf8");
			[parts, held, start] = [[], 0, end + 1];
			onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
		}
		if (start < chunk.length) hold(chunk.subarray(start));
	};
	stream.on("data", read);
}
