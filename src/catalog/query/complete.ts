import { DATE_FIELDS, IS_VALUES } from "./conditions.ts";
import { DATE_WORDS } from "./dates.ts";
import { FIELD_MEANINGS, NARROWING } from "./fields.ts";
import { fold } from "./fold.ts";
import { hasNeedle, needleOf } from "./needle.ts";

/** Values that exist on this machine. */
export interface CompletionFacts {
	/** The last folders of the sessions' directories, most recently used first. */
	readonly projects: readonly string[];
	readonly tags: readonly string[];
}

/** A completion of the word before the cursor. */
interface Completion {
	/** Replaces `[start, end)` in the query; without a blank after it. */
	readonly text: string;
	readonly start: number;
	readonly end: number;
	/** What it means, in a few words; "" for names of projects and tags. */
	readonly meaning: string;
	/** Whether it is complete: a value, not a field. */
	readonly isWhole: boolean;
}

/** Largest number of projects or tags that are proposed. */
const MAX_NAMES = 50;

interface Typed {
	readonly start: number;
	readonly field: string;
	readonly value: string;
}

/** A field with or without its value, at the end of the text; a quote may be open in the value. */
const FIELD_AND_VALUE = /(?:^|\s)-?([a-zA-Z]+):(?:"([^"]*)|([^\s"]*))$/;
const NAME = /(?:^|\s)-?([a-zA-Z]+)$/;

/**
 * Completions of the word before the cursor, the likeliest first; none in plain text, in a phrase, in the middle of a word, or
 * if the word is complete. Pure, and fast enough for each key.
 */
export function completionsFor(text: string, cursor: number, facts: CompletionFacts): readonly Completion[] {
	if (/\S/.test(text.charAt(cursor))) return [];
	const before = text.slice(0, cursor);
	const [, field, quoted, plain] = FIELD_AND_VALUE.exec(before) ?? [];
	if (field !== undefined) {
		const value = quoted ?? plain ?? "";
		const start = cursor - value.length - (quoted === undefined ? 0 : 1);
		return completeValue({ start, field: field.toLowerCase(), value }, cursor, facts);
	}
	const name = isInPhrase(before) ? undefined : NAME.exec(before)?.[1]?.toLowerCase();
	if (name === undefined) return [];
	const start = cursor - name.length;
	return [...FIELD_MEANINGS]
		.filter(([one]) => one.startsWith(name))
		.map(([one, meaning]) => ({ text: `${one}:`, start, end: cursor, meaning, isWhole: false }));
}

function completeValue(typed: Typed, end: number, facts: CompletionFacts): readonly Completion[] {
	const { field, value, start } = typed;
	const lower = value.toLowerCase();
	const asCompletion = ([text, meaning]: readonly [string, string]): Completion => {
		return { text: quoteValue(text), start, end, meaning, isWhole: true };
	};
	const found = valuesWithMeaning(field).filter(([one]) => one.startsWith(lower));
	const names = field === "project" ? facts.projects : field === "tag" ? facts.tags : [];
	const all = [...found, ...matchingNames(names, value).map((name) => [name, ""] as const)];
	const isComplete = all.length === 1 && all[0] !== undefined && fold(all[0][0]) === fold(value);
	return isComplete ? [] : all.map(asCompletion);
}

function valuesWithMeaning(field: string): readonly (readonly [string, string])[] {
	if (field === "is") return [...IS_VALUES];
	if (DATE_FIELDS.some((name) => name === field)) return DATE_WORDS.map((word) => [word, ""] as const);
	return [...(NARROWING.get(field)?.keys() ?? [])].map((value) => [value, ""] as const);
}

/** Names that begin with what was typed, then those that contain it elsewhere. */
function matchingNames(names: readonly string[], typed: string): readonly string[] {
	const needle = needleOf(typed);
	const begins = (name: string) => fold(name).startsWith(needle.text);
	const found = [...new Set(names)].filter((name) => name !== "" && !name.includes('"') && hasNeedle(name, needle));
	return [...found.filter(begins), ...found.filter((name) => !begins(name))].slice(0, MAX_NAMES);
}

/** A value as it must be typed, in quotes if necessary. */
function quoteValue(value: string): string {
	return /\s|^"/.test(value) ? `"${value}"` : value;
}

/** Whether a phrase is open at the end of a text. */
function isInPhrase(text: string): boolean {
	return (text.match(/(?:^|\s)-?"[^"]*"?/g) ?? []).some((phrase, index, all) => {
		return index === all.length - 1 && !/"[^"]*"$/.test(phrase) && text.endsWith(phrase);
	});
}
