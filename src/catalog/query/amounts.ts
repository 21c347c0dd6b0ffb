/** A comparison with a number: `>5MB`. */
export interface Amount {
	readonly operator: ">" | ">=" | "<" | "<=" | "=";
	readonly value: number;
}

type Unit = "bytes" | "dollars" | "count";

const AMOUNT = /^(>=|<=|>|<|=)?\$?(\d{1,15}(?:\.\d{1,6})?|\.\d{1,6})([a-z]{0,2})$/;

/** Suffixes, by thousands like the sizes and tokens in the list. */
const FACTORS: Readonly<Record<Unit, ReadonlyMap<string, number>>> = {
	bytes: new Map(Object.entries({ "": 1, b: 1, k: 1e3, kb: 1e3, m: 1e6, mb: 1e6, g: 1e9, gb: 1e9 })),
	dollars: new Map([["", 1]]),
	count: new Map(Object.entries({ "": 1, k: 1e3, m: 1e6 })),
};

/** Reads `>1`, `<=5MB`, `>$2`, `12k`; without a sign it means exactly that amount. Undefined for anything else. */
export function parseAmount(text: string, unit: Unit): Amount | undefined {
	const [, sign = "=", digits = "", suffix = ""] = AMOUNT.exec(text.toLowerCase()) ?? [];
	const factor = FACTORS[unit].get(suffix);
	if (digits === "" || factor === undefined) return undefined;
	// The pattern allows only these five.
	return { operator: sign as Amount["operator"], value: Number(digits) * factor };
}

/** Whether a number satisfies the comparison; false if it is unknown. */
export function meetsAmount(number: number | undefined, { operator, value }: Amount): boolean {
	return number !== undefined && COMPARISONS[operator](number, value);
}

const COMPARISONS: Readonly<Record<Amount["operator"], (number: number, value: number) => boolean>> = {
	">": (number, value) => number > value,
	">=": (number, value) => number >= value,
	"<": (number, value) => number < value,
	"<=": (number, value) => number <= value,
	"=": (number, value) => number === value,
};
