import { placesIn, visible, visiblePlaces } from "./hidden.ts";

/**
 * Text in the form for comparing: composed (`compose`), in lower case, with the final sigma like any other, and with plain quotes,
 * apostrophes and dashes for the typographic ones, so that texts that look the same are equal however they were typed. As long as the
 * composed text.
 */
export function fold(text: string): string {
	const composed = compose(text);
	// The only character whose lower case has two characters; ripgrep does not match it with "i" either.
	const lower = composed.includes("İ")
		? composed
				.split("İ")
				.map((part) => part.toLowerCase())
				.join("İ")
		: composed.toLowerCase();
	const plain = lower.includes("ς") ? lower.replaceAll("ς", "σ") : lower;
	return TYPOGRAPHIC.test(plain) ? plain.replace(/[^\0-\x7f]/g, (sign) => PLAIN_SIGNS.get(sign) ?? sign) : plain;
}

/** The typographic forms of quotes, apostrophes and dashes, by the plain sign. Each is one UTF-16 unit, with three bytes or two. */
export const TYPOGRAPHIC_FORMS: ReadonlyMap<string, string> = new Map([
	["'", "\u2018\u2019\u201a\u201b\u2032\u02bc"],
	['"', "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"],
	["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"],
]);
const PLAIN_SIGNS: ReadonlyMap<string, string> = new Map(
	[...TYPOGRAPHIC_FORMS].flatMap(([plain, forms]) => [...forms].map((form) => [form, plain] as const)),
);
const TYPOGRAPHIC = new RegExp(`[${[...TYPOGRAPHIC_FORMS.values()].join("")}]`);

/** Text in composed form (NFC), without what does not show (`visible`). Most text is ASCII, for which this would only cost time. */
export function compose(text: string): string {
	return ASCII.test(text) ? text : visible(text).normalize("NFC");
}

/**
 * For each unit of the composed text its place in the text itself, also for the end of both; undefined if that differs from it in more
 * than what does not show.
 */
export function composedPlaces(text: string, composed: string): readonly number[] | undefined {
	const places = visiblePlaces(text);
	return places.length === composed.length + 1 ? places : undefined;
}

/** A span of the composed text in the text itself: without what does not show behind it. */
export function spanAt(places: readonly number[], { start, end }: MatchSpan): MatchSpan {
	return { start: places[start] ?? start, end: end > start ? (places[end - 1] ?? end - 1) + 1 : (places[end] ?? end) };
}

// Printable characters, tab, newline and return.
const ASCII = /^[\t\n\r\x20-\x7e]*$/;

/**
 * A folded text without the accents of Latin, Greek and Cyrillic letters, for comparing with words typed without accents. In
 * other scripts such marks are letters. Whatever occurs in a text also occurs, in this form, in this form of the text.
 */
export function bare(folded: string): string {
	return MAY_BE_ACCENTED.test(folded) ? folded.replace(ACCENTED, bareLetter) : folded;
}

/** Every accented letter has one of these. Much text is not ASCII only because of its quotes and dashes. */
// biome-ignore lint/suspicious/noMisleadingCharacterClass: single characters are looked for, in half the time of two classes.
const MAY_BE_ACCENTED = /[\u00c0-\u024f\u0300-\u052f\u1e00-\u1fff]/;
/** Matches the accented letters of a folded text, also with accents as separate characters. */
const ACCENTED =
	/[a-z\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff][\u0300-\u036f]+|[\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff]/g;
const ACCENTS = /[\u0300-\u036f]/g;
const bareLetters = new Map<string, string>();
/** There are fewer letters, but a letter may have any number of accents. */
const MAX_KNOWN = 5000;

/** A letter matched by `ACCENTED`, without its accents. */
function bareLetter(letter: string): string {
	let bareForm = bareLetters.get(letter);
	if (bareForm === undefined) {
		// "İ" is the only one that is not in lower case yet.
		bareForm = letter.normalize("NFD").replace(ACCENTS, "").normalize("NFC").toLowerCase();
		if (bareLetters.size >= MAX_KNOWN) bareLetters.clear();
		bareLetters.set(letter, bareForm);
	}
	return bareForm;
}

/** The beginning of a text, at most `length` UTF-16 units; omits a letter at the cut, which may have lost its accents. */
export function beginningOf(text: string, length: number): string {
	return text.length > length ? text.slice(0, length).replace(/\P{M}\p{M}*$/u, "") : text;
}

/** Letters with accents are before this one. */
const AFTER_ACCENTED = 0x2000;
let accentedForms: ReadonlyMap<string, readonly string[]> | undefined;

/** The accented forms of a letter (folded, bare), in both cases. */
export function accentedLetters(letter: string): readonly string[] {
	accentedForms ??= Map.groupBy(
		Array.from({ length: AFTER_ACCENTED }, (_, code) => String.fromCharCode(code)).filter(
			(one) => bare(fold(one)) !== fold(one),
		),
		(one) => bare(fold(one)),
	);
	return accentedForms.get(letter) ?? [];
}

/** A word or phrase to find, as plain data. */
export interface Needle {
	/** Folded. */
	readonly text: string;
	/** Whether it was typed with accents, so that it only matches with these; without accents it matches with any. */
	readonly accents?: true;
}

export function needleOf(typed: string): Needle {
	const text = fold(typed);
	return bare(text) === text && !/[\u0300-\u036f]/.test(text) ? { text } : { text, accents: true };
}

/** Whether a text contains a word, in any case, and with accents if it was typed without. */
export function hasNeedle(text: string, { text: needle, accents }: Needle): boolean {
	const folded = fold(text);
	return (accents ? folded : bare(folded)).includes(needle);
}

/** The span of a match in UTF-16 units, `[start, end)`. */
export interface MatchSpan {
	readonly start: number;
	readonly end: number;
}

/**
 * The positions of a word in a folded text, in order and not overlapping; a word without accents also matches with accents. `text`: the
 * text to look in, if that is made already.
 */
export function* needleSpans(
	folded: string,
	{ needle, accents }: { readonly needle?: string | undefined; readonly accents?: true | undefined },
	text = accents ? folded : bare(folded),
): Generator<MatchSpan> {
	if (needle === undefined || needle === "") return;
	// The bare text lacks accents that are separate characters.
	const places = text.length === folded.length ? undefined : placesIn(folded, ACCENTED, bareLetter);
	for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
		const end = at + needle.length;
		yield { start: places?.[at] ?? at, end: places?.[end] ?? end };
	}
}
