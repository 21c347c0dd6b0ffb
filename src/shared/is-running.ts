/** Whether a process with this id runs, also one of another user. */
export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// EPERM: it is another user's.
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
