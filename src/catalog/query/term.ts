import type { Form } from "./other-forms.ts";

/** A word, a phrase, a pattern or a kind of text to find. Plain data. */
export interface Term {
	/** Folded text to find. With neither this nor `regex`, any text of the kinds matches. */
	readonly needle?: string | undefined;
	/** Whether the text was typed with accents, so that it only matches with these. */
	readonly accents?: true | undefined;
	/** Pattern to find, in RE2's dialect, composed; see regex.ts. */
	readonly regex?: string | undefined;
	/** The word as typed, if it may also stand in other forms: without quotes, a field of its own and a `-`. */
	readonly typed?: string | undefined;
	/** Other forms of the word that count too, nearest first; see other-forms.ts. */
	readonly forms?: readonly Form[] | undefined;
	/** The kinds of text that count, as a bit mask. */
	readonly kinds: number;
	/** Limits it to calls of a tool whose name contains this (folded). */
	readonly tool?: string | undefined;
	/** Terms of which one suffices (`a or b`): this term then has no words, forms and tool of its own. */
	readonly anyOf?: readonly Term[] | undefined;
	/**
	 * Whether it is looked for, but need not be there: it is an alternative to something else than words, as in `failed or is:failed`.
	 * The conditions of the query tell what follows from it.
	 */
	readonly isOptional?: true | undefined;
}

/** What may stand for a term: itself, or each of the terms of which one suffices. */
export function alternativesOf(term: Term): readonly Term[] {
	return term.anyOf ?? [term];
}

export function flatTerms(terms: readonly Term[]): readonly Term[] {
	return terms.flatMap(alternativesOf);
}

export function anyOf(terms: readonly [Term, ...Term[]]): Term {
	const flat = flatTerms(terms);
	if (flat.length === 1) return terms[0];
	return { kinds: flat.reduce((mask, { kinds }) => mask | kinds, 0), anyOf: flat };
}

/** What to say for the words of a term: "error or fail"; "" for one without words. */
export function wordsOfTerm(term: Term): string {
	const words = alternativesOf(term).flatMap(({ typed, needle, regex }) => typed ?? needle ?? regex ?? []);
	return [...new Set(words)].join(" or ");
}

export function hasForms(term: Term): boolean {
	return alternativesOf(term).some(({ forms }) => forms !== undefined);
}

/** Whether it asks for certain words, and not for any text of some kinds. */
export function hasWords(term: Term): boolean {
	return alternativesOf(term).some(({ needle, regex }) => needle !== undefined || regex !== undefined);
}
