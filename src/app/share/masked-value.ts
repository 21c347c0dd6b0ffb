import { eachField } from "../conversation/fields.ts";
import { imageEnding } from "../conversation/image-format.ts";
import type { Masker } from "./masker.ts";

/** Lists and objects within one another that are looked into. */
const DEEPEST = 200;
const TOO_DEEP = "‹left out: too deep to be looked through›";

/** What providers sign, which says nothing, and is shown nowhere. */
const SIGNATURES: ReadonlySet<string> = new Set(["thinkingSignature", "textSignature"]);

/** A value with all its texts masked, those of names and fields among them; images are left as they are. */
export function maskedValue<Value>(value: Value, masker: Masker, place: string): Value {
	// It has the shape of the value: only texts are others.
	return masked(value, "", masker, place, 0) as Value;
}

function masked(value: unknown, name: string, masker: Masker, place: string, depth: number): unknown {
	if (typeof value === "string") return masker.maskField(name, value, place);
	if (typeof value !== "object" || value === null) return value;
	if (depth >= DEEPEST) return TOO_DEEP;
	if (Array.isArray(value)) return value.map((one) => masked(one, name, masker, place, depth + 1));
	const isImage = "type" in value && value.type === "image";
	const fields: Record<string, unknown> = {};
	for (const [key, field] of eachField(value)) {
		if (SIGNATURES.has(key)) continue;
		const isPicture = isImage && key === "data" && typeof field === "string" && imageEnding(field) !== undefined;
		// A field may be called "__proto__".
		Object.defineProperty(fields, masker.mask(key, place), {
			value: isPicture ? field : masked(field, key, masker, place, depth + 1),
			enumerable: true,
			configurable: true,
			writable: true,
		});
	}
	return fields;
}
