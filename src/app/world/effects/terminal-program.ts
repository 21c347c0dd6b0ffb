/** A program that gets the terminal until it ends. */
export interface TerminalProgram {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
	/**
	 * The session that pi is started with: other windows learn that it is in use, the browser rests meanwhile, and what pi
	 * prints when it fails stays until the person has read it.
	 */
	readonly session?: string;
}

/** How it ended: its exit code, and whether the browser leaves with it; or why it could not be started. */
export type ProgramEnd = { readonly code: number; readonly leaves?: true } | { readonly failure: string };

/** Lends the terminal to a program; resolves to undefined, with nothing started, if it is already lent or cannot be. */
export type LendTerminal = (program: TerminalProgram) => Promise<ProgramEnd | undefined>;
