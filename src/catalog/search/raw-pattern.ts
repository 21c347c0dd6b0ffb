import { ALL_KINDS } from "../query/fields.ts";
import { beginningOf } from "../query/fold.ts";
import { KINDS, kindsIn } from "../query/kinds.ts";
import { commonSource, type Form } from "../query/other-forms.ts";
import type { Term } from "../query/parse-query.ts";
import { rawAccented } from "./raw-accented.ts";
import { rawForm } from "./raw-form.ts";
import { rawLoose } from "./raw-loose.ts";
import { rawNeedle } from "./raw-needle.ts";
import { rawRegex } from "./raw-regex.ts";

/** A pattern for ripgrep, on the bytes of a line, ignoring the case of ASCII letters. */
export interface RawPattern {
	readonly source: string;
	/** Which of ripgrep's two engines it needs. */
	readonly engine: "default" | "pcre2";
}

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
export function linePattern(term: Term): RawPattern {
	return besideOf(term, rawText(term));
}

/**
 * A pattern for the lines in which a term may be with characters between its own that do not show; undefined for a term without words. For
 * the files that have such characters (`HiddenFiles`).
 */
export function loosePattern(term: Term): RawPattern | undefined {
	const { needle, regex, forms, tool } = term;
	if (needle === undefined && regex === undefined && forms === undefined) return undefined;
	// Hardly any file is searched for these.
	if (needle === undefined || forms !== undefined || tool !== undefined) return anyLinePattern(term);
	return besideOf(term, `(?:${rawLoose(needle)})`);
}

function besideOf(term: Term, text: string | undefined): RawPattern {
	const jsonStrings = term.kinds === ALL_KINDS ? undefined : rawJsonStrings(term.kinds);
	const beside = term.tool === undefined || mayOverlap(term, term.tool) ? jsonStrings : rawStart(term.tool);
	if (text === undefined) return { source: beside ?? "", engine: "default" };
	if (beside === undefined) return { source: text, engine: "default" };
	return { source: `${beside}.*${text}|${text}.*${beside}`, engine: "default" };
}

/** Matches all lines with text of the term's kinds: for terms whose text ripgrep cannot search. */
export function anyLinePattern({ kinds }: Term): RawPattern {
	return { source: kinds === ALL_KINDS ? "" : rawJsonStrings(kinds), engine: "default" };
}

/**
 * Two patterns that together match what `linePattern` does, but hardly ever a line by pi in which the term is only part
 * of the syntax: an id, a time, a role. The first is as fast as any and finds most lines. The second finds the rest:
 * such fields among a tool's arguments, and in diagnostics. Undefined for a term that is unlikely to be syntax.
 */
export function syntaxPatterns(term: Term): readonly [RawPattern, RawPattern] | undefined {
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
	return [
		{ source: text, engine: "pcre2" },
		{ source: called + raw, engine: "default" },
	];
}

/**
 * A pattern for the files that may have a term, in any of its forms but that with accents, and perhaps some others: as fast as the search
 * for one word.
 */
export function candidatePattern(term: Term): RawPattern {
	const { needle, forms } = term;
	if (needle === undefined || forms === undefined) return linePattern(term);
	const sources = forms.filter(({ kind }) => kind !== "accent").map((form) => rawForm(commonSource(form)));
	return { source: [rawStart(needle), ...sources].join("|"), engine: "default" };
}

/** A pattern for lines that are not the output of a tool, in pi's own key order; for ranking, not for finding. */
export function saidPattern(term: Term): RawPattern {
	const head = String.raw`^\{"type":"(?:[^m]|message","id":"[^"]*","parentId":[^,]*,"timestamp":"[^"]*","message":\{"role":"[^t])`;
	return { source: `${head}.*${rawText(term) ?? ""}`, engine: "default" };
}

/** A pattern for calls of the tools that change files; for ranking, not for finding. */
export function changePattern(term: Term): RawPattern {
	const text = rawText(term) ?? "";
	return { source: `${CHANGES}.*${text}|${text}.*${CHANGES}`, engine: "default" };
}

/** A call of a tool that changes a file, or the result of one. */
export const CHANGES = String.raw`"(?:name|toolName)"\s*:\s*"(?:edit|write)"`;

/** Ignoring case here would halve the speed. */
const OWN_HEAD = String.raw`(?-i:\{"type":"(?:label|session_info|branch_summary|compaction)"|"message":\{"role":"user")`;

/** A pattern for what the person said, names, labels and summaries, in pi's own key order; for ranking, not for finding. */
export function ownPattern(term: Term): RawPattern {
	return { source: `${OWN_HEAD}.*${rawText(term) ?? ""}`, engine: "default" };
}

/** The same where a word is whole; undefined for what is no word. */
export function ownWordPattern({ needle }: Term): RawPattern | undefined {
	if (needle === undefined) return undefined;
	return { source: String.raw`${OWN_HEAD}.*(?:[^0-9a-z_]|\\[nrt])${rawStart(needle)}[^0-9a-z_]`, engine: "default" };
}

/** A pattern for lines with all terms, in any order; for ranking. Undefined if it would be too large. */
export function togetherPattern(terms: readonly Term[]): RawPattern | undefined {
	const raw = terms.map(({ needle, regex, forms = [] }) => {
		if (regex !== undefined) return rawRegex(regex);
		return [
			rawStart(needle ?? ""),
			...forms.map(({ kind, source }) => (kind === "accent" ? rawAccented(source) : rawForm(source))),
		].join("|");
	});
	if (terms.length < 2 || terms.length > MAX_TOGETHER) return undefined;
	const source = permutations(raw.map((one) => `(?:${one})`))
		.map((some) => some.join(".*"))
		.join("|");
	return source.length > MAX_SOURCE ? undefined : { source, engine: "default" };
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
function rawText({ needle, regex, forms }: Term): string | undefined {
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
