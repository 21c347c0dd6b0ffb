import { createLongWork, type Progress } from "../../../changes/engine/long-work.ts";
import type { ProgramEnd, Terminal, TerminalProgram } from "../../world/effects/capabilities.ts";
import type { Outcome } from "../../world/state/outcome.ts";

/** Gives the terminal away while `work` is done, and takes it back. */
export type Lend = (work: () => Promise<void>) => Promise<void>;

export interface TerminalOptions {
	/** Writes an escape sequence that draws nothing, for the clipboard. */
	readonly writeTerminal: (text: string) => void;
	/** Starts a program in the terminal and waits for its end; default: there is no terminal to give away. */
	readonly runForeground?: (program: TerminalProgram) => Promise<ProgramEnd>;
}

/** What the terminal asks of the program. */
interface ProgramCalls {
	/** Has everything else rest while `work` is done. */
	readonly whileResting: <Result>(work: () => Promise<Result>) => Promise<Result>;
	readonly showProgress: (progress: Progress | undefined) => void;
	readonly leave: (outcome: Outcome) => void;
}

/** The terminal as effects have it, for a screen that comes and goes. */
export interface ProgramTerminal extends Terminal {
	/** What gives the terminal back to the shell; undefined: nothing can. */
	onSuspend(suspend: (() => void) | undefined): void;
	/** What gives the terminal to another program; undefined: there is none to lend. */
	onLend(lend: Lend | undefined): void;
	canLend(): boolean;
	/** Lends the terminal to no program from now on, and stops work on many sessions. */
	startLeaving(): void;
	/** Resolves when no other program has the terminal. */
	returned(): Promise<unknown>;
}

export function createProgramTerminal(
	{ writeTerminal, runForeground }: TerminalOptions,
	{ whileResting, showProgress, leave }: ProgramCalls,
): ProgramTerminal {
	let suspend: (() => void) | undefined;
	let lend: Lend | undefined;
	/** Resolves when the program to which the terminal is lent has ended. */
	let lent: Promise<unknown> | undefined;
	let isLeaving = false;
	const work = createLongWork(showProgress);

	return {
		write: writeTerminal,
		leave,
		work,
		suspend() {
			suspend?.();
			return suspend !== undefined;
		},
		/** One program at a time gets it: keys that were pressed in the same moment ask for a second one. */
		async lend(program) {
			if (lent !== undefined || isLeaving || lend === undefined || runForeground === undefined) return undefined;
			let end: ProgramEnd | undefined;
			try {
				lent = lend(async () => {
					if (program.session === undefined) end = await runForeground(program);
					else end = await whileResting(() => runForeground(program));
				});
				await lent;
				return end;
			} finally {
				lent = undefined;
			}
		},
		onSuspend(listener) {
			suspend = listener;
		},
		onLend(listener) {
			lend = listener;
		},
		canLend: () => lend !== undefined && runForeground !== undefined,
		startLeaving() {
			isLeaving = true;
			// What has been done until then can be undone in the next run.
			work.stop();
		},
		returned: async () => lent,
	};
}
