import { accentedLetters, needleOf, TYPOGRAPHIC_FORMS } from "../../catalog/query/fold.ts";
import { rangesIn } from "../../catalog/query/snippet.ts";
import type { Term } from "../../catalog/query/term.ts";
import type { Steps } from "../../shared/steps.ts";
import type { Block } from "../terminal/piece.ts";

/** A part of the conversation in which something was found: by the places of its entry, block and part. */
export interface FoundPart {
	readonly entry: number;
	readonly block: number;
	readonly part: number;
	readonly count: number;
}

/** What is looked through: the blocks of the entries with these indexes, with everything unfolded. */
interface FindSource {
	readonly from: number;
	readonly to: number;
	blocks(entry: number): Iterable<Block>;
}

/** UTF-16 units, and parts, that are looked through while the screen waits. */
const AT_ONCE = 128 * 1024;
const PARTS_AT_ONCE = 500;

/**
 * Looks for something in a conversation of any length: at once as far as that takes a fraction of a frame, and then in
 * steps. It begins at one entry and goes around, so that what comes next is found first.
 */
export class FindJob {
	readonly matcher: Matcher;
	/** How often it was found so far. */
	total = 0;
	isComplete = false;
	readonly #source: FindSource;
	readonly #parts: Generator<number, void>;
	readonly #partsByEntry = new Map<number, FoundPart[]>();

	constructor(matcher: Matcher, source: FindSource, start: number) {
		this.matcher = matcher;
		this.#source = source;
		this.#parts = this.#lookThrough(start);
		let [units, parts] = [AT_ONCE, PARTS_AT_ONCE];
		while (units > 0 && parts-- > 0 && !this.isComplete) units -= this.#next();
	}

	/** Looks through the rest. */
	*steps(): Steps<void> {
		while (!this.isComplete) {
			this.#next();
			yield;
		}
	}

	in(entry: number): readonly FoundPart[] {
		return this.#partsByEntry.get(entry) ?? [];
	}

	countBefore(entry: number): number {
		let count = 0;
		for (const [index, parts] of this.#partsByEntry) if (index < entry) for (const part of parts) count += part.count;
		return count;
	}

	/** The next entry in which it was found, after (1) or before (-1) one, or around the end; undefined: none so far. */
	next(entry: number, direction: 1 | -1): number | undefined {
		const all = [...this.#partsByEntry.keys()];
		const ahead = all.filter((index) => (index - entry) * direction > 0);
		const candidates = ahead.length > 0 ? ahead : all;
		if (candidates.length === 0) return undefined;
		return candidates.reduce((best, index) => ((index - best) * direction < 0 ? index : best));
	}

	#next(): number {
		const { done, value } = this.#parts.next();
		if (done) this.isComplete = true;
		return value ?? 0;
	}

	/** The lengths of the parts that were looked through. */
	*#lookThrough(start: number): Generator<number, void> {
		const { from, to } = this.#source;
		for (let entry = start; entry < to; entry++) yield* this.#lookIn(entry);
		for (let entry = from; entry < start; entry++) yield* this.#lookIn(entry);
	}

	*#lookIn(entry: number): Generator<number, void> {
		let block = 0;
		for (const { parts } of this.#source.blocks(entry)) {
			for (const [part, { text }] of parts.entries()) {
				const count = text === "" ? 0 : this.matcher(text).length;
				if (count > 0) this.#add({ entry, block, part, count });
				yield text.length;
			}
			block++;
		}
		// Entries without text take time too.
		yield 0;
	}

	#add(part: FoundPart): void {
		const parts = this.#partsByEntry.get(part.entry);
		if (parts === undefined) this.#partsByEntry.set(part.entry, [part]);
		else parts.push(part);
		this.total += part.count;
	}
}

/** The places in a text where something is found: `[start, end)`, ascending. */
export type Matcher = (text: string) => readonly (readonly [start: number, end: number])[];

/** Finds a text as it is typed, in capitals or not, and with accents where it was typed without. */
export function textMatcher(needle: string): Matcher {
	const { text, accents } = needleOf(needle);
	const pattern = new RegExp(accents ? exactly(text) : withAnyAccents(text), "giu");
	return (text) => {
		const ranges: [number, number][] = [];
		for (const { index, 0: match } of text.matchAll(pattern)) ranges.push([index, index + match.length]);
		return ranges;
	};
}

/** As typed, accents composed or not. */
function exactly(text: string): string {
	return [...text].map((letter) => anyOf([...plainForms(letter), letter.normalize("NFD")])).join("");
}

function withAnyAccents(text: string): string {
	return [...text]
		.map((letter) => {
			const accented = accentedLetters(letter);
			return accented.length === 0 ? anyOf(plainForms(letter)) : `[${letter}${accented.join("")}][\\u0300-\\u036f]*`;
		})
		.join("");
}

/** A folded letter, and the quotes or dashes that it stands for. */
function plainForms(letter: string): readonly string[] {
	return [letter, ...(TYPOGRAPHIC_FORMS.get(letter) ?? "")];
}

const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;

function anyOf(texts: readonly string[]): string {
	const patterns = [...new Set(texts)].map((text) => text.replace(SYNTAX, "\\$&"));
	return patterns.length === 1 ? patterns.join("") : `(?:${patterns.join("|")})`;
}

export function termsMatcher(terms: readonly Term[]): Matcher {
	return (text) => rangesIn(text, terms);
}
