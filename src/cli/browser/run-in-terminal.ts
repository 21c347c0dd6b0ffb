import type { ProgramEnd, TerminalProgram } from "../../app/world/effects/capabilities.ts";
import type { ExitWatch } from "../../terminal/exit-signals.ts";
import { dropTyped } from "../../terminal/keyboard.ts";
import { nextTurn, repairTerminal, saveTerminal } from "../../terminal/restore-terminal.ts";
import { runForeground } from "../../terminal/run-foreground.ts";
import { isInterrupt, stdioOf, type Terminal, waitForKey } from "../../terminal/terminal.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { noteStart } from "./finish.ts";

/** How late a signal for a program that has just ended may arrive. */
const LATE_MS = 300;

interface Surroundings {
	readonly terminal: Terminal;
	readonly watch: ExitWatch;
	readonly stateDir: string;
}

/** Runs a program in the terminal that the browser has released. Signals that end the browser take effect when it has ended. */
export async function runInTerminal(
	program: TerminalProgram,
	{ terminal, watch, stateDir }: Surroundings,
): Promise<ProgramEnd> {
	const { session } = program;
	// Noted before pi runs, for this process: another browser must not delete the session in between.
	const onStarted = session === undefined ? undefined : noteStart(stateDir, session, process.pid);
	let failure: string | undefined;
	const hold = watch.hold();
	watch.ignoreInterrupt(true);
	try {
		const saved = await saveTerminal(terminal);
		// As in `restoreTerminal`: until then, typed keys may still arrive here.
		await nextTurn();
		if (program.note !== undefined) terminal.output.write(`pi-grove: ${sanitizeLine(program.note)}\n`);
		const code = await runForeground(
			{
				...program,
				...(session !== undefined && {
					onStart: (pid) => {
						const onEnd = noteStart(stateDir, session, pid);
						onStarted?.();
						return onEnd;
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
			`\npi-grove: pi ended with exit code ${code}. Press any key to go back to the sessions, ctrl+c to leave.\n`,
		);
		const key = await waitForKey(terminal.input, hold.ending);
		return isInterrupt(key) ? { code, leaves: true } : { code };
	} finally {
		onStarted?.();
		hold.release();
		// On a busy machine, the program's end may arrive before the Ctrl+C that caused it. The terminal is in raw mode again, so
		// no key sends a signal any more.
		setTimeout(() => watch.ignoreInterrupt(false), LATE_MS).unref();
	}
}
