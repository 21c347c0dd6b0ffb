/** One line of a file as bytes, without its `\n`. */
export interface RawLine {
	/** 1-based. */
	readonly number: number;
	/** Bytes of the file before the line. */
	readonly offset: number;
	/** Valid until the next line is read; undefined when the line is too long. */
	readonly bytes: Buffer | undefined;
	/** Of a line that is too long, its first and last bytes. */
	readonly ends?: Buffer;
	/** In bytes, also when `bytes` is undefined. */
	readonly length: number;
	/** False only for a last line without `\n`. */
	readonly terminated: boolean;
}

/** Longer lines are not parsed: `JSON.parse` of one would keep the screen waiting for seconds. In bytes. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
