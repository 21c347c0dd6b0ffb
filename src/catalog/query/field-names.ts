import { CONDITION_FIELDS, parseCondition } from "./conditions.ts";
import { FIELDS, NARROWING } from "./fields.ts";

/** A single letter before a colon is a drive, a variable or an option. */
const LEAST_LETTERS = 2;

/** Values of code and addresses: `mod::name`, `x://y`, `dir:\\y`. They follow only a whole name. */
export const CODE = /^(?::|\/\/|\\)/;

/** The fields whose names begin so, without the one that is called exactly so; in the order of the documentation. */
export function fieldsBeginning(name: string): readonly string[] {
	const lower = name.toLowerCase();
	return [...FIELDS].filter((field) => field !== lower && field.startsWith(lower));
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
	const [only, other] = begun.filter((field) => takes(field, value));
	return other === undefined ? only : undefined;
}

/** Fields of conditions that take any text. */
const NAMES: ReadonlySet<string> = new Set(["tag", "project", "agent"]);

/** Whether every value is valid. */
export function takesAnything(field: string): boolean {
	return NAMES.has(field) || !(CONDITION_FIELDS.includes(field) || NARROWING.has(field));
}

/** Whether a value is valid after the beginning of a field's name. */
function takes(field: string, value: string): boolean {
	if (value === "" || CODE.test(value)) return false;
	if (CONDITION_FIELDS.includes(field)) return parseCondition(field, value, false) !== undefined;
	return NARROWING.get(field)?.has(value.toLowerCase()) ?? true;
}
