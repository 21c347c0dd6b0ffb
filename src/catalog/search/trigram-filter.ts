/**
 * Which pairs and trigrams (two and three bytes in a row) a text may contain, as a bit set indexed by a hash: says "surely
 * not" without looking at the text. One bit for each: with ten thousand different ones in 32,768 bits a query of ten
 * characters passes by chance in less than one block of a hundred.
 */
const MAX_BYTES = 4096;
const MIN_BYTES = 64;

/** Makes a pair differ from every trigram. */
const PAIR = 0x1000000;

/** The filter of a text; its length depends on the text's, so that small texts have small filters. */
export function trigramFilter(text: Uint8Array): Uint8Array {
	let bytes = MIN_BYTES;
	while (bytes < MAX_BYTES && bytes < text.length / 6) bytes *= 2;
	const bits = new Uint8Array(bytes);
	const mask = bytes * 8 - 1;
	let window = ((text[0] ?? 0) << 8) | (text[1] ?? 0);
	const first = hash(window | PAIR) & mask;
	bits[first >> 3] = 1 << (first & 7);
	for (let index = 2; index < text.length; index++) {
		window = ((window << 8) | (text[index] ?? 0)) & 0xffffff;
		const bit = hash(window) & mask;
		bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7));
		const pair = hash((window & 0xffff) | PAIR) & mask;
		bits[pair >> 3] = (bits[pair >> 3] ?? 0) | (1 << (pair & 7));
	}
	return bits;
}

/** The hashes of a needle's trigrams, or of its only pair; empty for a needle of one byte, which may be anywhere. */
export function needleHashes(needle: Uint8Array): Uint32Array {
	const hashes = new Set<number>();
	if (needle.length === 2) hashes.add(hash(((needle[0] ?? 0) << 8) | (needle[1] ?? 0) | PAIR));
	for (let index = 2; index < needle.length; index++) {
		hashes.add(hash(((needle[index - 2] ?? 0) << 16) | ((needle[index - 1] ?? 0) << 8) | (needle[index] ?? 0)));
	}
	return Uint32Array.from(hashes);
}

/** False when a text with this filter surely lacks one of the trigrams. */
export function mayContain(filter: Uint8Array, hashes: Uint32Array): boolean {
	const mask = filter.length * 8 - 1;
	for (const value of hashes) {
		const bit = value & mask;
		if (((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
	}
	return true;
}

function hash(trigram: number): number {
	const mixed = Math.imul(trigram, 0x9e3779b1);
	return (mixed ^ (mixed >>> 15)) >>> 0;
}
