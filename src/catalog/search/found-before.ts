import type { Tier } from "../query/kinds.ts";
import { ALL_KINDS, type Query, type Term } from "../query/parse-query.ts";
import { type FoundPlaces, longerMatches } from "./found-places.ts";
import type { Match } from "./match-block.ts";
import type { SearchableSession } from "./text-reader.ts";

/** So many needles are remembered: the keys of a word or two. */
const MAX_NEEDLES = 24;
/** Of so many of them, the last ones, the places too: about ten megabytes for thousands of sessions. */
const MAX_WITH_PLACES = 6;

/** Block number of a session in which a needle is nowhere in the tier. */
export const NOWHERE = Number.POSITIVE_INFINITY;

interface FirstBlock {
	/** Of the session. */
	readonly version: string;
	readonly seq: number;
	/** The first places of the needle in the block. */
	places: FoundPlaces | undefined;
}

interface Remembered {
	readonly tier: Tier;
	readonly needle: string;
	readonly blocks: Map<number, FirstBlock>;
}

/** Places of a needle that are known without a look at the text. */
export interface Recalled {
	readonly seq: number;
	readonly matches: readonly Match[];
	readonly places: FoundPlaces;
}

/**
 * Where needles were found first. Who types "retry" has searched for "retr" before: where that is not, this is not either,
 * and where that went on with a "y", this is. So with each key there is less to search.
 */
export class FoundBefore {
	/** By tier and needle, the last used last. */
	readonly #needles = new Map<string, Remembered>();

	/** Tells for each session the first block of a tier that may hold the needle. */
	starts(tier: Tier, needle: string): (session: SearchableSession) => number {
		const known = [...this.#needles.values()].filter((one) => one.tier === tier && needle.includes(one.needle));
		return (session) => {
			let start = 0;
			for (const { blocks } of known) {
				const found = blocks.get(session.id);
				if (found && found.version === session.version && found.seq > start) start = found.seq;
			}
			return start;
		};
	}

	/** Tells for each session the first places of the needle in a tier, if what was typed before gives them. */
	recall(tier: Tier, needle: string): (session: SearchableSession) => Recalled | undefined {
		const known = [...this.#needles.values()]
			.filter((one) => one.tier === tier && needle.startsWith(one.needle))
			.sort((a, b) => b.needle.length - a.needle.length);
		const bytes = Buffer.from(needle).toString("latin1");
		return (session) => {
			for (const { blocks } of known) {
				const found = blocks.get(session.id);
				if (!found?.places || found.version !== session.version) continue;
				const longer = longerMatches(found.places, bytes);
				if (longer) return { seq: found.seq, ...longer };
			}
			return undefined;
		};
	}

	/** Remembers the first block with the needle, and where in it. */
	keep(session: SearchableSession, tier: Tier, needle: string, seq: number, places: FoundPlaces | undefined): void {
		const key = `${tier}${needle}`;
		let remembered = this.#needles.get(key);
		if (!remembered) {
			remembered = { tier, needle, blocks: new Map() };
			this.#needles.set(key, remembered);
			this.#forget();
		}
		remembered.blocks.set(session.id, { version: session.version, seq, places });
	}

	#forget(): void {
		const [oldest] = this.#needles.keys();
		if (this.#needles.size > MAX_NEEDLES && oldest !== undefined) this.#needles.delete(oldest);
		const older = [...this.#needles.values()].at(-1 - MAX_WITH_PLACES);
		for (const block of older?.blocks.values() ?? []) block.places = undefined;
	}
}

/** The text of a term that may be anywhere; undefined for terms of which less is known by searching for them. */
export function plainNeedle(query: Query, term: Term): string | undefined {
	return query.tool === undefined && term.kinds === ALL_KINDS ? term.needle : undefined;
}
