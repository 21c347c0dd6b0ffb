/** The span of a match in UTF-16 units, `[start, end)`. */
interface FormSpan {
	readonly start: number;
	readonly end: number;
}

const compiled = new Map<string, RegExp>();
/** More forms than the words of a query have. */
const MAX_COMPILED = 100;

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
	let regex = compiled.get(source);
	if (!regex) {
		if (compiled.size >= MAX_COMPILED) compiled.clear();
		const eitherCase = source.replace(/\[[^\]]*\]|\p{L}/gu, (one) =>
			one.length > 1 ? one : `[${one}${one.toUpperCase()}]`,
		);
		regex = new RegExp(`${EDGE}(?:${eitherCase})${EDGE}`, "gu");
		compiled.set(source, regex);
	}
	return regex;
}

/** The matches of a form in a composed text, in order. Only whole words count, also within a name in code. */
export function* findForm(source: string, text: string): Generator<FormSpan> {
	for (const { 0: matched, index } of text.matchAll(formOf(source)))
		yield { start: index, end: index + matched.length };
}

/** Whether a form is in a composed text. */
export function testForm(source: string, text: string): boolean {
	return text.search(formOf(source)) !== -1;
}
