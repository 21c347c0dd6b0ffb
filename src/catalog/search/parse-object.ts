import { isObject } from "../../shared/json.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import type { FileLine } from "../../store/read/line-reader.ts";

/** The entry on a line; undefined if the line is not a JSON object or is too long, which the list reports as damage. */
export function parseObject(line: FileLine): RawEntry | undefined {
	if (!line.whole) return undefined;
	const text = line.bytes.toString("utf8", line.start, line.end);
	try {
		const value: unknown = JSON.parse(line.offset === 0 ? text.replace(/^\uFEFF/, "") : text);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
