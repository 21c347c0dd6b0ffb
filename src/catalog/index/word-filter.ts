import { checksum } from "./checksum.ts";

/**
 * A set of words as bits (a Bloom filter): it has all words that were added, and some others by chance. The number of bits is a
 * power of two, so that those of more words go on from those of fewer: a word's place among twice as many bits is one of two.
 */
export type WordFilter = Uint8Array;

/** Has every word. */
export const EVERY_WORD: WordFilter = new Uint8Array();

/**
 * Bits for each word; with three of them set, it seems to have at most one other word in sixteen. The bits of fewer words stand among
 * those of more as densely as before: a filter that has grown several times has many other words.
 */
const BITS_PER_WORD = 6;
const SET_PER_WORD = 3;
/** In bytes. A session with more words than fit, some 90,000, seems to have more and more of them. */
const [LEAST_BYTES, MOST_BYTES] = [16, 65_536];

/** Words to add to a filter. */
export class WordCollector {
	readonly #before: WordFilter | undefined;
	readonly #hashes = new Set<number>();
	#isEvery: boolean;

	/** `before`: what these words are added to. */
	constructor(before?: WordFilter) {
		this.#before = before;
		this.#isEvery = before?.length === 0;
	}

	/** Adds words; undefined: words that are not known. */
	add(words: readonly string[] | undefined): void {
		if (words === undefined) this.#isEvery = true;
		else for (const word of words) this.#addHash(hashOf(word));
	}

	#addHash(hash: number): void {
		if (this.#before === undefined || !hasHash(this.#before, hash)) this.#hashes.add(hash);
	}

	/** Whether words were added to a filter that has no room for them. */
	get hasOutgrown(): boolean {
		return !this.#isEvery && this.#before !== undefined && this.#bytes > this.#before.length;
	}

	/** The size of the filter of all words. */
	get #bytes(): number {
		// A filter that has all of them needs no more room.
		const words = this.#hashes.size === 0 ? 0 : wordsIn(this.#before) + this.#hashes.size;
		let bytes = this.#before?.length ?? LEAST_BYTES;
		while (bytes * 8 < words * BITS_PER_WORD && bytes < MOST_BYTES) bytes *= 2;
		return bytes;
	}

	/** The filter of all words. */
	finish(): WordFilter {
		if (this.#isEvery) return EVERY_WORD;
		const bytes = this.#bytes;
		const filter = new Uint8Array(bytes);
		const { length = 0 } = this.#before ?? {};
		if (this.#before) for (let at = 0; at < bytes; at += length) filter.set(this.#before, at);
		for (const hash of this.#hashes)
			for (const bit of bitsOf(hash, bytes)) filter[bit >> 3] = at(filter, bit) | (1 << (bit & 7));
		return filter;
	}
}

/** Prepares to ask filters whether they may have a word. */
export function mayHaveWord(word: string): (filter: WordFilter) => boolean {
	const hash = hashOf(word);
	return (filter) => hasHash(filter, hash);
}

function hasHash(filter: WordFilter, hash: number): boolean {
	return filter.length === 0 || bitsOf(hash, filter.length).every((bit) => (at(filter, bit) & (1 << (bit & 7))) !== 0);
}

function at(filter: WordFilter, bit: number): number {
	return filter[bit >> 3] ?? 0;
}

/** The number of words that set as many bits as a filter has, by expectation. */
function wordsIn(filter: WordFilter | undefined): number {
	if (filter === undefined) return 0;
	let free = 0;
	for (const byte of filter) for (let bit = 0; bit < 8; bit++) free += (byte >> bit) & 1 ? 0 : 1;
	const bits = filter.length * 8;
	return Math.round((-bits / SET_PER_WORD) * Math.log(Math.max(1, free) / bits));
}

/** The bits of a word among those of so many bytes. */
function bitsOf(hash: number, bytes: number): readonly number[] {
	const step = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) | 1;
	const mask = bytes * 8 - 1;
	return [hash & mask, (hash + step) & mask, (hash + step + step) & mask];
}

/** A checksum, mixed once more: its lower bits alone are much alike for words that differ in a few letters. */
function hashOf(word: string): number {
	let hash = checksum(word);
	hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
	// As small a number as V8 has: with a sign.
	return hash ^ (hash >>> 16);
}
