import type { Terminal } from "./terminal.ts";

/** Why the process must end although the person did not quit. */
export interface Exit {
	/** Exit code: 128 + number of the signal, or that of a bug. */
	readonly code: number;
	/** What was thrown; undefined for a signal. */
	readonly error?: unknown;
}

const HANGUP = 129;

/** Exit code after an error that nobody foresaw (EX_SOFTWARE of `sysexits.h`): it must not look like an answer. */
export const BUG_CODE = 70;

/** Exit codes of the signals that end a process: 128 plus the signal's number, as in a shell. */
export const SIGNAL_CODES: ReadonlyMap<NodeJS.Signals, number> = new Map([
	["SIGHUP", HANGUP],
	["SIGINT", 130],
	["SIGTERM", 143],
]);

/** In effect while another program has the terminal. */
interface Hold {
	/** Whether we are to end. */
	readonly ends: boolean;
	readonly ending: Promise<void>;
	release(): void;
}

/** Listens for signals, a lost terminal and uncaught errors. */
export interface ExitWatch {
	/** Resolves with the first of these. */
	readonly exit: Promise<Exit>;
	/** Delays the end of the process until the hold is released, since another program has the terminal. */
	hold(): Hold;
	/** While another program has the terminal, its Ctrl+C is not for us. */
	ignoreInterrupt(ignore: boolean): void;
	end(why: Exit): void;
	stop(): void;
}

/**
 * Catches the signals that end a process, the loss of the terminal, and errors that nothing else caught, so that the
 * terminal can be restored before the process ends.
 */
export function watchExit({ input, output }: Pick<Terminal, "input" | "output">): ExitWatch {
	const { promise, resolve } = Promise.withResolvers<Exit>();
	let isInterruptIgnored = false;
	let held: PromiseWithResolvers<void> | undefined;
	/** The first reason to end that came during a hold. */
	let first: Exit | undefined;
	const end = (why: Exit): void => {
		if (held === undefined) resolve(why);
		else first ??= why;
		held?.resolve();
	};
	const onSignal = (signal: NodeJS.Signals): void => {
		if (signal !== "SIGINT" || !isInterruptIgnored) end({ code: SIGNAL_CODES.get(signal) ?? 1 });
	};
	const onError = (error: unknown): void => end({ code: BUG_CODE, error });
	const onHangup = (): void => end({ code: HANGUP });
	for (const signal of SIGNAL_CODES.keys()) process.on(signal, onSignal);
	process.on("uncaughtException", onError);
	process.on("unhandledRejection", onError);
	output.on("error", onHangup);
	input.on("error", onHangup);
	return {
		exit: promise,
		hold: () => {
			const mine = Promise.withResolvers<void>();
			held = mine;
			return {
				get ends() {
					return first !== undefined;
				},
				ending: mine.promise,
				release: () => {
					held = undefined;
					if (first !== undefined) resolve(first);
				},
			};
		},
		ignoreInterrupt: (ignore) => {
			isInterruptIgnored = ignore;
		},
		end,
		stop: () => {
			for (const signal of SIGNAL_CODES.keys()) process.off(signal, onSignal);
			process.off("uncaughtException", onError);
			process.off("unhandledRejection", onError);
			output.off("error", onHangup);
			input.off("error", onHangup);
		},
	};
}
