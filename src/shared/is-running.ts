/** Whether a process with this id is running, another user's included. */
export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// EPERM: it is another user's.
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
