/** A message of a session file; its fields may be anything. */
type Message = Readonly<Record<string, unknown>>;

/** Reasons for which an answer ended early without having failed, whatever its message says. */
const UNFINISHED: ReadonlySet<unknown> = new Set(["aborted", "length", "pending", "deferred"]);

/** Whether a step failed, or an answer did. */
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

/** Whether a command of the person failed, or was ended. */
export function commandFailed({ cancelled, exitCode }: Message): boolean {
	return cancelled === true || (Number.isFinite(exitCode) && exitCode !== 0);
}

/** Whether an answer ended early without having failed: it was aborted, cut off, or is still to come. */
export function answerStopped(message: Message): boolean {
	return UNFINISHED.has(message.stopReason) && !answerFailed(message);
}

/** Whether there is no answer, or a part of one, because something went wrong. */
export function answerFailed({ stopReason, errorMessage }: Message): boolean {
	if (stopReason === "error") return true;
	return !UNFINISHED.has(stopReason) && typeof errorMessage === "string" && errorMessage !== "";
}
