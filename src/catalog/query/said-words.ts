import { isObject } from "../../shared/json.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { extractTexts } from "./extract.ts";
import { bare } from "./fold.ts";
import type { Term } from "./parse-query.ts";

/** Letters, digits and `_`, which a whole word has none of beside it (`TermSpan.word`): those that are one UTF-16 unit. */
const WORDS = /[[\p{L}\p{N}_]--[\u{10000}-\u{10ffff}]]+/gv;
/** Texts of which the words are those of ASCII: all else is punctuation and symbols. Their words are found in a quarter of the time. */
const ASCII_ONLY = /^[\0-\x7f\u2000-\u206f\u2190-\u245f\u2500-\u2775]*$/;
const ASCII_WORDS = /[a-z0-9_]+/g;
/** An accent that is no part of its letter: whether a word ends there depends on the letter. */
const ACCENT = /[\u0300-\u036f]/;
/** In UTF-16 units: the words of longer texts are too many to remember. */
const MOST_SAID = 1_000_000;
/** A term that is a single word, without accents. */
const PLAIN_WORD = /^[a-z0-9_]+$/;

/**
 * The words in what a person says in an entry, folded and without accents, not each only once; undefined if they cannot be told.
 * They are all plain words (`plainWordOf`) that a search finds there as whole words, and others.
 */
export function saidWords(entry: RawEntry): readonly string[] | undefined {
	const { type, message } = entry;
	// Nothing else has texts of the person, and to extract those of all entries takes long.
	if (type !== "message" || !isObject(message) || message.role !== "user") return [];
	const said = extractTexts(entry).filter(({ kind }) => kind === "user");
	const length = said.reduce((sum, { text }) => sum + text.length, 0);
	if (length > MOST_SAID || said.some(({ folded }) => ACCENT.test(folded))) return undefined;
	return said.flatMap(({ folded }) => wordsIn(folded));
}

function wordsIn(folded: string): readonly string[] {
	if (ASCII_ONLY.test(folded)) return folded.match(ASCII_WORDS) ?? [];
	return folded.match(WORDS)?.map(bare) ?? [];
}

/** The word of a term that `saidWords` may have; undefined for phrases, words with other characters, patterns and other forms. */
export function plainWordOf({ needle, accents, regex, forms }: Term): string | undefined {
	const isPlain = needle !== undefined && PLAIN_WORD.test(needle) && accents !== true;
	return isPlain && regex === undefined && forms === undefined ? needle : undefined;
}
