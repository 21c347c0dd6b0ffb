/** How many times the cases of the test command a long run tries; undefined in the test command. */
const LONG = process.env.PI_GROVE_CASES;

/** Whether this is `npm run test:long`: the same tests, with more cases and more kills. */
const IS_LONG: boolean = LONG !== undefined;

/** As many random cases as find most mistakes in a property: others are found by thousands, in the long run. */
const MOST = 25;

/**
 * How many random cases a property test tries: `caseCount(full)` is a quarter of `full` in the test command, at most 25, and many
 * times `full` in `npm run test:long`. Where a case takes long or is the only one of its kind, `caseCount(short, full)` says
 * how many the test command tries. Without a seed, each run of it tries others.
 */
export function caseCount(...counts: readonly [full: number] | readonly [short: number, full: number]): number {
	const [first, full = first] = counts;
	const short = counts.length === 1 ? Math.min(first / 4, MOST) : first;
	return Math.max(1, Math.round(LONG === undefined ? short : full * Number(LONG)));
}

/**
 * One of two values: that of `npm run test:long`, else that of the test command. For sizes and numbers of cases: what only the long run
 * expects or draws becomes wrong unseen.
 */
export function inLong<Value>(long: Value, short: Value): Value {
	return IS_LONG ? long : short;
}

/** The first seed of random cases; another one by `PI_GROVE_SEED`. */
export const FIRST_SEED = Number(process.env.PI_GROVE_SEED ?? 1);

/**
 * What a table test goes through: all in the long run, in the test command only those that hold, which are never none. For cases of
 * one kind, of which each is expected to do the same.
 */
export function inShort<Case>(all: readonly Case[], isShort: (one: Case, index: number) => boolean): readonly Case[] {
	const chosen = IS_LONG ? all : all.filter(isShort);
	if (chosen.length === 0) throw new Error("the test command would try none of these cases");
	return chosen;
}
