import type { Tier } from "./kinds.ts";
import { ALL_KINDS, type Query, type Term } from "./query.ts";
import type { SearchableSession } from "./text-reader.ts";

/** So many needles are remembered: the keys of a word or two. */
const MAX_NEEDLES = 24;

/** Block number of a session in which a needle is nowhere in the tier. */
export const NOWHERE = Number.POSITIVE_INFINITY;

type FirstBlocks = Map<number, { readonly version: string; readonly seq: number }>;

/**
 * Where needles were found first. Who types "retry" has searched for "retr" before: where that is not, this is not either,
 * so with each key there is less to search.
 */
export class FoundBefore {
	readonly #needles = new Map<string, FirstBlocks>();

	/** Tells for each session the first block of a tier that may hold the needle. */
	starts(tier: Tier, needle: string): (session: SearchableSession) => number {
		const known = [...this.#needles].filter(([key]) => key.startsWith(`${tier}`) && needle.includes(key.slice(1)));
		return (session) => {
			let start = 0;
			for (const [, blocks] of known) {
				const found = blocks.get(session.id);
				if (found && found.version === session.version && found.seq > start) start = found.seq;
			}
			return start;
		};
	}

	/** Remembers the first block with the needle. */
	keep(session: SearchableSession, tier: Tier, needle: string, seq: number): void {
		const key = `${tier}${needle}`;
		let blocks = this.#needles.get(key);
		if (!blocks) {
			blocks = new Map();
			this.#needles.set(key, blocks);
			const [oldest] = this.#needles.keys();
			if (this.#needles.size > MAX_NEEDLES && oldest !== undefined) this.#needles.delete(oldest);
		}
		blocks.set(session.id, { version: session.version, seq });
	}
}

/** The text of a term that may be anywhere; undefined for terms of which less is known by searching for them. */
export function plainNeedle(query: Query, term: Term): string | undefined {
	return query.tool === undefined && term.kinds === ALL_KINDS ? term.needle : undefined;
}
