/** A comparison with a number: `>5MB`. */
export interface Amount {
	readonly operator: ">" | ">=" | "<" | "<=" | "=";
	readonly value: number;
}

/** What a field's numbers count. */
type Unit = "bytes" | "dollars" | "count";

const AMOUNT = /^(>=|<=|>|<|=)?\$?(\d{1,15}(?:\.\d{1,6})?|\.\d{1,6})([a-z]{0,2})$/;

/** As sizes and tokens are written in the list: by thousands. */
const FACTORS: Readonly<Record<Unit, ReadonlyMap<string, number>>> = {
	bytes: new Map([
		["", 1],
		["b", 1],
		["k", 1e3],
		["kb", 1e3],
		["m", 1e6],
		["mb", 1e6],
		["g", 1e9],
		["gb", 1e9],
	]),
	dollars: new Map([["", 1]]),
	count: new Map([
		["", 1],
		["k", 1e3],
		["m", 1e6],
	]),
};

/** Reads `>1`, `<=5MB`, `>$2`, `12k`; without a sign it means exactly that. Undefined for anything else. */
export function parseAmount(text: string, unit: Unit): Amount | undefined {
	const [, sign = "=", digits = "", suffix = ""] = AMOUNT.exec(text.toLowerCase()) ?? [];
	const factor = FACTORS[unit].get(suffix);
	if (digits === "" || factor === undefined) return undefined;
	// One of the five that the pattern lets through.
	return { operator: sign as Amount["operator"], value: Number(digits) * factor };
}

/** Whether a number is as asked for; one that is not known is not. */
export function meetsAmount(number: number | undefined, { operator, value }: Amount): boolean {
	if (number === undefined) return false;
	switch (operator) {
		case ">":
			return number > value;
		case ">=":
			return number >= value;
		case "<":
			return number < value;
		case "<=":
			return number <= value;
		case "=":
			return number === value;
	}
}
