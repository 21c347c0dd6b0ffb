import { isObject } from "../../shared/is-object.ts";
import type { RawEntry } from "../../store/format/parse.ts";
import type { FileLine } from "../../store/read/line-reader.ts";

/** The entry on a line; undefined where the line is no JSON object or too long: the list says that it is damaged. */
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
