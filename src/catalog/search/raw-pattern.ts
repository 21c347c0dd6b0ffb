import { MESSAGE_PATTERN, ROLE_PATTERN } from "../../store/format/line-head.ts";
import { ALL_KINDS } from "../query/fields.ts";
import { beginningOf } from "../query/fold.ts";
import { HIDDEN_BYTES, HIDDEN_ESCAPE } from "../query/hidden.ts";
import { KINDS, kindsIn } from "../query/kinds.ts";
import { type Form, levelOf, withAccents } from "../query/other-forms.ts";
import { alternativesOf, flatTerms, hasWords, type Term } from "../query/term.ts";
import { rawAccented } from "./raw-accented.ts";
import { rawNeedle } from "./raw-needle.ts";
import { rawForm, rawRegex } from "./raw-regex.ts";

// All are patterns for ripgrep, on the bytes of a line, ignoring the case of ASCII letters.

/**
 * The rest of a JSON string that is a value and not a field name: up to an escape, which no name in pi's files has, or
 * up to the end and what follows a value.
 */
const REST_OF_VALUE = String.raw`[^"\\]*(?:\\|"\s*[,}\]])`;

/** Fields whose strings are never text, except inside a tool call's arguments and in diagnostics. */
const SYNTAX_FIELDS =
	"(?:type|id|parentId|timestamp|role|toolCallId|toolName|mimeType|responseId|targetId|fromId|firstKeptEntryId|customType|thinkingLevel|data|thinkingSignature|textSignature|parentSession)";

/** The end of an answer, from the value of `api` or `stopReason` on, in pi's own key order. */
const TAIL = String.raw`"(?:,"provider":"[^"\\]*+","model":"[^"\\]*+","usage":\{(?:[^{}]++|\{[^{}]*+\})*+\},"stopReason":"[^"\\]*+")?,"timestamp":\d++(?:,"responseId":"[^"\\]*+")?\}\}`;

/** Values that these fields have in nearly every session. */
const SYNTAX_VALUES = (
	"message session text thinking toolCall image user assistant toolResult bashExecution custom hookMessage system " +
	"branchSummary compactionSummary model_change thinking_level_change compaction branch_summary custom_message label " +
	"session_info usage context_edit toolu_ call_ fc_ msg_ resp_ image/png image/jpeg " +
	"off minimal low medium high xhigh bash read write edit grep find ls"
).toLowerCase();
/** The same for `api` and `stopReason`. */
const TAIL_VALUES =
	"stop tooluse length error aborted anthropic-messages openai-completions openai-responses openai-codex-responses google-generative-ai";

/**
 * A pattern that matches every line whose text contains the term. It may match other lines, so a match counts only
 * after the line was parsed.
 */
function linePattern(term: Term): string {
	return besideOf(term, rawText(term));
}

/**
 * Patterns that together match every line whose text contains a term in any of its forms, nearest forms first, but for lines with characters
 * that do not show (`HIDDEN_LINE`). ripgrep is fast with each of them, but not with all at once. `level`: that of the nearest of its forms.
 */
export function passesOf(term: Term): readonly { readonly pattern: string; readonly level: number }[] {
	if (term.anyOf !== undefined) return term.anyOf.flatMap(passesOf);
	const { forms = [], needle: _needle, accents: _accents, ...rest } = term;
	const last = forms.findLast(({ kind }) => kind === "typing");
	const groups = [forms.filter((form) => form !== last), forms.filter((form) => form === last)];
	return [
		{ pattern: linePattern({ ...term, forms: undefined }), level: 0 },
		...groups.flatMap((some) => {
			if (some.length === 0) return [];
			return [{ pattern: linePattern({ ...rest, forms: some }), level: Math.min(...some.map(levelOf)) }];
		}),
	];
}

/**
 * What stands before a character that does not show where a pattern would have to allow for it: ASCII, a Latin, Greek or Cyrillic
 * letter, a dash, a quote. The patterns for all other characters do (`rawNeedle`), so that emoji and joined scripts cost nothing.
 */
const BEFORE_HIDDEN = String.raw`[\x20-\x7e]|[\xc2-\xd4][\x80-\xbf]|\xe1[\xb8-\xbf].|\xe2[\x80\x84\x88].`;

/**
 * A pattern for lines in which characters that do not show may stand within a word or a phrase: in text that was copied from pages of the
 * web, and behind signs like 1️⃣ and ℹ️. To allow for them in the pattern for a word would make each pass several times as slow.
 */
export const HIDDEN_LINE = `(?:${BEFORE_HIDDEN})(?:${HIDDEN_BYTES}|${HIDDEN_ESCAPE})`;

/** Patterns for all lines that may have any of the terms, in any form, and always with accents that were not typed. */
export function patternsForAny(terms: readonly Term[]): readonly string[] {
	const patterns = flatTerms(terms)
		.map(withAccents)
		.flatMap(passesOf)
		.map(({ pattern }) => pattern);
	return terms.some(hasWords) ? [...patterns, HIDDEN_LINE] : patterns;
}

function besideOf(term: Term, text: string | undefined): string {
	const jsonStrings = term.kinds === ALL_KINDS ? undefined : rawJsonStrings(term.kinds);
	const beside = term.tool === undefined || mayOverlap(term, term.tool) ? jsonStrings : rawStart(term.tool);
	if (text === undefined || beside === undefined) return text ?? beside ?? "";
	return `${beside}.*${text}|${text}.*${beside}`;
}

/** Matches all lines with text of the term's kinds: for terms whose text ripgrep cannot search. */
export function anyLinePattern({ kinds }: Term): string {
	return kinds === ALL_KINDS ? "" : rawJsonStrings(kinds);
}

/**
 * Two patterns, the first for ripgrep's second engine, that together match what `linePattern` does, but hardly ever a line by pi in which
 * the term is only part of the syntax: an id, a time, a role. The first is as fast as any and finds most lines. The second finds the rest:
 * such fields among a tool's arguments, and in diagnostics. Undefined for a term that is unlikely to be syntax.
 */
export function syntaxPatterns(term: Term): readonly [string, string] | undefined {
	const { needle } = term;
	if (
		needle === undefined ||
		needle.length > MAX_NEEDLE ||
		term.tool !== undefined ||
		term.kinds !== ALL_KINDS ||
		!isSyntax(needle)
	)
		return undefined;
	const raw = rawNeedle(needle);
	const inTail = !TAIL_VALUES.includes(needle)
		? ""
		: String.raw`(?!(?<="(?:api|stopReason)":"[^"\\]{0,40}${raw})[^"\\]{0,40}${TAIL}$)`;
	// The condition stands behind the first letters, because PCRE2 searches fast for a text, but not for a condition.
	const [first = ""] = FIRST_LETTERS.exec(needle) ?? [];
	const start = rawNeedle(first);
	const isValue = String.raw`(?<!"${SYNTAX_FIELDS}":"[^"\\]{0,60}${start})`;
	const text = String.raw`${start}${isValue}${rawNeedle(needle.slice(first.length))}${inTail}[^"\\]*+(?!"\s*+:)`;
	const value = String.raw`"${SYNTAX_FIELDS}"\s*:\s*"[^"\\]*`;
	// One character in front lets ripgrep search for the digits first, which are rarer than tool calls.
	const called = isNumber(needle)
		? String.raw`."(?:arguments|diagnostics)"\s*:.*(?:${value}|${NUMBER})`
		: String.raw`"(?:arguments|diagnostics)"\s*:.*${value}`;
	return [text, called + raw];
}

/** A pattern for lines that are not the output of a tool, in pi's own key order; for ranking, not for finding. */
export function saidPattern(term: Term): string {
	return String.raw`^(?:\{"type":"[^m]|${MESSAGE_PATTERN}[^t]).*${rawText(term) ?? ""}`;
}

/** A pattern for calls of the tools that change files; for ranking, not for finding. */
export function changePattern(term: Term): string {
	const text = rawText(term) ?? "";
	return `${CHANGING_CALLS}.*${text}|${text}.*${CHANGING_CALLS}`;
}

/** A call of a tool that changes a file, or the result of one. */
export const CHANGING_CALLS = String.raw`"(?:name|toolName)"\s*:\s*"(?:edit|write)"`;

/** Ignoring case here would halve the speed. */
const OWN_HEAD = String.raw`(?-i:\{"type":"(?:label|session_info|branch_summary|compaction)"|${ROLE_PATTERN}user")`;

/** A pattern for what the person said, names, labels and summaries, in pi's own key order; for ranking, not for finding. */
export function ownPattern(term: Term): string {
	return `${OWN_HEAD}.*${rawText(term) ?? ""}`;
}

/** The same where a word is whole; undefined for what is no word. */
export function ownWordPattern({ needle }: Term): string | undefined {
	if (needle === undefined) return undefined;
	return String.raw`${OWN_HEAD}.*(?:[^0-9a-z_]|\\[nrt])${rawStart(needle)}[^0-9a-z_]`;
}

/** A pattern for lines with all terms, in any order; for ranking. Undefined if it would be too large. */
export function togetherPattern(terms: readonly Term[]): string | undefined {
	const rawOne = ({ needle, regex, forms = [] }: Term): string => {
		if (regex !== undefined) return rawRegex(regex);
		return [
			rawStart(needle ?? ""),
			...forms.map(({ kind, source }) => (kind === "accent" ? rawAccented(source) : rawForm(source))),
		].join("|");
	};
	const raw = terms.map((term) => alternativesOf(term).map(rawOne).join("|"));
	if (terms.length < 2 || terms.length > MAX_TOGETHER) return undefined;
	const source = permutations(raw.map((one) => `(?:${one})`))
		.map((some) => some.join(".*"))
		.join("|");
	return source.length > MAX_SOURCE ? undefined : source;
}

/** Three terms have six orders. */
const MAX_TOGETHER = 3;

function permutations(of: readonly string[]): string[][] {
	if (of.length <= 1) return [[...of]];
	return of.flatMap((one, index) => permutations(of.toSpliced(index, 1)).map((rest) => [one, ...rest]));
}

/**
 * As much of a word as PCRE2 can look back over together with a field: 255 bytes, of which an escaped character takes six. "/" has
 * forms of any length.
 */
const FIRST_LETTERS = /^[^/]{0,28}/;

/** Whether most occurrences of a word are likely to be syntax, not text. */
function isSyntax(needle: string): boolean {
	if (!/^[\x20-\x7e]+$/.test(needle)) return false;
	const isValue = SYNTAX_VALUES.includes(needle) || TAIL_VALUES.includes(needle);
	return needle.length < 4 || isValue || /^(?=.*\d)[0-9a-f-]+$|^[0-9:.tz+-]+$/.test(needle);
}

/** Undefined if ripgrep cannot narrow the lines down, so that any text may match. */
function rawText({ needle, regex, forms, anyOf }: Term): string | undefined {
	if (anyOf !== undefined) {
		const each = anyOf.map(rawText);
		return each.includes(undefined) ? undefined : `(?:${each.join("|")})`;
	}
	if (forms !== undefined) {
		const typed = needle === undefined ? [] : [rawText({ needle, kinds: ALL_KINDS }) ?? ""];
		return `(?:${[...typed, ...forms.map(rawFormText)].join("|")})`;
	}
	if (regex !== undefined) {
		const raw = `(?:${rawRegex(regex)})${REST_OF_VALUE}`;
		return raw.length > MAX_SOURCE ? undefined : raw;
	}
	if (needle === undefined) return undefined;
	if (needle.length > mostOf(needle)) return rawStart(needle);
	const value = rawNeedle(needle) + REST_OF_VALUE;
	return isNumber(needle) ? String.raw`(?:${value}|"arguments"\s*:.*${NUMBER}${rawNeedle(needle)})` : value;
}

function rawFormText({ kind, source }: Form): string {
	if (kind === "accent") return rawAccented(source);
	const raw = `(?:${rawForm(source)})`;
	const value = raw + REST_OF_VALUE;
	return /^[0-9]/.test(source) ? String.raw`(?:${value}|"arguments"\s*:.*${NUMBER}${raw})` : value;
}

/** A longer pattern might not fit in a command line, together with the paths. */
const MAX_SOURCE = 6000;
/** Of a longer phrase only this many first characters are in the pattern; the line is compared with the whole phrase. */
const MAX_NEEDLE = 200;
/** The same for scripts whose characters have long patterns. */
const MAX_UNCOMMON = 40;

function mostOf(needle: string): number {
	return /[^\0-\u052f]/.test(needle) ? MAX_UNCOMMON : MAX_NEEDLE;
}

function rawStart(needle: string): string {
	return rawNeedle(beginningOf(needle, mostOf(needle)));
}

/** Numbers are text among a tool's arguments. */
const NUMBER = String.raw`[:\[,]\s*[0-9.eE+-]*`;

function isNumber(needle: string): boolean {
	return /^[0-9.e+-]+$/.test(needle);
}

/** Matches JSON strings of which every line with text of these kinds contains at least one. */
function rawJsonStrings(kinds: number): string {
	const jsonStrings = new Set(kindsIn(kinds).flatMap((kind): readonly string[] => KINDS[kind].jsonStrings));
	return `"(?:${[...jsonStrings].join("|")})"`;
}

/** Whether a match may overlap the tool's name, so that a pattern cannot require one before or after the other. */
function mayOverlap({ needle, regex, forms }: Term, tool: string): boolean {
	if (regex !== undefined || forms !== undefined) return true;
	if (needle === undefined || needle.includes(tool) || tool.includes(needle)) return needle !== undefined;
	for (let length = 1; length < Math.min(needle.length, tool.length); length++) {
		if (needle.endsWith(tool.slice(0, length)) || tool.endsWith(needle.slice(0, length))) return true;
	}
	return false;
}
