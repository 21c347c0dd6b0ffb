import { removePrivateDirectories } from "../../app/world/effects/temporary-directory.ts";

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
