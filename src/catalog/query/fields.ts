import { CONDITION_FIELDS, IS_VALUES, isAmountField, parseCondition } from "./conditions.ts";
import { maskOf, maskWhere } from "./kinds.ts";

/** All kinds of text that words are searched for in, as a bit mask. */
export const ALL_KINDS = maskWhere(() => true) & ~maskOf(["id"]);

// Maps, because their keys are looked up as typed: a plain object would know `constructor` too.

/** Fields that search texts of certain kinds: `label:todo`, `file:src/x.ts`. */
export const TEXT_FIELDS: ReadonlyMap<string, number> = new Map([
	["name", maskOf(["name"])],
	["title", maskOf(["name", "title"])],
	["label", maskOf(["label"])],
	["file", maskOf(["path"])],
	["path", maskOf(["path"])],
	["cmd", maskOf(["command"])],
	["model", maskOf(["model"])],
	["cwd", maskOf(["cwd"])],
	["entry", maskOf(["id"])],
]);

/** Values of `in:`, which limits where all other terms are searched. */
const SCOPES: ReadonlyMap<string, number> = new Map([
	["name", maskOf(["name"])],
	["title", maskOf(["name", "title"])],
	["label", maskOf(["label"])],
	["summary", maskOf(["summary"])],
	["thinking", maskOf(["thinking"])],
	["output", maskOf(["output"])],
	["args", maskOf(["arguments", "command", "path"])],
	["error", maskOf(["error"])],
	["text", maskOf(["title", "user", "assistant", "error"])],
	["custom", maskOf(["custom"])],
	["cmd", maskOf(["command"])],
	["file", maskOf(["path"])],
]);

/** Values of `role:`, which limits all other terms to what that role said. */
const ROLES: ReadonlyMap<string, number> = new Map(
	(["user", "assistant", "tool", "custom"] as const).map((role) => [role, maskWhere((facts) => facts.role === role)]),
);

/** The fields that limit where all other terms are searched, with the kinds of text for each value. */
export const NARROWING: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map([
	["role", ROLES],
	["in", SCOPES],
]);

const A_DATE = "a date: 7d, monday, august, 2026-11-03";
const A_COUNT = ">100, <=10, 1k";

/** All fields, in the order of the documentation: what they mean, and what they take if that is not one of a few values. */
// biome-ignore format: a table
const TABLE: readonly (readonly [name: string, meaning: string, takes: string])[] = [
	["project", "the project's folder", "part of its folder's name, /a/directory, or =/the/whole/directory"],
	["since", "from that day on", A_DATE],
	["after", "later than that day", A_DATE],
	["before", "earlier than that day", A_DATE],
	["on", "on that day", A_DATE],
	["is", "what the session is", ""],
	["tag", "a tag of yours", "a whole tag: todo"],
	["agent", "a run of that subagent", "part of a subagent's name: scout"],
	["branch", "the Git branch of its directory", "part of a branch's name: main"],
	["place", "where the session is", "a place's name, or here"],
	["name", "the session's name", 'text in the name: parser, "two words"'],
	["title", "name or first message", 'text in the name or the first message: parser, "two words"'],
	["label", "a label in it", "text in a label: todo"],
	["file", "a file that a tool was given", "part of a file's path: src/x.ts"],
	["path", "the same as file:", "part of a file's path: src/x.ts"],
	["cmd", "a command that was run", 'part of a command: git, "npm test"'],
	["model", "a model that answered", "part of a model's name: opus"],
	["cwd", "the session's directory", "part of the session's directory: /work"],
	["entry", "the entry with that id", "part of an id: 2f8a1c3e"],
	["role", "all words in what it said", ""],
	["in", "all words in such text", ""],
	["tool", "all words in its calls", "part of a tool's name: bash, edit"],
	["re", "a regular expression", "a pattern: time[- ]?out, /a b/"],
	["cost", "dollars, as cost:>1", ">1, <=0.50, in dollars"],
	["size", "bytes, as size:>5MB", ">5MB, <=100k"],
	["messages", "how many, as messages:>100", A_COUNT],
	["tokens", "how many, as tokens:>1M", ">1M, <=5k"],
	["turns", "how many, as turns:>10", ">10, <=3"],
	["errors", "how many, as errors:>0", ">0, <=3"],
	["runs", "how many of subagents, as runs:>3", ">0, <=3"],
];

/** All fields of the language, by their names in lower case: their meaning and what they take, each in a few words. */
export const FIELDS: ReadonlyMap<string, { readonly meaning: string; readonly takes: string }> = new Map(
	TABLE.map(([name, meaning, takes]) => [name, { meaning, takes }]),
);

/** The fields that a message about a wrong one names: those that people use most. */
export const COMMON_FIELDS = ["project", "since", "is", "tag", "cost", "file", "cmd", "role", "in", "tool"] as const;

/** A single letter before a colon is a drive, a variable or an option. */
const LEAST_LETTERS = 2;

/** Values of code and addresses: `mod::name`, `x://y`, `dir:\\y`. They follow only a whole name. */
export const CODE = /^(?::|\/\/|\\)/;

/** The fields whose names begin so, without the one that is called exactly so; in the order of the documentation. */
export function fieldsBeginning(name: string): readonly string[] {
	const lower = name.toLowerCase();
	return [...FIELDS.keys()].filter((field) => field !== lower && field.startsWith(lower));
}

/**
 * The field that a name before a colon stands for: the one called so, else the only one that begins so and takes the value
 * (`pr:grove`, `si:7d`). Of several that begin so, one that takes any text could always be meant: `to:x` (`tool:`, `tokens:`)
 * is text. Undefined for text. `valueAfter` returns the value, without quotes.
 */
export function fieldNamed(name: string, valueAfter: () => string): string | undefined {
	const lower = name.toLowerCase();
	if (FIELDS.has(lower)) return lower;
	const begun = lower.length < LEAST_LETTERS ? [] : fieldsBeginning(lower);
	if (begun.length === 0 || (begun.length > 1 && begun.some(takesAnything))) return undefined;
	const value = valueAfter();
	if (value === "" || CODE.test(value)) return undefined;
	const [only, other] = begun.filter((field) => isValidValue(field, value));
	return other === undefined ? only : undefined;
}

/** The field that a comparison is about, as in `cost>1`; undefined if this is no number that a field can be compared with. */
export function comparedField(name: string, comparison: string): string | undefined {
	const field = fieldNamed(name, () => comparison);
	return field !== undefined && isAmountField(field) && isValidValue(field, comparison) ? field : undefined;
}

/** Fields of conditions that take any text. */
const NAMES: ReadonlySet<string> = new Set(["tag", "project", "agent", "branch", "place"]);

export function takesAnything(field: string): boolean {
	return NAMES.has(field) || !(CONDITION_FIELDS.includes(field) || NARROWING.has(field));
}

export function isValidValue(field: string, value: string): boolean {
	if (CONDITION_FIELDS.includes(field)) return parseCondition(field, value, false) !== undefined;
	return NARROWING.get(field)?.has(value.toLowerCase()) ?? true;
}

/** The values of a field that has only a few, without those that hardly anybody asks for; otherwise empty. */
export function valuesOf(field: string): readonly string[] {
	return field === "is" ? [...IS_VALUES.keys()] : [...(NARROWING.get(field)?.keys() ?? [])];
}
