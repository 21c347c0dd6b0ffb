import { type Fields, textOf } from "./fields.ts";
import { answerFailed, contentText, SHELLS, shellEnding } from "./message.ts";
import { isSearchCommand } from "./search-command.ts";
import type { RecordedCall } from "./tool-calls.ts";

/** How a step (a tool call, or a command of the person) or an answer ended. Only what failed counts as an error. */
export type StepEnd =
	/** As it should, as far as the session says. */
	| "ok"
	| "failed"
	/** Status 1 of a search, a comparison or a test: nothing was found, or two things differ. */
	| "no match"
	/** The person stopped it. */
	| "stopped"
	/** It never ran, because the person had stopped the calls before it (pi 1.6). */
	| "not run";

/**
 * How the step or answer ended that a message records; "ok" for any other message. `isSearch`: whether the command of a tool's result,
 * which stands in the call, is a search (`isSearchCommand`); asked only if it matters.
 */
export function messageEnd(message: Fields, isSearch: () => boolean): StepEnd {
	switch (message.role) {
		case "toolResult":
			return message.isError === true ? endOfError(message, contentText(message.content, "\n"), isSearch) : "ok";
		case "bashExecution":
			return commandEnd(message);
		case "assistant":
			if (answerFailed(message)) return "failed";
			return message.stopReason === "aborted" ? "stopped" : "ok";
		default:
			return "ok";
	}
}

/** How a call ended that another tool made; "ok" if it is not known to have failed, and for a call of the model. */
export function nestedEnd({ name, args, nested }: RecordedCall): StepEnd {
	if (nested?.status !== "error") return "ok";
	const { durationMs, error } = nested;
	return endOfError({ toolName: name, durationMs }, error, () => runsSearch(name, args));
}

export function runsSearch(tool: unknown, args: unknown): boolean {
	const command = tool === BASH && typeof args === "object" && args !== null && "command" in args ? args.command : "";
	return typeof command === "string" && isSearchCommand(command);
}

/** Only its commands are understood. */
const BASH = "bash";

/** What pi writes as the result of a call that was stopped, unless it is a command (pi 1.5.2), or never ran (pi 1.6). */
const ABORTED = "Operation aborted";

/** How a tool call ended whose result, with this text, is an error. */
function endOfError({ toolName, durationMs }: Fields, text: string, isSearch: () => boolean): StepEnd {
	// pi notes how long a tool ran (since 1.1) only if it ran.
	if (text.trim() === ABORTED) return durationMs === undefined ? "not run" : "stopped";
	const ending = typeof toolName === "string" && SHELLS.has(toolName) ? shellEnding(text) : undefined;
	if (ending?.kind === "aborted") return "stopped";
	return ending?.kind === "exit" ? endOfStatus(ending.code, text, isSearch) : "failed";
}

function commandEnd({ cancelled, exitCode, command, output }: Fields): StepEnd {
	if (cancelled === true) return "stopped";
	if (typeof exitCode !== "number" || !Number.isFinite(exitCode) || exitCode === 0) return "ok";
	return endOfStatus(exitCode, textOf(output), () => typeof command === "string" && isSearchCommand(command));
}

function endOfStatus(status: number, output: string, isSearch: () => boolean): StepEnd {
	return status === 1 && isSearch() && !ERROR_MESSAGE.test(output) ? "no match" : "failed";
}

/** What programs say if something is wrong. */
const COMPLAINT =
	"no such file|not a directory|is a directory|permission denied|not permitted|not found|cannot |can't |could not |invalid |illegal |" +
	"unrecognized |unknown |usage";
/** A line that is an error message: `error: …`, `cat: x: No such file or directory`; but `bash: type: x: not found` is an answer. */
const ERROR_MESSAGE = new RegExp(
	String.raw`^(?:(?:error|fatal|sudo): |(?:[^\s:]{0,200}/)?[\w[+-]{1,40}: (?!(?:line \d+: )?(?:type|hash|command): ).{0,300}?(?:${COMPLAINT}))`,
	"im",
);
