/** An object from a session file. Its fields may be anything: pi and its extensions sometimes write odd values. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a value; none if it is not an object. */
export function fieldsOf(value: unknown): Fields {
	// Any object may be read by string keys; the fields are `unknown` and checked at each use.
	return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** The value if it is a string, else "". */
export function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

/** The value if it is a finite number, else undefined. */
export function numberOf(value: unknown): number | undefined {
	return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** The blocks of a message's content; a text that stands for all of it is one block. */
export function blocksIn(content: unknown): readonly Fields[] {
	return typeof content === "string" ? [{ type: "text", text: content }] : listOf(content).map(fieldsOf);
}

/** The path that a call of one of pi's file tools names, in either form that pi has had; "" for none. */
export function pathArgument({ path, file_path }: Fields): string {
	return textOf(path) || textOf(file_path);
}

/** The fields that every entry has: an entry of an unknown type is shown by its others. */
export const BASE_FIELDS: ReadonlySet<string> = new Set(["type", "id", "parentId", "timestamp"]);

export function* eachField(value: unknown): Generator<readonly [name: string, value: unknown]> {
	const fields = fieldsOf(value);
	for (const name in fields) if (Object.hasOwn(fields, name)) yield [name, fields[name]];
}

/** At most `limit` fields of an object, which may have any number. */
export function firstFields(value: unknown, limit: number): Array<readonly [name: string, value: unknown]> {
	return eachField(value).take(limit).toArray();
}

/** At most `limit` fields of an object, without those named in `besides`. */
export function fieldsBesides(besides: ReadonlySet<string>, fields: Fields, limit = Number.POSITIVE_INFINITY): Fields {
	const rest = eachField(fields).filter(([name]) => !besides.has(name));
	return Object.fromEntries(rest.take(limit));
}
