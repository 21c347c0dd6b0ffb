/** The result of a call, or undefined if it throws: for failures that need no message; the reason stands beside the call. */
export function attempt<Result>(call: () => Result): Result | undefined {
	try {
		return call();
	} catch {
		return undefined;
	}
}

/** The message of an error, or whatever else was thrown as text. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
