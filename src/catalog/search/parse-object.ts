import { isObject } from "../../shared/json.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import type { FileLine } from "../../store/read/line-reader.ts";

/** The entry on a line; undefined if the line is not a JSON object or is too long, which the list reports as damage. */
export function parseObject({ bytes, start, end, offset, whole }: FileLine): RawEntry | undefined {
	if (!whole) return undefined;
	const text = bytes.toString("utf8", start, end);
	try {
		const value: unknown = JSON.parse(offset === 0 ? text.replace(/^\uFEFF/, "") : text);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
