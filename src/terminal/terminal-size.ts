import type { WriteStream } from "node:tty";

/** What a terminal that does not say its size is taken for: the size that terminals begin with. */
const ASSUMED = { columns: 80, rows: 24 } as const;

/** The size of a terminal in cells, each at least 1. */
export interface TerminalSize {
	readonly columns: number;
	readonly rows: number;
	/** The terminal did not say all of it. */
	readonly isAssumed: boolean;
}

/** A stream of a terminal, or one that is none; Node leaves the size out of the latter. */
type Output = Partial<Pick<WriteStream, "isTTY" | "columns" | "rows">>;

/**
 * The size of a terminal. A pseudo-terminal that nobody has told its size (of CI, `docker run -t`, `ssh -tt`, a serial line)
 * says 0: that means unknown, and nothing can be drawn in 0 columns. This is the only place that reads it.
 */
export function terminalSize({ columns, rows }: Output): TerminalSize {
	return {
		columns: columns || ASSUMED.columns,
		rows: rows || ASSUMED.rows,
		isAssumed: !columns || !rows,
	};
}

/** The columns of a stream that is a terminal; undefined where it is none, and its reader is another program. */
export function columnsOf(stream: Output): number | undefined {
	return stream.isTTY ? terminalSize(stream).columns : undefined;
}
