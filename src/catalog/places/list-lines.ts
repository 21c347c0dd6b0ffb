/** The field of each answer that is a list. */
const FIELDS = {
	rows: "rows",
	gone: "paths",
	counts: "counts",
	paths: "paths",
	results: "results",
	lost: "paths",
} as const;

export type ListType = keyof typeof FIELDS;

/** UTF-16 units of JSON after which a list goes on in another line. */
const LINE_UNITS = 64 * 1024;

/** The lines of an answer that is a list, as many as it takes, without their ends. */
export function* listLines(id: number, type: ListType, values: Iterable<unknown>): Generator<string, void> {
	let texts: string[] = [];
	let size = 0;
	const line = (): string => `{"id":${id},"type":"${type}","${FIELDS[type]}":[${texts.join(",")}]}`;
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
