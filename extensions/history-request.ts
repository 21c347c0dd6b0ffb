/** What the agent asks for, checked: one of the two. */
export type HistoryRequest =
	| { readonly kind: "search"; readonly query: string; readonly everywhere: boolean; readonly limit: number }
	| { readonly kind: "read"; readonly address: string; readonly turn: boolean; readonly chars: number };

/** UTF-16 units. A query goes into one argument of a command line, of which Linux takes 128 KiB. */
export const MOST_QUERY = 4_000;
export const LIMIT = { usual: 8, most: 20 };
export const CHARS = { usual: 8_000, most: 40_000 };

/** Checks what a model has made up as arguments, whatever that is. Throws a plain sentence. */
export function readRequest(given: object): HistoryRequest {
	const fields: Readonly<Record<string, unknown>> = { ...given };
	const query = text("query", fields.query);
	const address = text("read", fields.read);
	if ((query === "") === (address === "")) throw new Error("Give either query or read.");
	if (address === "") {
		const everywhere = flag("everywhere", fields.everywhere);
		return { kind: "search", query, everywhere, limit: count("limit", fields.limit, LIMIT) };
	}
	return { kind: "read", address, turn: flag("turn", fields.turn), chars: count("chars", fields.chars, CHARS) };
}

function text(name: string, value: unknown): string {
	if (value === undefined || value === null) return "";
	if (typeof value !== "string") throw new Error(`${name} must be a string.`);
	if (value.length > MOST_QUERY)
		throw new Error(`${name} is too long: it may have ${MOST_QUERY} characters, not ${value.length}.`);
	if (value.includes("\0")) throw new Error(`${name} holds a NUL character, which no text has.`);
	return value.trim();
}

function flag(name: string, value: unknown): boolean {
	if (value === undefined || value === null) return false;
	if (typeof value !== "boolean") throw new Error(`${name} must be true or false.`);
	return value;
}

function count(
	name: string,
	value: unknown,
	{ usual, most }: { readonly usual: number; readonly most: number },
): number {
	if (value === undefined || value === null) return usual;
	if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > most)
		throw new Error(`${name} must be a whole number from 1 to ${most}.`);
	return value;
}
