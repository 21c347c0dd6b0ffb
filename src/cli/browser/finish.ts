import type { Outcome } from "../../app/world/state/outcome.ts";
import { noteHandOver } from "../../catalog/live/hand-overs.ts";
import type { Exit } from "../../terminal/exit-signals.ts";
import { runForeground } from "../../terminal/run-foreground.ts";
import { stdioOf, type Terminal } from "../../terminal/terminal.ts";
import { note, printBug } from "../print/output.ts";
import type { Chooser } from "./chooser.ts";

/** What finishing needs. */
interface Finishing {
	readonly terminal: Terminal;
	readonly stateDir: string;
	readonly chooser?: Chooser | undefined;
	/** Called once pi has its own note that it has the session. */
	readonly onLeft?: (() => void) | undefined;
}

/** Does what remains to be done in the restored terminal; returns the exit code. */
export async function finish(end: Outcome | Exit, { terminal, stateDir, chooser, onLeft }: Finishing): Promise<number> {
	if ("code" in end) {
		if (end.error !== undefined) reportBug(end.error);
		return end.code;
	}
	switch (end.kind) {
		case "quit":
			return end.exitCode ?? chooser?.leftCode ?? 0;
		case "failed":
			reportBug(end.error);
			return 1;
		case "chosen":
			await chooser?.choose(end.choice);
			return 0;
		case "resume":
			return runForeground(
				{
					...end,
					onStart: (pid) => {
						const onEnd = noteStart(stateDir, end.path, pid);
						onLeft?.();
						return onEnd;
					},
					onFailure: (reason) => {
						onLeft?.();
						note(
							`cannot start ${end.command} in ${end.cwd}: ${reason}. Check that it is installed, or name another with --pi.`,
						);
					},
				},
				stdioOf(terminal),
			);
	}
}

/** Tells other windows that a process has this session: no program can see that. Returns what ends the note. */
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
