import { removePrivateDirectories } from "../../app/world/effects/temporary-directory.ts";
import type { FinalChoice } from "../../app/world/state/choice.ts";
import type { Outcome } from "../../app/world/state/effect.ts";
import type { State } from "../../app/world/state/state.ts";
import { noteHandOver } from "../../catalog/live/process-notes.ts";
import type { Exit } from "../../terminal/exit-signals.ts";
import { runForeground } from "../../terminal/run-foreground.ts";
import { stdioOf, type Terminal } from "../../terminal/terminal.ts";
import { EXIT, note, printBug, remark } from "../print/output.ts";
import type { HostLink } from "./host-link.ts";

/** Receives the choice: the shell that runs `pi-grove pick`, or the pi that started the browser. */
export interface Chooser {
	/** Set for the shell. */
	readonly picks?: State["environment"]["picks"];
	/** Set for pi. */
	readonly link?: HostLink;
	/** Called with the choice once the terminal has been restored. */
	choose(choice: FinalChoice): Promise<void>;
	/** The exit code if the person leaves without choosing. */
	readonly leftCode: number;
}

interface FinishContext {
	readonly terminal: Terminal;
	readonly stateDir: string;
	readonly chooser?: Chooser | undefined;
	/** Called once the hand-over to pi is noted, or pi cannot be started. */
	readonly onLeft?: (() => void) | undefined;
}

/** Does what remains after the terminal has been restored: starts pi, or passes the choice on. Returns the exit code. */
export async function finish(
	end: Outcome | Exit,
	{ terminal, stateDir, chooser, onLeft }: FinishContext,
): Promise<number> {
	if ("code" in end) {
		if (end.error !== undefined) reportBug(end.error);
		return end.code;
	}
	switch (end.kind) {
		case "quit":
			return end.exitCode ?? chooser?.leftCode ?? 0;
		case "failed":
			reportBug(end.error);
			return EXIT.bug;
		case "chosen":
			await chooser?.choose(end.choice);
			return 0;
		case "resume":
			if (end.note !== undefined) remark(end.note);
			return runForeground(
				{
					...end,
					onStart: (pid) => {
						// A shell has no session.
						const onEnd = end.path === "" ? () => undefined : noteStart(stateDir, end.path, pid);
						onLeft?.();
						return onEnd;
					},
					onFailure: (reason) => {
						onLeft?.();
						note(
							`cannot start ${end.command} in ${end.cwd}: ${reason}. Check that it is installed, or choose another command with --pi.`,
						);
					},
				},
				stdioOf(terminal),
			);
	}
}

/** Notes for other windows, which cannot see it otherwise, that a process has this session. Returns a function that ends the note. */
export function noteStart(stateDir: string, path: string, pid: number): () => void {
	try {
		return noteHandOver(stateDir, { path, pid, startedMs: Date.now() });
	} catch {
		// pi has the terminal already, and works without the note.
		return () => undefined;
	}
}

function reportBug(error: unknown): void {
	printBug("a bug ended the browser; it changed no session.", error);
}

/**
 * Ends the process at once. `process.exit` waits for every thread, and a thread that waits for a disk that does not answer
 * (such as a lost network drive) never ends. With `isStuck`, the process therefore kills itself with SIGINT, and the exit code
 * is that of the signal.
 */
export function leave(code: number, isStuck: boolean): void {
	if (isStuck) {
		// An unhandled signal runs no `exit` handlers.
		removePrivateDirectories();
		process.removeAllListeners("SIGINT");
		process.kill(process.pid, "SIGINT");
	}
	process.exit(code);
}
