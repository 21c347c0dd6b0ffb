import { IS_VALUES, isDateField } from "./conditions.ts";
import { DATE_WORDS } from "./dates.ts";
import { FIELDS, fieldsBeginning, valuesOf } from "./fields.ts";
import { fold, hasNeedle, needleOf } from "./fold.ts";

/** Values that exist on this machine. */
export interface CompletionFacts {
	/** The last folders of the sessions' directories, most recently used first. */
	readonly projects: readonly string[];
	readonly tags: readonly string[];
	readonly agents: readonly string[];
}

/** A completion of the word before the cursor. */
interface Completion {
	/** Replaces `[start, end)` in the query; without a blank after it. */
	readonly text: string;
	readonly start: number;
	readonly end: number;
	/** What it means, in a few words; "" for names of projects, tags and agents. */
	readonly meaning: string;
	/** Whether it is complete: a value, not a field. */
	readonly isWhole: boolean;
}

/** Largest number of projects, tags or agents that are proposed. */
const MAX_NAMES = 50;

interface TypedValue {
	readonly start: number;
	readonly field: string;
	readonly value: string;
}

/** A field, or the beginning of one, with or without its value, at the end of the text; a quote may be open in the value. */
const FIELD_AND_VALUE = /(?:^|\s)-?([a-zA-Z]+):(?:"([^"]*)|([^\s"]*))$/;

/**
 * Completions of the field before the cursor, the likeliest first: its value, and its whole name if only its beginning was
 * typed. None for a word without a colon, in a phrase, in the middle of a word, or if the value is complete. Pure, and fast
 * enough for each key.
 */
export function completionsFor(text: string, cursor: number, facts: CompletionFacts): readonly Completion[] {
	if (/\S/.test(text.charAt(cursor))) return [];
	const beginning = text.slice(0, cursor);
	const [, tag] = TAG.exec(beginning) ?? [];
	if (tag !== undefined && !isInPhrase(beginning.slice(0, -tag.length - 1))) {
		const place = { field: "tag", value: tag, start: cursor - tag.length };
		return completeValue(place, cursor, facts).map((one) => {
			// Only the field takes a tag in quotes.
			return one.text.startsWith('"') ? { ...one, text: `tag:${one.text}`, start: one.start - 1 } : one;
		});
	}
	const [, typed, quoted, plain] = FIELD_AND_VALUE.exec(beginning) ?? [];
	if (typed === undefined || isInPhrase(beginning.slice(0, beginning.lastIndexOf(typed)))) return [];
	const name = typed.toLowerCase();
	const value = quoted ?? plain ?? "";
	const start = cursor - value.length - (quoted === undefined ? 0 : 1);
	if (FIELDS.has(name)) return completeValue({ start, field: name, value }, cursor, facts);
	const nameStart = start - name.length - 1;
	const begun = fieldsBeginning(name);
	const values = (field: string): readonly Completion[] =>
		completeValue({ start, field, value }, cursor, facts).map((one) => {
			return { ...one, text: `${field}:${one.text}`, start: nameStart };
		});
	const completions = begun.length === 1 || value !== "" ? begun.flatMap(values) : [];
	return completions.length > 0 || value !== ""
		? completions
		: begun.map((field) => wholeName(field, nameStart, cursor));
}

/** A tag as rows show it. */
const TAG = /(?:^|\s)-?#([^\s#"]*)$/;
const NAME = /^-?([a-zA-Z]+)$/;

/** The fields that a whole word is the beginning of, for a shell, in which Tab has no other meaning. */
export function fieldsForWord(word: string): readonly Completion[] {
	const name = NAME.exec(word)?.[1];
	if (name === undefined) return [];
	const lower = name.toLowerCase();
	const fields = [...(FIELDS.has(lower) ? [lower] : []), ...fieldsBeginning(lower)];
	return fields.map((field) => wholeName(field, word.length - name.length, word.length));
}

function wholeName(field: string, start: number, end: number): Completion {
	return { text: `${field}:`, start, end, meaning: FIELDS.get(field)?.meaning ?? "", isWhole: false };
}

function completeValue(typed: TypedValue, end: number, facts: CompletionFacts): readonly Completion[] {
	const { field, value, start } = typed;
	const lower = value.toLowerCase();
	const asCompletion = ([text, meaning]: readonly [string, string]): Completion => {
		return { text: /\s|^"/.test(text) ? `"${text}"` : text, start, end, meaning, isWhole: true };
	};
	const allValues = valuesWithMeaning(field);
	const begunValues = allValues.filter(([one]) => one.startsWith(lower));
	// "since:month" is this month or the last one.
	const values = begunValues.length > 0 ? begunValues : allValues.filter(([one]) => one.endsWith(`-${lower}`));
	const names = namesFor(field, facts);
	const matching = matchingNames(names, value);
	// The list shows the sessions of all tags that begin as typed.
	const shownNames = field === "tag" ? matching.filter((name) => fold(name).startsWith(fold(value))) : matching;
	const all = [...values, ...shownNames.map((name) => [name, ""] as const)];
	const isComplete = all.length === 1 && all[0] !== undefined && fold(all[0][0]) === fold(value);
	return isComplete ? [] : all.map(asCompletion);
}

function namesFor(field: string, { projects, tags, agents }: CompletionFacts): readonly string[] {
	if (field === "project") return projects;
	return field === "tag" ? tags : field === "agent" ? agents : [];
}

function valuesWithMeaning(field: string): readonly (readonly [string, string])[] {
	if (field === "is") return [...IS_VALUES];
	return (isDateField(field) ? DATE_WORDS : valuesOf(field)).map((value) => [value, ""] as const);
}

/** Names that begin with what was typed, then those that contain it elsewhere. */
function matchingNames(names: readonly string[], typed: string): readonly string[] {
	const needle = needleOf(typed);
	const begins = (name: string) => fold(name).startsWith(needle.text);
	const matches = [...new Set(names)].filter((name) => name !== "" && !name.includes('"') && hasNeedle(name, needle));
	return [...matches.filter(begins), ...matches.filter((name) => !begins(name))].slice(0, MAX_NAMES);
}

/** Whether a phrase is open at the end of a text. */
function isInPhrase(text: string): boolean {
	return (text.match(/(?:^|\s)-?"[^"]*"?/g) ?? []).some((phrase, index, all) => {
		return index === all.length - 1 && !/"[^"]*"$/.test(phrase) && text.endsWith(phrase);
	});
}
