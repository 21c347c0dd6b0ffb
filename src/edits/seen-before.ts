import { extractTexts } from "../catalog/query/extract.ts";
import { parseObject } from "../catalog/search/parse-object.ts";
import { isObject } from "../shared/is-object.ts";
import { withFile } from "../store/files/open-file.ts";
import { type FileLine, readLinesUntil } from "../store/read/line-reader.ts";

/**
 * Which of the `wanted` lines of text the tools or the person had shown a session before the byte offset `end` of its file.
 * Messages of the model itself do not count. All of them if the file can no longer be read.
 */
export function seenBefore(path: string, end: number, wanted: readonly string[]): ReadonlySet<string> {
	const seen = new Set<string>();
	const onLine = (line: FileLine): boolean => {
		const entry = parseObject(line);
		const message = entry?.message;
		if (entry === undefined || (isObject(message) && message.role === "assistant")) return true;
		for (const { text } of extractTexts(entry)) {
			for (const one of wanted) if (!seen.has(one) && text.includes(one.trim())) seen.add(one);
		}
		return seen.size < wanted.length;
	};
	try {
		if (wanted.length > 0) withFile(path, (fd) => readLinesUntil(fd, { to: end, onLine }));
	} catch {
		// Deleted since it was searched: nothing is certain.
		return new Set(wanted);
	}
	return seen;
}
