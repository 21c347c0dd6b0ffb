import { createRequire } from "node:module";
import type { RE2JS } from "re2js";
import { messageOf } from "../../shared/attempt.ts";
import { RecentlyUsed } from "../../shared/memo.ts";
import type { MatchSpan } from "./fold.ts";

// Loaded with the first pattern, because its tables would add five milliseconds to every start.
const load = createRequire(import.meta.url);
/** More patterns than anyone types in a row. */
const regexes = new RecentlyUsed<string, RE2JS>(50);
/** More forms than the words of a query have. */
const forms = new RecentlyUsed<string, RegExp>(100);
/** Longer patterns were pasted, and would take long to compile. */
const MAX_LENGTH = 2000;

/**
 * The compiled pattern of a `re:` term, in RE2's dialect, ignoring case, with `^` and `$` at each line. RE2's engine
 * takes time linear in the text, so no pattern can hang the screen. Throws an `Error` that says what is wrong with it.
 */
function regexOf(source: string): RE2JS {
	return regexes.get(source, () => {
		// The package's own types.
		const { RE2JS: Engine } = load("re2js") as typeof import("re2js");
		return Engine.compile(source, Engine.CASE_INSENSITIVE | Engine.MULTILINE);
	});
}

/** Why a pattern cannot be used, in a few words; undefined if it can. */
export function regexProblem(source: string): string | undefined {
	if (source.length > MAX_LENGTH) return `it has more than ${MAX_LENGTH} characters`;
	try {
		regexOf(source);
		return undefined;
	} catch (error) {
		const message = messageOf(error);
		// The engine puts its flags in front of what was typed.
		return message.replace(/^error parsing regexp: /, "").replace("(?m)(?i)", "");
	}
}

export function testRegex(source: string, text: string): boolean {
	return regexOf(source).test(text);
}

/** The non-empty matches of the pattern, in order; a few times slower than the test. */
export function* findRegex(source: string, text: string): Generator<MatchSpan> {
	const matcher = regexOf(source).matcher(text);
	while (matcher.find()) if (matcher.end() > matcher.start()) yield { start: matcher.start(), end: matcher.end() };
}

/** Where a name in code begins a new word: `retryLoop`, `HTTPServer`. */
const HUMP = String.raw`(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})`;
/** The edge of a word: no letter beside a letter, unless in another case, and no digit or decimal point beside a digit. */
const LETTER = String.raw`[\p{L}\p{M}]`;
const EDGE = String.raw`(?:(?<!${LETTER})|(?!${LETTER})|${HUMP})(?:(?<!\d[.,]?)|(?!\d))(?:(?<!\d)|(?![.,]?\d))`;

/**
 * JavaScript's own pattern for a form: RE2 has no lookaround, and a search for whole words in names like `retryLoop` needs some.
 * It has no repetition, so it cannot take long.
 */
function formOf(source: string): RegExp {
	return forms.get(source, () => {
		const eitherCase = source.replace(/\[[^\]]*\]|\p{L}/gu, (one) =>
			one.length > 1 ? one : `[${one}${one.toUpperCase()}]`,
		);
		return new RegExp(`${EDGE}(?:${eitherCase})${EDGE}`, "gu");
	});
}

/** The matches of a form in a composed text, in order. Only whole words count, also within a name in code. */
export function* findForm(source: string, text: string): Generator<MatchSpan> {
	for (const { 0: matched, index } of text.matchAll(formOf(source)))
		yield { start: index, end: index + matched.length };
}

export function testForm(source: string, text: string): boolean {
	return text.search(formOf(source)) !== -1;
}
