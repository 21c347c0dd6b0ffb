/** The field of each answer that is a list. */
const FIELDS = {
	rows: "rows",
	gone: "paths",
	counts: "counts",
	paths: "paths",
	results: "results",
	lost: "paths",
	lines: "lines",
} as const;

export type ListType = keyof typeof FIELDS;

/** UTF-16 units of JSON after which a list goes on in another line. */
const LINE_UNITS = 64 * 1024;

/** The lines of an answer that is a list, as many as it takes, each with the fields of `all`, without their ends; an empty one has none. */
export function* listLines(
	id: number,
	type: ListType,
	values: Iterable<unknown>,
	all: object = {},
): Generator<string, void> {
	const head = JSON.stringify({ id, type, ...all }).slice(0, -1);
	let texts: string[] = [];
	let size = 0;
	const line = (): string => `${head},"${FIELDS[type]}":[${texts.join(",")}]}`;
	for (const value of values) {
		const text = JSON.stringify(value);
		texts.push(text);
		size += text.length;
		if (size <= LINE_UNITS) continue;
		yield line();
		[texts, size] = [[], 0];
	}
	if (texts.length > 0) yield line();
}
