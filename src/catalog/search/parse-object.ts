import { isObject } from "../../shared/json.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import type { FileLine } from "../../store/read/line-reader.ts";

/** The entry on a line; undefined if the line is not a JSON object or is too long, which the list reports as damage. */
export function parseObject(line: FileLine): RawEntry | undefined {
	if (!line.whole) return undefined;
	return objectIn(line.bytes.toString("utf8", line.start, line.end), line.offset);
}

/** The entry in the text of a line that begins at `offset`; undefined if it is not a JSON object. */
export function objectIn(text: string, offset: number): RawEntry | undefined {
	try {
		const value: unknown = JSON.parse(offset === 0 ? text.replace(/^\uFEFF/, "") : text);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
