import { eachField, type Fields, fieldsOf } from "../entries/fields.ts";
import { imageEnding } from "../entries/images.ts";

/** Lists and objects within one another that are looked into. */
const DEEPEST = 200;
const TOO_DEEP = "‹left out: nested too deep to be searched›";

/** What providers sign, which says nothing, and is shown nowhere. */
const SIGNATURES: ReadonlySet<string> = new Set(["thinkingSignature", "textSignature"]);

/** What becomes of a text, and of that of a field; `place`: the id of the entry that it is in. */
export interface TextMask {
	mask(text: string, place: string): string;
	maskField(name: string, text: string, place: string): string;
}

/**
 * A value with all its texts masked, those of names and fields among them; images and signatures are left as they are. The
 * value itself where nothing in it is masked.
 */
export function maskedValue<Value>(value: Value, masker: TextMask, place: string): Value {
	// It has the shape of the value: only texts are others.
	return masked(value, "", masker, place, 0) as Value;
}

function masked(value: unknown, name: string, masker: TextMask, place: string, depth: number): unknown {
	if (typeof value === "string") return masker.maskField(name, value, place);
	if (typeof value !== "object" || value === null) return value;
	if (depth >= DEEPEST) return TOO_DEEP;
	return Array.isArray(value)
		? maskedList(value, name, masker, place, depth)
		: maskedFields(fieldsOf(value), masker, place, depth);
}

function maskedList(list: readonly unknown[], name: string, masker: TextMask, place: string, depth: number): unknown {
	let made: unknown[] | undefined;
	for (let index = 0; index < list.length; index++) {
		const item = masked(list[index], name, masker, place, depth + 1);
		if (made === undefined && item !== list[index]) made = list.slice(0, index);
		made?.push(item);
	}
	return made ?? list;
}

/** Nothing is made for an object in which nothing is masked: there may be millions of them. */
function maskedFields(fields: Fields, masker: TextMask, place: string, depth: number): unknown {
	let made: [name: string, value: unknown][] | undefined;
	for (const key in fields) {
		if (!Object.hasOwn(fields, key)) continue;
		const field = fields[key];
		const stays = SIGNATURES.has(key) || (key === "data" && fields.type === "image" && isPicture(field));
		const name = masker.mask(key, place);
		const value = stays ? field : masked(field, key, masker, place, depth + 1);
		if (made === undefined && (name !== key || value !== field)) made = fieldsBefore(fields, key);
		made?.push([name, value]);
	}
	return made === undefined ? fields : Object.fromEntries(made);
}

function fieldsBefore(fields: Fields, name: string): [name: string, value: unknown][] {
	const before: [name: string, value: unknown][] = [];
	for (const [key, value] of eachField(fields)) {
		if (key === name) break;
		before.push([key, value]);
	}
	return before;
}

function isPicture(data: unknown): boolean {
	return typeof data === "string" && imageEnding(data) !== undefined;
}
