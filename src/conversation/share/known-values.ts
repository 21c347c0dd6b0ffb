import type { Found } from "./found.ts";
import { isUnmistakable, looksDistinctive } from "./looks-secret.ts";
import { wordsPattern } from "./words.ts";

/** UTF-16 units of the beginnings by which values are looked for; the shortest one has as many. */
const BEGINNING = 8;
/** Beginnings in a pattern: one of many thousands is too large. */
const MOST_WORDS = 500;

/** Values that are masked wherever they stand, and a search for all of them. */
export class KnownValues {
	readonly #values = new Set<string>();
	/** The lengths of those with the same beginning. */
	readonly #lengths = new Map<string, Set<number>>();
	/** Finds the beginnings; undefined after another one was added. */
	#patterns: readonly RegExp[] | undefined;

	get size(): number {
		return this.#values.size;
	}

	/** Adds a value, unless it is too common to be masked wherever it stands. */
	add(value: string): void {
		if (this.#values.has(value) || !looksDistinctive(value)) return;
		this.#values.add(value);
		const beginning = value.slice(0, BEGINNING);
		const lengths = this.#lengths.get(beginning);
		if (lengths === undefined) this.#patterns = undefined;
		this.#lengths.set(beginning, new Set([...(lengths ?? []), value.length]));
	}

	/** The places in which a value stands by itself; the longest of those that begin together. */
	*find(text: string): Generator<Omit<Found, "kind"> & { readonly value: string }> {
		this.#patterns ??= this.#newPatterns();
		for (const pattern of this.#patterns) {
			pattern.lastIndex = 0;
			for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
				const { index } = match;
				const lengths = [...(this.#lengths.get(match[0]) ?? [])].sort((one, other) => other - one);
				const value = lengths
					.map((length) => text.slice(index, index + length))
					.find((each) => this.#values.has(each) && standsAlone(text, each, index));
				if (value !== undefined) yield { value, from: index, to: index + value.length };
				pattern.lastIndex = index + (value?.length ?? 1);
			}
		}
	}

	#newPatterns(): readonly RegExp[] {
		const beginnings = [...this.#lengths.keys()].sort();
		const parts = Array.from({ length: Math.ceil(beginnings.length / MOST_WORDS) }, (_, index) =>
			beginnings.slice(index * MOST_WORDS, (index + 1) * MOST_WORDS),
		);
		return parts.map(wordsPattern);
	}
}

/** Whether a value that stands in a text is meant there, and not only part of a longer word. */
function standsAlone(text: string, value: string, from: number): boolean {
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
