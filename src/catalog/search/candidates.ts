import type { Tier } from "../query/kinds.ts";
import { inTier } from "../query/parse-query.ts";
import type { Needle } from "./match-block.ts";
import { mayContain, needleHashes } from "./trigram-filter.ts";

/** What is known of a block without looking at its text, see trigram-filter.ts. */
export interface BlockFilter {
	readonly seq: number;
	readonly bits: Uint8Array;
}

/** A block that may contain some of the terms. */
export interface Candidate {
	readonly seq: number;
	/** As a bit mask. */
	readonly terms: number;
}

/** For each term the hashes to look for in a tier's filters: none when it may be anywhere; undefined: not in this tier. */
export type TermHashes = readonly (Uint32Array | undefined)[];

export function termHashes(needles: readonly Needle[], tier: Tier): TermHashes {
	return needles.map(({ term, bytes }) => (inTier(term, tier) ? needleHashes(bytes ?? new Uint8Array()) : undefined));
}

/** The blocks that may contain some of the terms, in order. */
export function candidatesIn(filters: readonly BlockFilter[], hashes: TermHashes): Candidate[] {
	const candidates: Candidate[] = [];
	for (const { seq, bits } of filters) {
		let terms = 0;
		for (let term = 0; term < hashes.length; term++) {
			const wanted = hashes[term];
			if (wanted && mayContain(bits, wanted)) terms |= 1 << term;
		}
		if (terms !== 0) candidates.push({ seq, terms });
	}
	return candidates;
}
