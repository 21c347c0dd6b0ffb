import { afterEnvelope, emptyEnvelope, TYPE_MESSAGE } from "../format/envelope.ts";
import type { RawLine } from "../format/parse.ts";
import type { RawEntry } from "../format/raw-entry.ts";

/**
 * A stand-in for a message that is too long to be read, with the ids from the first bytes of its line, so that what follows it
 * does not lose its parent; undefined if the bytes are not in pi's form. Its unknown type says how long it is; its content is
 * not judged.
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
