import type { ProgramEnd, TerminalProgram } from "../../app/world/effects/terminal-program.ts";
import type { ExitWatch } from "../../terminal/exit-signals.ts";
import { dropTyped } from "../../terminal/keyboard.ts";
import { nextTurn, repairTerminal, saveTerminal } from "../../terminal/restore-terminal.ts";
import { runForeground } from "../../terminal/run-foreground.ts";
import { isInterrupt, stdioOf, type Terminal, waitForKey } from "../../terminal/terminal.ts";
import { giveMemoryBack } from "../find/heap-flags.ts";
import { noteStart } from "./finish.ts";

/** A signal for a program that has just ended may arrive this much later, in milliseconds. */
const LATE_MS = 300;

/** When pi has started, there is time to collect garbage, in milliseconds. */
const RESTING_MS = 2000;

/** What running a program needs besides that. */
interface Running {
	readonly terminal: Terminal;
	readonly watch: ExitWatch;
	readonly stateDir: string;
}

/** Runs a program in the terminal that the browser has given away for it. What ends us meanwhile waits for its end. */
export async function runInTerminal(
	program: TerminalProgram,
	{ terminal, watch, stateDir }: Running,
): Promise<ProgramEnd> {
	const { session } = program;
	// Noted before pi runs, for this process: another browser must not delete the session in between.
	const onStarted = session === undefined ? undefined : noteStart(stateDir, session, process.pid);
	let failure: string | undefined;
	const hold = watch.hold();
	watch.ignoreInterrupt(true);
	try {
		const saved = await saveTerminal(terminal);
		// As in `restoreTerminal`: until then what is typed may still come to us.
		await nextTurn();
		const code = await runForeground(
			{
				...program,
				...(session !== undefined && {
					onStart: (pid) => {
						const onEnd = noteStart(stateDir, session, pid);
						onStarted?.();
						const resting = setTimeout(giveMemoryBack, RESTING_MS);
						return () => {
							clearTimeout(resting);
							onEnd();
						};
					},
				}),
				onFailure: (reason) => {
					failure = reason;
				},
			},
			stdioOf(terminal),
		);
		if (failure !== undefined) return { failure };
		if (code !== 0) await repairTerminal(terminal, saved);
		if (hold.ends) return { code };
		// What was typed while it ended was for that program.
		dropTyped(terminal.input);
		if (session === undefined || code === 0) return { code };
		terminal.output.write(
			`\npi-grove: pi ended with exit code ${code}. Any key goes back to the sessions, ctrl+c leaves.\n`,
		);
		const key = await waitForKey(terminal.input, hold.ending);
		return isInterrupt(key) ? { code, leaves: true } : { code };
	} finally {
		onStarted?.();
		hold.release();
		// On a busy machine the program's end may be known before the Ctrl+C that ended it. Its keys are ours again: no key
		// sends a signal any more.
		setTimeout(() => watch.ignoreInterrupt(false), LATE_MS).unref();
	}
}
