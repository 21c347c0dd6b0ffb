import { afterEnvelope, emptyEnvelope, TYPE_MESSAGE } from "../format/envelope.ts";
import type { RawEntry } from "../format/parse.ts";
import type { FileLine } from "../read/line-reader.ts";

/**
 * The place in the tree of a message that is too long to be read, by its first bytes, so that what follows it has not lost
 * its parent; undefined where they are not as pi writes them. It is of no known type: what it says is not judged.
 */
export function sniffLine({ whole, bytes, start }: FileLine): RawEntry | undefined {
	if (whole || bytes.compare(TYPE_MESSAGE, 0, TYPE_MESSAGE.length, start, start + TYPE_MESSAGE.length) !== 0)
		return undefined;
	const found = emptyEnvelope();
	if (afterEnvelope(bytes, start + TYPE_MESSAGE.length, found) === 0 || found.idEnd === 0) return undefined;
	const text = (from: number, to: number): string => bytes.toString("utf8", from, to);
	return {
		type: "too long",
		id: text(found.idStart, found.idEnd),
		parentId: found.parentEnd === 0 ? null : text(found.parentStart, found.parentEnd),
		timestamp: text(found.timeStart, found.timeEnd),
	};
}
