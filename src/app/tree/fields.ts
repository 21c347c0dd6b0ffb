/** An object from a session file whose fields may be anything: pi and its extensions sometimes write odd values. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value's fields; none when it is not an object. */
export function fieldsOf(value: unknown): Fields {
	// Every object may be read by string keys; what is found is `unknown` and checked at each use.
	return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** The value when it is a string, else "". */
export function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

/** The value when it is a finite number, else undefined. */
export function numberOf(value: unknown): number | undefined {
	return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
