import { StoreError } from "../../store/files/store-error.ts";

/** What could not be done, to which session, and why: "Cannot rename “Lexer” to “Parser”: the disk is full". */
export class CannotError extends Error {
	constructor(what: string, cause: unknown) {
		super(`Cannot ${what}: ${sentence(cause)}`, { cause });
		this.name = "CannotError";
	}
}

/** The reason alone, for where the session is named beside it. */
export function reasonOf(error: unknown): unknown {
	return error instanceof CannotError ? error.cause : error;
}

/** What an error says. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/**
 * Why something failed, and what to do, to follow a colon: without the path, which a sentence with the session's title
 * does not need, and without a full stop.
 */
export function sentence(error: unknown): string {
	return (error instanceof StoreError ? error.reason : messageOf(error)).replace(/\.$/, "");
}
