import { messageOf } from "../shared/attempt.ts";
import { StoreError } from "../store/files/store-error.ts";
import { formatCount } from "../ui/text/format.ts";

/** What could not be done, to which session, and why: "Cannot rename “Lexer” to “Parser”: the disk is full". */
export class CannotError extends Error {
	constructor(what: string, cause: unknown) {
		super(`Cannot ${what}: ${reasonSentence(cause)}`, { cause });
		this.name = "CannotError";
	}
}

/** The reason alone, for where the session is named beside it. */
export function reasonOf(error: unknown): unknown {
	return error instanceof CannotError ? error.cause : error;
}

/**
 * Why something failed and what to do, as text that follows a colon: without the path, since the sentence names the
 * session, and without a full stop.
 */
export function reasonSentence(error: unknown): string {
	return (error instanceof StoreError ? error.reason : messageOf(error)).replace(/\.$/, "");
}

export interface Failure {
	/** The session, or what was to be done with it, in words. */
	readonly what: string;
	readonly error: unknown;
}

/** Reasons listed, and sessions named for each of them. */
const MAX_NAMED = 3;

/** "“Lexer”, “Parser” and 3 more: the disk is full": which failed and why, each reason once. */
export function listFailures(failures: readonly Failure[]): string {
	const byReason = Map.groupBy(failures, ({ error }) => reasonSentence(error));
	const names = (each: readonly Failure[]): string =>
		listNames(
			each.map(({ what }) => what),
			MAX_NAMED,
		);
	const listed = [...byReason].slice(0, MAX_NAMED).map(([reason, each]) => `${names(each)}: ${reason}`);
	const rest = [...byReason.values()].slice(MAX_NAMED).flat().length;
	return [...listed, ...(rest === 0 ? [] : [`${formatCount(rest)} more for other reasons`])].join("; ");
}

/** "“Lexer”, “Parser” and 3 more": the first `most` of some names. */
export function listNames(names: readonly string[], most: number): string {
	const named = names.slice(0, most).join(", ");
	return names.length <= most ? named : `${named} and ${formatCount(names.length - most)} more`;
}
