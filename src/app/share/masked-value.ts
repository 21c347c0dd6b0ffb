import { eachField } from "../conversation/fields.ts";
import { imageEnding } from "../conversation/image-format.ts";

/** Lists and objects within one another that are looked into. */
const DEEPEST = 200;
const TOO_DEEP = "‹left out: too deep to be looked through›";

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
	if (Array.isArray(value)) {
		const items = value.map((one) => masked(one, name, masker, place, depth + 1));
		return items.every((item, index) => item === value[index]) ? value : items;
	}
	const isImage = "type" in value && value.type === "image";
	const fields: [name: string, value: unknown][] = [];
	let isSame = true;
	for (const [key, field] of eachField(value)) {
		const stays = SIGNATURES.has(key) || (isImage && key === "data" && isPicture(field));
		const made = [masker.mask(key, place), stays ? field : masked(field, key, masker, place, depth + 1)] as const;
		isSame &&= made[0] === key && made[1] === field;
		fields.push([...made]);
	}
	return isSame ? value : Object.fromEntries(fields);
}

function isPicture(data: unknown): boolean {
	return typeof data === "string" && imageEnding(data) !== undefined;
}
