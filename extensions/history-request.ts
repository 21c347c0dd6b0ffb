/** A checked request of the agent. */
export type HistoryRequest =
	| { readonly kind: "search"; readonly query: string; readonly everywhere: boolean; readonly limit: number }
	| { readonly kind: "read"; readonly address: string; readonly turn: boolean; readonly chars: number };

/** UTF-16 units. A query is one argument of a command line, which on Linux may have 128 KiB. */
export const MAX_QUERY = 4_000;
export const LIMIT = { usual: 8, max: 20 };
export const CHARS = { usual: 8_000, max: 40_000 };

/** Checks the arguments of a model, which may be anything. Throws a sentence. */
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
	if (value.length > MAX_QUERY)
		throw new Error(`${name} is too long: it may have ${MAX_QUERY} characters, not ${value.length}.`);
	if (value.includes("\0")) throw new Error(`${name} contains a NUL character, which no text has.`);
	return value.trim();
}

function flag(name: string, value: unknown): boolean {
	if (value === undefined || value === null) return false;
	if (typeof value !== "boolean") throw new Error(`${name} must be true or false.`);
	return value;
}

function count(name: string, value: unknown, { usual, max }: { readonly usual: number; readonly max: number }): number {
	if (value === undefined || value === null) return usual;
	if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > max)
		throw new Error(`${name} must be a whole number from 1 to ${max}.`);
	return value;
}
