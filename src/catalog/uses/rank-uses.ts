import { type Condition, entryMeets } from "../query/conditions.ts";
import { HashSet } from "../stats/hash-set.ts";
import type { Use } from "./use.ts";

/** A text with its uses. */
export interface RankedText {
	/** Hash of the text. */
	readonly key: number;
	/** At least one, in no particular order. */
	readonly uses: Use[];
	/** Rank: the sum of its uses, each counting half as much for every week since. */
	weight: number;
	/** Unix ms of its latest use. */
	latest: number;
}

const HALF_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * All texts used in these files, the one used most nowadays first: each use counts 1 when it happens, and half as much for
 * every week since. A use that forks have copied counts once, in the first file that has it. `files`: the uses in each;
 * `dates`: conditions that the time of a use must meet; `now`: Unix ms.
 */
export function rankUses(
	files: Iterable<readonly Use[]>,
	dates: readonly Condition[],
	now: number,
): readonly RankedText[] {
	const texts = new Map<number, RankedText>();
	const seen = new HashSet();
	for (const uses of files) {
		for (const use of uses) {
			if (!seen.add(use.origin) || !entryMeets({ time: use.time, isLabeled: false }, dates)) continue;
			let text = texts.get(use.text);
			if (!text) {
				text = { key: use.text, uses: [], weight: 0, latest: 0 };
				texts.set(use.text, text);
			}
			text.uses.push(use);
			const time = Number.isNaN(use.time) ? 0 : use.time;
			// A clock that was wrong must not rank a text above all others forever.
			text.weight += 2 ** ((Math.min(time, now) - now) / HALF_LIFE_MS);
			text.latest = Math.max(text.latest, time);
		}
	}
	return [...texts.values()].sort((a, b) => b.weight - a.weight || b.latest - a.latest || a.key - b.key);
}
