import { test } from "vitest";
import { caseCount, FIRST_SEED } from "./cases.ts";
import { type Random, seededRandom } from "./mutate-session.ts";

/** For how long each attack goes on, in minutes; undefined: for a number of cases (`npm run test:attack` sets it). */
const MINUTES = process.env.PI_GROVE_ATTACK_MINUTES;

/** What one case may use: numbers that are the same for the same seed. */
export interface AttackCase {
	readonly seed: number;
	readonly random: Random;
	/** A whole number from 0 on, below `limit`. */
	readonly below: (limit: number) => number;
	/** One of the items. */
	readonly pick: <Item>(items: readonly Item[]) => Item;
}

/**
 * Defines a test that tries random cases: `short` of them in the test command, five times as many in `npm run test:long`, or
 * for as long as `PI_GROVE_ATTACK_MINUTES` says. It prints what was tried; a failure names the seed that makes its case
 * the first one of a run (`PI_GROVE_SEED`). A case returns how many things it has tried.
 */
export function attack(title: string, short: number, tryCase: (one: AttackCase) => Promise<number> | number): void {
	const count = caseCount(short);
	const endMs = MINUTES === undefined ? undefined : Number(MINUTES) * 60_000;
	const timeout = endMs === undefined ? 120_000 + count * 60_000 : endMs + 600_000;
	test(title, { timeout }, async () => {
		const began = performance.now();
		const goesOn = (cases: number): boolean =>
			endMs === undefined ? cases < count : performance.now() - began < endMs;
		let [cases, tried] = [0, 0];
		for (; cases === 0 || goesOn(cases); cases++) {
			const seed = FIRST_SEED + cases;
			try {
				tried += await tryCase(caseOf(seed));
			} catch (error) {
				const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
				throw new Error(`PI_GROVE_SEED=${seed}: ${text}`, { cause: error });
			}
		}
		const isLong = endMs !== undefined || count > short;
		if (isLong) console.log(`${title}: seeds ${FIRST_SEED} to ${FIRST_SEED + cases - 1}, ${tried} tried, 0 wrong`);
	});
}

function caseOf(seed: number): AttackCase {
	const random = seededRandom(seed * 1_000_003);
	const below = (limit: number): number => Math.floor(random() * limit);
	return {
		seed,
		random,
		below,
		pick: (items) => {
			const item = items[below(items.length)];
			if (item === undefined) throw new Error("nothing to choose from");
			return item;
		},
	};
}
