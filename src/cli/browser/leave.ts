import { removePrivateDirectories } from "../../app/world/effects/private-directory.ts";

/**
 * Ends the process at once. `process.exit` waits for every thread, and one that waits for a disk that does not answer (a
 * network that is gone) never ends; so with `isStuck` the process ends itself as ctrl+c ends a program that does not
 * handle it, and the exit code is that of the signal.
 */
export function leave(code: number, isStuck: boolean): void {
	if (isStuck) {
		// For a signal that nobody handles, no `exit` handler runs.
		removePrivateDirectories();
		process.removeAllListeners("SIGINT");
		process.kill(process.pid, "SIGINT");
	}
	process.exit(code);
}
