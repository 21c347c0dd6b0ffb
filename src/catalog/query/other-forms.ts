import { compose, fold } from "./fold.ts";
import type { Query } from "./parse-query.ts";
import { stemForms } from "./stems.ts";
import { hasForms, type Term } from "./term.ts";

/** How a form differs from the word, nearest first; a form's level is its place here, and 0 is the word as typed. */
const FORM_KINDS = ["accent", "stem", "joined", "typing"] as const;

/** Another way in which a word may be written. */
export interface Form {
	readonly kind: (typeof FORM_KINDS)[number];
	/**
	 * A pattern in RE2's dialect, in lower case, that counts only as whole words (`findForm`). For "accent", the word itself, as it is
	 * found in a text without accents (`bare`), also within words.
	 */
	readonly source: string;
}

/** The level of a word with accents on its letters that were not typed. */
export const ACCENT_LEVEL = FORM_KINDS.indexOf("accent") + 1;

/** A word of a query, and what stands for it in a session. */
export interface OtherForm {
	/** As typed. */
	readonly word: string;
	/** As written in the session. */
	readonly matched: string;
}

/** Fewer sessions than these are followed by others, with other forms of the words. */
export const ENOUGH = 10;

/** The level of a form: 1 for the nearest. */
export function levelOf({ kind }: Form): number {
	return FORM_KINDS.indexOf(kind) + 1;
}

/** The other forms of a word as typed but for its accents, nearest first. */
export function otherForms(typed: string): Form[] {
	const [, word = ""] = WORD.exec(compose(typed)) ?? [];
	const folded = fold(word);
	const parts = partsOf(word);
	const forms: Form[] = [];
	const add = (kind: Form["kind"], source: string | undefined) => {
		if (source !== undefined) forms.push({ kind, source });
	};
	const stems = word === "" || parts.length > 1 ? [folded] : stemForms(folded);
	// A search for the word finds all that contain it, but "word?" is not in "word".
	add("stem", alternation(stems.filter((form) => form !== "" && !form.includes(fold(typed)))));
	add("joined", joined(parts));
	for (const source of LETTERS.test(folded) ? mistyped(folded) : []) add("typing", source);
	return forms;
}

/** The query with the other forms of its words; undefined if none has any. A phrase or a field's value has only that with accents. */
export function withOtherForms(query: Query): Query | undefined {
	const widened = (term: Term): Term => {
		const forms = term.typed === undefined ? [] : otherForms(term.typed);
		const accented = withAccents(term);
		return forms.length === 0 ? accented : { ...accented, forms: [...(accented.forms ?? []), ...forms] };
	};
	const terms = query.terms.map(
		(term): Term => (term.anyOf ? { ...term, anyOf: term.anyOf.map(widened) } : widened(term)),
	);
	return terms.some(hasForms) ? { ...query, terms } : undefined;
}

/** The term with the form that has accents on its letters, if none were typed; with the forms that it has, if it has some. */
export function withAccents(term: Term): Term {
	const { needle, accents, forms } = term;
	if (forms !== undefined || needle === undefined || accents || !ACCENTABLE.test(needle)) return term;
	return { ...term, forms: [{ kind: "accent", source: needle }] };
}

/** Letters from which `bare` removes accents. */
const ACCENTABLE = /[a-z\u0370-\u052f]/;

/** A word, a name in code or a number, and the punctuation of a sentence behind it. */
const WORD = /^((?=.{1,40}$)[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*)[.,;:!?]*$/u;
/** Words in which a typing error is likely, and that are not found by one in too many others. */
const LETTERS = /^[a-z]{6,24}$/;

/** More parts than names have: something like an id. */
const MAX_PARTS = 6;

/** The words of a name in code: `retryLoop2` has three. */
function partsOf(word: string): string[] {
	const parts = word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}\p{N}_-]+|\p{N}+/gu) ?? [];
	return parts.length > MAX_PARTS ? [fold(word)] : parts.map(fold);
}

/** The parts with anything between them that joins names, the last one in all its forms; single digits also with a zero. */
function joined(parts: readonly string[]): string | undefined {
	const [number = ""] = parts;
	if (parts.length < 2 && !/^0[0-9]$/.test(number)) return undefined;
	const last = parts.at(-1) ?? "";
	const forms = alternation(stemForms(last)) ?? last;
	const sources = parts.map((part) => (/^0?[0-9]$/.test(part) ? `0?${part.slice(-1)}` : part));
	return [...sources.slice(0, -1), /^0?[0-9]$/.test(last) ? `0?${last.slice(-1)}` : forms].join("[ _-]?");
}

/**
 * The word with one typing error: a letter more, fewer or another, or two neighbors swapped; what is too much may also be what
 * joins two words. Its first letter is right, or swapped: people hardly err there, and other words would be found (`letter` for
 * `better`). In two patterns, each with one half of the word as it is, by which ripgrep finds the lines ten times as fast.
 */
function mistyped(word: string): string[] {
	const middle = Math.ceil(word.length / 2);
	const [first, second] = [word.slice(0, middle), word.slice(middle)];
	const across = swapped(word, middle - 1);
	return [`${first}(?:${withError(second, 0)})|${across}`, `(?:${withError(first, 1)})${second}`];
}

/** Finds a word that is too short for that form, and those that it may be mistyped from; undefined for any other one. */
export function mistypedShort(word: string): RegExp | undefined {
	return SHORT.test(word) ? new RegExp(`\\b(?:${mistyped(fold(word)).join("|")})\\b`, "gi") : undefined;
}

const SHORT = /^[a-z]{4,5}$/i;

/** A part of a word with one error in it; none before the letter at `from`. */
function withError(part: string, from: number): string {
	const errors = new Set<string>();
	for (let at = 0; at < part.length; at++) {
		if (at < part.length - 1) errors.add(swapped(part, at));
		if (at < from) continue;
		const [head, rest, tail] = [part.slice(0, at), part.slice(at), part.slice(at + 1)];
		errors
			.add(`${head}[a-zA-Z _-]${rest}`)
			.add(`${head}[a-zA-Z]${tail}`)
			.add(head + tail);
	}
	errors.delete(part);
	return [...errors].join("|");
}

function swapped(part: string, at: number): string {
	return part.slice(0, at) + part.charAt(at + 1) + part.charAt(at) + part.slice(at + 2);
}

/** A pattern for any of the words, with their common beginnings written once; undefined without words. */
function alternation(words: readonly string[]): string | undefined {
	if (words.length === 0) return undefined;
	const byFirst = new Map<string, string[]>();
	for (const word of words) {
		const [first = ""] = word;
		byFirst.set(first, [...(byFirst.get(first) ?? []), word.slice(first.length)]);
	}
	const isOptional = byFirst.delete("");
	const some = [...byFirst].map(([first, rests]) => first + (alternation([...new Set(rests)]) ?? ""));
	const [only = ""] = some;
	if (some.length === 0) return "";
	const group = some.length === 1 && (only.length === 1 || !isOptional) ? only : `(?:${some.join("|")})`;
	return isOptional ? `${group}?` : group;
}
