/** A program that gets the terminal until it ends. */
export interface TerminalProgram {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
	/**
	 * The session that a pi gets: other windows are told that it is in use, the browser rests meanwhile, and what pi says
	 * when it ends with an error stays until the person has read it.
	 */
	readonly session?: string;
}

/** How it ended: its exit code, and whether the person wants to leave with that; or why it could not be started. */
export type ProgramEnd = { readonly code: number; readonly leaves?: true } | { readonly failure: string };

/** Lends the terminal to a program; resolves to undefined, with nothing started, where it is lent already or cannot be. */
export type LendTerminal = (program: TerminalProgram) => Promise<ProgramEnd | undefined>;
