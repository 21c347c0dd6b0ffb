/** The result of a call, or undefined if it throws: for failures that nobody has to be told, for the reason beside the call. */
export function attempt<Result>(call: () => Result): Result | undefined {
	try {
		return call();
	} catch {
		return undefined;
	}
}
