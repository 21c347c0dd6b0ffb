interface OpenContainer {
	readonly container: object;
	/** Names of the fields; undefined for an array. */
	readonly keys: readonly string[] | undefined;
	readonly length: number;
	index: number;
}

/**
 * The JSON text of a value, like `JSON.stringify`, but for values nested as deeply as `JSON.parse` can read: the built-in
 * function is recursive and throws a RangeError at about 5,000 levels. `indent`: spaces per level; 0 prints one line.
 * `limit`: it stops once this many characters are printed, which bounds the work too; the result is then incomplete JSON.
 */
export function printJson(
	value: unknown,
	{ indent = 0, limit = Number.POSITIVE_INFINITY }: { readonly indent?: number; readonly limit?: number } = {},
): string {
	if (limit === Number.POSITIVE_INFINITY) {
		try {
			return JSON.stringify(value, undefined, indent) ?? "";
		} catch (error) {
			if (!(error instanceof RangeError)) throw error;
		}
	}
	return printDeep(value, indent, limit);
}

function printDeep(root: unknown, indent: number, limit: number): string {
	const stack: OpenContainer[] = [];
	let text = "";
	const print = (value: unknown): void => {
		const plain = plainValue(value);
		if (typeof plain !== "object" || plain === null) {
			// Cut first: a single string may exceed the limit.
			const short = typeof plain === "string" && plain.length > limit ? plain.slice(0, limit) : plain;
			text += JSON.stringify(short) ?? "null";
			return;
		}
		const keys = Array.isArray(plain) ? undefined : keysOf(plain, limit);
		const length = Array.isArray(plain) ? plain.length : (keys?.length ?? 0);
		text += keys === undefined ? "[" : "{";
		stack.push({ container: plain, keys, length, index: 0 });
	};
	print(root);
	for (let top = stack.at(-1); top !== undefined && text.length < limit; top = stack.at(-1)) {
		const { container, keys, length, index } = top;
		if (index === length) {
			stack.pop();
			if (length > 0) text += lineBreak(indent, stack.length);
			text += keys === undefined ? "]" : "}";
			continue;
		}
		top.index += 1;
		if (index > 0) text += ",";
		text += lineBreak(indent, stack.length);
		const key = keys?.[index];
		if (key !== undefined) text += `${JSON.stringify(key)}:${indent > 0 ? " " : ""}`;
		print(Reflect.get(container, key ?? index));
	}
	return text;
}

function plainValue(value: unknown): unknown {
	if (typeof value !== "object" || value === null || !("toJSON" in value)) return value;
	return typeof value.toJSON === "function" ? value.toJSON() : value;
}

/** Field names; no more than a text of `limit` characters can hold. */
function keysOf(value: object, limit: number): string[] {
	const keys: string[] = [];
	for (const key in value) {
		if (!Object.hasOwn(value, key) || Reflect.get(value, key) === undefined) continue;
		keys.push(key);
		if (keys.length >= limit) break;
	}
	return keys;
}

function lineBreak(indent: number, depth: number): string {
	return indent > 0 ? `\n${" ".repeat(indent * depth)}` : "";
}

/** Whether a JSON value is an object (and not an array). */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The line of an offset in a text, from 1; that of the last character for one behind it, as of an unexpected end. */
export function lineAt(text: string, offset: number): number {
	return text.slice(0, Math.min(offset, text.trimEnd().length)).split("\n").length;
}
