import { isDateField } from "./conditions.ts";
import { DATE_WORDS } from "./dates.ts";
import { CODE, FIELDS, fieldNamed, fieldsBeginning, isValidValue, takesAnything, valuesOf } from "./fields.ts";

interface FieldHint {
	/** The whole names of the fields that may be meant, each with its colon. */
	readonly fields: readonly string[];
	/** What the value may be, in a few words; "" if several fields may be meant. */
	readonly takes: string;
	/** Whether the value is empty, or only the beginning of a valid one. */
	readonly isUnfinished: boolean;
}

/** Characters on either side of the cursor that are looked at: a pasted text may be very long. */
const MOST_AROUND = 500;

/** The field at the end of a text, with the beginning of its value; and what follows of the value. */
const IN_VALUE = /(?:^|\s)-?([a-zA-Z]+):("?)([^"]*)$/;
const IN_NAME = /(?:^|\s)-?([a-zA-Z]*)$/;
const REST_OF_NAME = /^([a-zA-Z]*):("?)/;

/** What the field under the cursor takes; undefined if there is none. Pure, and fast enough for each key. */
export function fieldHint(text: string, cursor: number): FieldHint | undefined {
	const typed = fieldAt(text, cursor);
	if (typed === undefined) return undefined;
	const { name, value } = typed;
	const named = fieldNamed(name, () => value);
	// Those that may be meant by the beginning of a name, whose value may still be typed.
	const begun = CODE.test(value) ? [] : fieldsBeginning(name).filter((field) => mayBegin(field, value));
	const fields = named === undefined ? begun : [named];
	const [only, other] = fields;
	if (only === undefined) return undefined;
	const values = valuesOf(only).join(", ") || (FIELDS.get(only)?.takes ?? "");
	return {
		fields: fields.map((field) => `${field}:`),
		takes: other === undefined ? values : "",
		isUnfinished: value === "" || fields.some((field) => !isValidValue(field, value) && mayBegin(field, value)),
	};
}

/** The name before the colon, or a part of it, and the value around the cursor. */
function fieldAt(text: string, cursor: number): { readonly name: string; readonly value: string } | undefined {
	const beginning = text.slice(Math.max(0, cursor - MOST_AROUND), cursor);
	const ending = text.slice(cursor, cursor + MOST_AROUND);
	const inName = IN_NAME.exec(beginning);
	const rest = REST_OF_NAME.exec(ending);
	if (inName !== null && rest !== null) {
		const [whole, end = "", quote = ""] = rest;
		return { name: `${inName[1]}${end}`, value: restOf(ending.slice(whole.length), quote) };
	}
	const [, name, quote = "", begun = ""] = IN_VALUE.exec(beginning) ?? [];
	if (name === undefined || (quote === "" && /\s/.test(begun) && name.toLowerCase() !== "re")) return undefined;
	return { name, value: begun + restOf(ending, quote) };
}

/** The rest of a value, up to its closing quote or the next blank. */
function restOf(text: string, quote: string): string {
	return (quote === "" ? /^[^\s"]*/ : /^[^"]*/).exec(text)?.[0] ?? "";
}

const BEGINNING_OF_DATE = /^(?:\d{1,4}m?|\d{4}-(?:\d{0,2}|\d{1,2}-\d{0,2}))$/;
const BEGINNING_OF_AMOUNT = /^(?:[<>]=?|=)?\$?\d*\.?\d*$/;

function mayBegin(field: string, value: string): boolean {
	if (value === "") return true;
	const lower = value.toLowerCase();
	const values = valuesOf(field);
	if (values.length > 0) return values.some((one) => one.startsWith(lower));
	if (isDateField(field)) return BEGINNING_OF_DATE.test(lower) || DATE_WORDS.some((word) => word.startsWith(lower));
	return takesAnything(field) || BEGINNING_OF_AMOUNT.test(lower);
}
