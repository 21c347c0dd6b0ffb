/** A message of a session file; its fields may hold anything. */
type Message = Readonly<Record<string, unknown>>;

/** Stop reasons of answers that ended early without failing, whatever their error message says. */
const UNFINISHED: ReadonlySet<unknown> = new Set(["aborted", "length", "pending", "deferred"]);

/** Whether a tool, a command or an answer failed. */
export function messageFailed(message: Message): boolean {
	switch (message.role) {
		case "toolResult":
			return message.isError === true;
		case "bashExecution":
			return commandFailed(message);
		case "assistant":
			return answerFailed(message);
		default:
			return false;
	}
}

/** Whether a command of the user failed or was ended. */
export function commandFailed({ cancelled, exitCode }: Message): boolean {
	return cancelled === true || (Number.isFinite(exitCode) && exitCode !== 0);
}

/** Whether an answer ended early without failing: it was aborted, cut off, or is still to come. */
export function answerStopped(message: Message): boolean {
	return UNFINISHED.has(message.stopReason) && !answerFailed(message);
}

/** Whether an answer is missing or incomplete because something went wrong. */
export function answerFailed({ stopReason, errorMessage }: Message): boolean {
	if (stopReason === "error") return true;
	return !UNFINISHED.has(stopReason) && typeof errorMessage === "string" && errorMessage !== "";
}
