import { createRequire } from "node:module";
import type { RE2JS } from "re2js";

/** The span of a match in UTF-16 units, `[start, end)`. */
interface RegexMatch {
	readonly start: number;
	readonly end: number;
}

// Loaded with the first pattern, because its tables would add five milliseconds to every start.
const load = createRequire(import.meta.url);
const compiled = new Map<string, RE2JS>();
/** More patterns than anyone types in a row. */
const MAX_COMPILED = 50;
/** Longer patterns were pasted, and would take long to compile. */
const MAX_LENGTH = 2000;

/**
 * The compiled pattern of a `re:` term, in RE2's dialect, ignoring case, with `^` and `$` at each line. RE2's engine
 * takes time linear in the text, so no pattern can hang the screen. Throws an `Error` that says what is wrong with it.
 */
function regexOf(source: string): RE2JS {
	let regex = compiled.get(source);
	if (!regex) {
		// The package's own types.
		const { RE2JS: Engine } = load("re2js") as typeof import("re2js");
		if (compiled.size >= MAX_COMPILED) compiled.clear();
		regex = Engine.compile(source, Engine.CASE_INSENSITIVE | Engine.MULTILINE);
		compiled.set(source, regex);
	}
	return regex;
}

/** Why a pattern cannot be used, in a few words; undefined if it can. */
export function regexProblem(source: string): string | undefined {
	if (source.length > MAX_LENGTH) return `it has more than ${MAX_LENGTH} characters`;
	try {
		regexOf(source);
		return undefined;
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		// The engine puts its flags in front of what was typed.
		return message.replace(/^error parsing regexp: /, "").replace("(?m)(?i)", "");
	}
}

/** Whether the pattern matches anywhere in the (composed) text. */
export function testRegex(source: string, text: string): boolean {
	return regexOf(source).test(text);
}

/** The non-empty matches of the pattern, in order; a few times slower than the test. */
export function* findRegex(source: string, text: string): Generator<RegexMatch> {
	const matcher = regexOf(source).matcher(text);
	while (matcher.find()) if (matcher.end() > matcher.start()) yield { start: matcher.start(), end: matcher.end() };
}
