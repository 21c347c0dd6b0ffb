import { FIELDS, NARROWING } from "./fields.ts";
import { asksForText, parseQuery, shortDate, typedTokens } from "./parse-query.ts";
import { joinedTokens, printTokens, type Token } from "./tokens.ts";

/** A part of a query that could be left out. */
export interface TypedPart {
	/** As typed. */
	readonly text: string;
	/** What it asks for; "narrowing": where all words are searched. */
	readonly kind: "words" | "condition" | "narrowing" | "mixed";
	/** Whether sessions with it are left out. */
	readonly not: boolean;
	/** The parts of which one suffices, if it is made of these. */
	readonly anyOf?: readonly TypedPart[];
}

/** The searches from which it follows what sessions a query finds. */
export interface PartSearches {
	/** Queries that each find the sessions with one of its words; of those in one list one suffices. */
	readonly words: readonly (readonly string[])[];
	/** Queries that each find the sessions that it excludes. */
	readonly without: readonly string[];
	readonly conditions: string;
}

/** A query with more parts is probably pasted, and none of them is to be left out. */
const MOST_PARTS = 8;

/** The parts of a valid query; none for one with too many. */
export function typedParts(text: string): readonly TypedPart[] {
	// Beside other words, the name of a day is a word.
	const isDate = shortDate(text) !== undefined;
	const tokens = typedTokens(text).map((token): Token => {
		return isDate || token.field !== "" || shortDate(token.value) === undefined ? token : { ...token, quoted: true };
	});
	const groups = joinedTokens(tokens);
	return groups.length > MOST_PARTS ? [] : groups.map(partOf);
}

function partOf(group: readonly [Token, ...Token[]]): TypedPart {
	const text = group.map((token) => printTokens([token])).join(" or ");
	const [{ not }] = group;
	const isNarrowing = group.every((token) => !token.not && (NARROWING.has(token.field) || token.field === "tool"));
	const isMixed = group.length > 1 && group.some((token) => token.not);
	return { text, not, kind: isNarrowing ? "narrowing" : isMixed ? "mixed" : kindOf(text) };
}

function kindOf(text: string): TypedPart["kind"] {
	const parsed = parseQuery(text);
	if ("error" in parsed) return "mixed";
	if (!asksForText(parsed.query)) return "condition";
	return parsed.query.conditions.length === 0 ? "words" : "mixed";
}

const FIELD_ALONE = /^(?:role|in|tool):/;

/** Whether a part is a word or a phrase, which has quotes in a sentence; anything else stands there as it was typed. */
export function isPlain({ text, kind, not }: TypedPart): boolean {
	return kind === "words" && !not && !FIELDS.has(/^[a-z]+(?=:)/.exec(text)?.[0] ?? "");
}

export function anyPart(parts: readonly TypedPart[]): TypedPart {
	return { text: parts.map(({ text }) => text).join(" or "), kind: "words", not: false, anyOf: parts };
}

/** The searches that tell which sessions a query of these parts finds; undefined if no search of its parts does. */
export function searchesFor(parts: readonly TypedPart[]): PartSearches | undefined {
	if (parts.some(({ kind }) => kind === "mixed")) return undefined;
	const textsOf = (kind: TypedPart["kind"]): readonly TypedPart[] => parts.filter((part) => part.kind === kind);
	const narrowing = textsOf("narrowing").map(({ text }) => text);
	const words = textsOf("words");
	// What a field excludes stands for itself.
	const search = (text: string): string => (FIELD_ALONE.test(text) ? text : [...narrowing, text].join(" "));
	const positive = words
		.filter(({ not }) => !not)
		.map((part) => (part.anyOf ?? [part]).map(({ text }) => search(text)));
	// Without words, what would limit them finds all sessions with such text.
	const limits = positive.length === 0 && narrowing.length > 0 ? [[narrowing.join(" ")]] : [];
	return {
		words: [...positive, ...limits],
		without: words.filter(({ not }) => not).map(({ text }) => search(text.slice(1))),
		conditions: textsOf("condition")
			.map(({ text }) => text)
			.join(" "),
	};
}
