import { isDistinctive, isUnmistakable } from "./looks-secret.ts";

/** UTF-16 units of the beginnings that values are sorted by; a longer beginning lets a search skip more. */
const LONGEST_START = 32;
/** Entries of the table that says how far a search may skip. */
const SLOTS = 1 << 14;

/** Where a known value stands in a text, from one UTF-16 unit to another. */
export interface KnownMatch {
	readonly value: string;
	readonly from: number;
	readonly to: number;
}

/**
 * Values that are masked wherever they stand, and a search for all of them at once (Wu and Manber, 1994): its time does not
 * grow with their number.
 */
export class KnownValues {
	readonly #values = new Set<string>();
	/** Values by the two units that their beginning ends with, and by their lengths, the longest first. */
	readonly #byEnd = new Map<number, Map<number, Set<string>>>();
	readonly #skips = new Uint8Array(SLOTS);
	/** UTF-16 units of the beginnings: of the shortest value. */
	#length = LONGEST_START;

	/** Number of values. */
	get size(): number {
		return this.#values.size;
	}

	/** Adds a value, unless it is too common to be masked wherever it stands. */
	add(value: string): void {
		if (this.#values.has(value) || !isDistinctive(value)) return;
		this.#values.add(value);
		const isFirst = this.#values.size === 1;
		if (!isFirst && value.length >= this.#length) {
			this.#enter(value);
			return;
		}
		this.#length = Math.min(value.length, this.#length);
		this.#byEnd.clear();
		this.#skips.fill(this.#length - 1);
		for (const known of this.#values) this.#enter(known);
	}

	#enter(value: string): void {
		for (let at = 1; at < this.#length; at++) {
			const slot = slotOf(value, at);
			this.#skips[slot] = Math.min(this.#skips[slot] ?? 0, this.#length - 1 - at);
		}
		const end = slotOf(value, this.#length - 1);
		const byLength = this.#byEnd.get(end) ?? new Map<number, Set<string>>();
		const same = byLength.get(value.length);
		if (same !== undefined) {
			same.add(value);
			return;
		}
		byLength.set(value.length, new Set([value]));
		this.#byEnd.set(end, new Map([...byLength].toSorted(([one], [other]) => other - one)));
	}

	/** The places in which a value stands by itself, from the start of the text; the longest of those that begin together. */
	*find(text: string): Generator<KnownMatch> {
		if (this.#values.size === 0) return;
		const [skips, last] = [this.#skips, this.#length - 1];
		for (let at = last; at < text.length; ) {
			const slot = slotOf(text, at);
			const skip = skips[slot] ?? 1;
			if (skip > 0) {
				at += skip;
				continue;
			}
			const from = at - last;
			const value = this.#longestAt(text, from, slot);
			if (value !== undefined) yield { value, from, to: from + value.length };
			at += value === undefined ? 1 : value.length;
		}
	}

	/** Whether a value is found where it stands by itself. */
	has(value: string): boolean {
		return this.#values.has(value);
	}

	#longestAt(text: string, from: number, slot: number): string | undefined {
		for (const [length, values] of this.#byEnd.get(slot) ?? []) {
			const value = text.slice(from, from + length);
			if (values.has(value) && standsAlone(text, value, from)) return value;
		}
		return undefined;
	}
}

function slotOf(text: string, at: number): number {
	return ((text.charCodeAt(at - 1) << 7) ^ text.charCodeAt(at)) & (SLOTS - 1);
}

/** Whether a value that stands in a text is meant there, and not only part of a longer word. */
export function standsAlone(text: string, value: string, from: number): boolean {
	if (isUnmistakable(value)) return true;
	const to = from + value.length;
	const joinsBefore = from > 0 && isWord(text, from) && isWord(text, from - 1);
	const joinsAfter = to < text.length && isWord(text, to) && isWord(text, to - 1);
	return (
		!joinsAfter &&
		!(joinsBefore && !/(?:\\[nrt]|%[0-9A-Fa-f]{2}|\[\d{0,3}m)$/.test(text.slice(Math.max(0, from - 5), from)))
	);
}

function isWord(text: string, at: number): boolean {
	const code = text.charCodeAt(at);
	return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
