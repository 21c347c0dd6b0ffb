import { formatCount } from "../../ui/text/format.ts";
import { sentence } from "./reason.ts";

/** What could not be done to one of several sessions. */
export interface Failure {
	/** The session, or what was to be done with it, in words. */
	readonly what: string;
	readonly error: unknown;
}

/** So many sessions are named for each reason, and so many reasons. */
const MOST_NAMED = 3;

/** "“Lexer”, “Parser” and 3 more: the disk is full": which, and why, each reason once. */
export function listFailures(failures: readonly Failure[]): string {
	const byReason = Map.groupBy(failures, ({ error }) => sentence(error));
	const told = [...byReason].slice(0, MOST_NAMED).map(([reason, each]) => `${names(each)}: ${reason}`);
	const rest = [...byReason.values()].slice(MOST_NAMED).flat().length;
	return [...told, ...(rest === 0 ? [] : [`${formatCount(rest)} more for other reasons`])].join("; ");
}

function names(failures: readonly Failure[]): string {
	const named = failures.slice(0, MOST_NAMED).map(({ what }) => what);
	const rest = failures.length - named.length;
	return rest === 0 ? named.join(", ") : `${named.join(", ")} and ${formatCount(rest)} more`;
}
