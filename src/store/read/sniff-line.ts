import { afterEnvelope, emptyEnvelope, TYPE_MESSAGE } from "../format/envelope.ts";
import type { RawLine } from "../format/lines.ts";
import type { RawEntry } from "../format/parse.ts";

/**
 * The place in the tree of a message that is too long to be read, by the first bytes of its line, so that what follows it has
 * not lost its parent; undefined where they are not as pi writes them. It is of no known type, which says how long it is: what
 * the message says is not judged.
 */
export function sniffLine({ bytes, ends, length, number }: RawLine): RawEntry | undefined {
	if (bytes !== undefined || ends?.compare(TYPE_MESSAGE, 0, TYPE_MESSAGE.length, 0, TYPE_MESSAGE.length) !== 0)
		return undefined;
	const found = emptyEnvelope();
	if (afterEnvelope(ends, TYPE_MESSAGE.length, found) === 0 || found.idEnd === 0) return undefined;
	const text = (from: number, to: number): string => ends.toString("utf8", from, to);
	return {
		type: `a message of ${Math.round(length / 1024 / 1024)} MiB, too long to be shown (line ${number})`,
		id: text(found.idStart, found.idEnd),
		parentId: found.parentEnd === 0 ? null : text(found.parentStart, found.parentEnd),
		timestamp: text(found.timeStart, found.timeEnd),
	};
}
