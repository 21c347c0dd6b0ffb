/** How many random cases a property test tries: `short` in the test command, many more in `npm run test:long`. */
export function caseCount(short: number): number {
	return Math.max(1, Math.round(short * Number(process.env.PI_GROVE_CASES ?? 1)));
}

/** One of two values: that of `npm run test:long`, else that of the test command. */
export function inLong<Value>(long: Value, short: Value): Value {
	return caseCount(1) > 1 ? long : short;
}

/** The first seed of random cases; another one by `PI_GROVE_SEED`. */
export const FIRST_SEED = Number(process.env.PI_GROVE_SEED ?? 1);
