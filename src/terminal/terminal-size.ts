import type { WriteStream } from "node:tty";

/** The size assumed for a terminal that does not report one: the default of most terminals. */
const ASSUMED = { columns: 80, rows: 24 } as const;

/** The size of a terminal in cells, each at least 1. */
export interface TerminalSize {
	readonly columns: number;
	readonly rows: number;
	/** Whether the terminal did not report both. */
	readonly isAssumed: boolean;
}

/** Any output stream; only those of a terminal have a size. */
type Output = Partial<Pick<WriteStream, "isTTY" | "columns" | "rows">>;

/**
 * The size of a terminal. A pseudo-terminal whose size was never set (CI, `docker run -t`, `ssh -tt`, a serial line) reports
 * 0, which means unknown: nothing can be drawn in 0 columns. No other code reads the size.
 */
export function terminalSize({ columns, rows }: Output): TerminalSize {
	return {
		columns: columns || ASSUMED.columns,
		rows: rows || ASSUMED.rows,
		isAssumed: !columns || !rows,
	};
}

/** The columns of a terminal; undefined for other streams. */
export function columnsOf(stream: Output): number | undefined {
	return stream.isTTY ? terminalSize(stream).columns : undefined;
}
