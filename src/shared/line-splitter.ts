const NEWLINE = 0x0a;

/**
 * Returns what takes the chunks of a stream, and calls `onLine` for each line in them, without its end. A line of more than `most` bytes
 * calls `onTooLong`, once; what follows is ignored. Memory is bounded by `most` and the size of a chunk.
 */
export function lineSplitter(
	most: number,
	onLine: (line: string) => void,
	onTooLong: () => void,
): (chunk: Buffer) => void {
	let parts: Buffer[] = [];
	let held = 0;
	let isOver = false;
	const hold = (part: Buffer): void => {
		held += part.length;
		isOver = held > most;
		if (isOver) onTooLong();
		else parts.push(part);
	};
	return (chunk) => {
		let start = 0;
		for (let end = chunk.indexOf(NEWLINE); end !== -1 && !isOver; end = chunk.indexOf(NEWLINE, start)) {
			hold(chunk.subarray(start, end));
			if (isOver) return;
			const line = Buffer.concat(parts).toString("utf8");
			[parts, held, start] = [[], 0, end + 1];
			onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
		}
		if (start < chunk.length && !isOver) hold(chunk.subarray(start));
	};
}
