import { type Condition, entryMeets } from "../query/conditions.ts";
import { HashSet } from "../stats/hash-set.ts";
import type { Use } from "./use.ts";

/** A text with its uses. */
export interface RankedText {
	/** Hash of the text. */
	readonly key: number;
	/** In no order, at least one. */
	readonly uses: Use[];
	/** Where it stands: the sum of its uses, each counting half as much for every week since. */
	weight: number;
	/** Unix ms of its latest use. */
	latest: number;
}

/** After so many milliseconds a use counts half. */
const HALF_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * All texts that are used in these files, the one that is used most now first: each use counts 1 when it happens, and half
 * as much for every week since. What a fork has copied is counted once, where it comes first. `files`: the uses in each;
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
			// A clock that was wrong gives no text a place above all others for ever.
			text.weight += 2 ** ((Math.min(time, now) - now) / HALF_LIFE_MS);
			text.latest = Math.max(text.latest, time);
		}
	}
	return [...texts.values()].sort((a, b) => b.weight - a.weight || b.latest - a.latest || a.key - b.key);
}
