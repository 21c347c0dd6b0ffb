import { createLongWork, type Progress } from "../../../changes/engine/long-work.ts";
import type { ProgramEnd, TerminalAccess, TerminalProgram } from "../../world/effects/capabilities.ts";
import type { Outcome } from "../../world/state/effect.ts";

/** Releases the terminal while `work` runs, and takes it back. */
export type Lend = (work: () => Promise<void>) => Promise<void>;

export interface TerminalOptions {
	/** Writes an escape sequence that draws nothing, for the clipboard. */
	readonly writeTerminal: (text: string) => void;
	/** Starts a program in the terminal and waits for its end. @default there is no terminal to lend */
	readonly runForeground?: (program: TerminalProgram) => Promise<ProgramEnd>;
}

interface ProgramCalls {
	/** Pauses everything else while `work` runs. */
	readonly whileResting: <Result>(work: () => Promise<Result>) => Promise<Result>;
	readonly showProgress: (progress: Progress | undefined) => void;
	readonly leave: (outcome: Outcome) => void;
}

/** The terminal for effects, of a screen that may be suspended and resumed. */
export interface ProgramTerminal extends TerminalAccess {
	/** Sets what draws the whole screen again; undefined: there is no screen. */
	onRedraw(redraw: (() => void) | undefined): void;
	/** Sets the function that gives the terminal back to the shell; undefined: that is impossible. */
	onSuspend(suspend: (() => void) | undefined): void;
	/** Sets the function that lends the terminal to another program; undefined: there is no terminal to lend. */
	onLend(lend: Lend | undefined): void;
	canLend(): boolean;
	/** Stops lending the terminal, and stops work on many sessions. */
	startLeaving(): void;
	/** Resolves once no other program has the terminal. */
	returned(): Promise<unknown>;
}

export function createProgramTerminal(
	{ writeTerminal, runForeground }: TerminalOptions,
	{ whileResting, showProgress, leave }: ProgramCalls,
): ProgramTerminal {
	let redraw: (() => void) | undefined;
	let suspend: (() => void) | undefined;
	let lend: Lend | undefined;
	/** Resolves when the program that has the terminal has ended. */
	let lent: Promise<unknown> | undefined;
	let isLeaving = false;
	const work = createLongWork(showProgress);

	return {
		write: writeTerminal,
		leave,
		work,
		redraw: () => redraw?.(),
		suspend() {
			suspend?.();
			return suspend !== undefined;
		},
		/** Lends it to one program at a time: keys pressed at the same moment may request a second one. */
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
		onRedraw(listener) {
			redraw = listener;
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
			// What was done before can be undone in the next run.
			work.stop();
		},
		returned: async () => lent,
	};
}
