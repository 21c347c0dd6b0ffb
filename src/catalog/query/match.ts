import { type Condition, projectName } from "./conditions.ts";
import { ALL_KINDS } from "./fields.ts";
import { bare, compose, fold, type MatchSpan, needleSpans } from "./fold.ts";
import { KINDS, type Kind } from "./kinds.ts";
import { ACCENT_LEVEL, levelOf } from "./other-forms.ts";
import type { Query } from "./parse-query.ts";
import { findForm, findRegex, testForm, testRegex } from "./regex.ts";
import { alternativesOf, type Term } from "./term.ts";

/** A searchable text of an entry. Its folded forms are made on first use. */
export class SearchText {
	readonly kind: Kind;
	/** As written in the session. */
	readonly text: string;
	/** Folded name of the tool whose arguments or output this is; "" for other text. */
	readonly tool: string;
	#folded: string | undefined;
	#bare: string | undefined;

	constructor(kind: Kind, text: string, tool = "") {
		this.kind = kind;
		this.text = text;
		this.tool = fold(tool);
	}

	get bit(): number {
		return KINDS[this.kind].bit;
	}

	/** For comparing with words that have accents. */
	get folded(): string {
		this.#folded ??= fold(this.text);
		return this.#folded;
	}

	/** For comparing with words without accents. */
	get bare(): string {
		this.#bare ??= bare(this.folded);
		return this.#bare;
	}

	/** For matching patterns: what is seen of the text. */
	get composed(): string {
		return compose(this.text);
	}
}

/** Where a term is in a text: `[start, end)` in the text's folded (words) or composed (patterns) form. */
export interface TermSpan extends MatchSpan {
	/** Whether it is a whole word: no letter, digit or `_` touches it. */
	readonly word: boolean;
}

/** Whether a text contains a term and has one of its kinds; a term without words matches every text of its kinds. */
export function holdsTerm(text: SearchText, term: Term): boolean {
	return levelIn(text, term) !== undefined;
}

/**
 * In which form a text contains a term: 0 as typed, else the level of its nearest form; undefined if it does not. Letters with accents
 * that were not typed always count, so that a filter finds them; a search for the words as typed takes only level 0 (`SessionMatches`).
 */
export function levelIn(text: SearchText, term: Term): number | undefined {
	if (term.anyOf === undefined) return levelOfOne(text, term);
	return nearestIn(text, term)?.level;
}

/** The nearest of the alternatives of a term that a text contains. */
function nearestIn(text: SearchText, term: Term): { readonly term: Term; readonly level: number } | undefined {
	let best: { readonly term: Term; readonly level: number } | undefined;
	for (const one of alternativesOf(term)) {
		const level = levelOfOne(text, one);
		if (level !== undefined && level < (best?.level ?? Number.POSITIVE_INFINITY)) best = { term: one, level };
	}
	return best;
}

function levelOfOne(text: SearchText, term: Term): number | undefined {
	const { needle, accents, regex, forms, kinds, tool } = term;
	if ((text.bit & kinds) === 0 || text.text === "") return undefined;
	if (tool !== undefined && !text.tool.includes(tool)) return undefined;
	if (regex !== undefined) return testRegex(regex, text.composed) ? 0 : undefined;
	if (needle === undefined || text.folded.includes(needle)) return 0;
	if (accents !== true && text.bare.includes(needle)) return ACCENT_LEVEL;
	const form = forms?.find(({ kind, source }) => kind !== "accent" && testForm(source, text.composed));
	return form && levelOf(form);
}

/** Whether an entry with these texts contains every term of a query, and none of the excluded ones. */
export function holdsAll(texts: readonly SearchText[], { terms, without }: Query): boolean {
	const isIn = (term: Term) => texts.some((text) => holdsTerm(text, term));
	return terms.every((term) => term.isOptional || isIn(term)) && !without.some(isIn);
}

/** Whether a text is the session's directory, and a word the whole name of that project. */
export function isOwnProject({ kind, text }: SearchText, { needle, kinds, tool }: Term): boolean {
	if (kind !== "cwd" || needle === undefined || kinds !== ALL_KINDS || tool !== undefined) return false;
	return fold(projectName(text)) === needle;
}

/** Largest number of spans that are examined to find a whole word. */
const MAX_EXAMINED = 20;

/** The first span of a term that is a whole word, else the first span; for a text that contains the term. */
export function spanOf(text: SearchText, asked: Term): TermSpan {
	const term = asked.anyOf === undefined ? asked : (nearestIn(text, asked)?.term ?? asked);
	const { regex } = term;
	let first: TermSpan | undefined;
	let examined = 0;
	const isInForm = term.forms !== undefined && (levelIn(text, term) ?? 0) > ACCENT_LEVEL;
	for (const { kind, source } of isInForm ? (term.forms ?? []) : [])
		if (kind !== "accent") for (const span of findForm(source, text.composed)) return { ...span, word: true };
	const spans =
		regex !== undefined
			? findRegex(regex, text.composed)
			: needleSpans(text.folded, term, term.accents ? text.folded : text.bare);
	const within = regex !== undefined ? text.composed : text.folded;
	for (const { start, end } of spans) {
		const span = { start, end, word: !isWordAt(within, start - 1) && !isWordAt(within, end) };
		if (span.word) return span;
		first ??= span;
		if (++examined >= MAX_EXAMINED) break;
	}
	return first ?? { start: 0, end: 0, word: true };
}

function isWordAt(text: string, index: number): boolean {
	return index >= 0 && index < text.length && /[\p{L}\p{N}_]/u.test(text.charAt(index));
}

/** Whether everything that matches `query` also matches `other`; detects only simple cases, as when more was typed. */
export function implies(query: Query, other: Query): boolean {
	const isAsked = (otherTerm: Term) => query.terms.some((term) => termImplies(term, otherTerm));
	const isExcluded = (unwanted: Term) => query.without.some((term) => termImplies(unwanted, term));
	const isMet = (otherCondition: Condition) =>
		query.conditions.some((one) => JSON.stringify(one) === JSON.stringify(otherCondition));
	// What an optional term means depends on the conditions, which name it by its place.
	if ([...query.terms, ...other.terms].some(({ isOptional }) => isOptional)) return false;
	return other.terms.every(isAsked) && other.without.every(isExcluded) && other.conditions.every(isMet);
}

/** Whether a text that contains the first term also contains the second. */
function termImplies(one: Term, otherOne: Term): boolean {
	return alternativesOf(one).every((term) => alternativesOf(otherOne).some((otherTerm) => impliesOne(term, otherTerm)));
}

function impliesOne(term: Term, otherTerm: Term): boolean {
	if ((term.kinds & ~otherTerm.kinds) !== 0) return false;
	if (otherTerm.tool !== undefined && term.tool?.includes(otherTerm.tool) !== true) return false;
	// Each has forms that the other may lack.
	if (term.forms !== undefined || otherTerm.forms !== undefined) return false;
	if (otherTerm.regex !== undefined) return term.regex === otherTerm.regex;
	return otherTerm.needle === undefined || term.needle?.includes(otherTerm.needle) === true;
}
