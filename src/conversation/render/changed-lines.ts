import type { LineChange } from "../../store/format/tool-change.ts";

/** If more lines of two files differ, finding out what they have in common would hold up the screen for more than a tenth of a second. */
export const MAX_FILE_LINES = 1000;

/** What two different texts have in common at their beginnings and ends: whole lines, in UTF-16 units. */
export interface CommonEnds {
	readonly start: number;
	readonly end: number;
}

/** Two texts that are the same have all of it in common at their beginnings. */
export function commonEnds(before: string, after: string): CommonEnds {
	const shorter = Math.min(before.length, after.length);
	if (before === after) return { start: shorter, end: 0 };
	let same = 0;
	while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same++;
	const start = same === 0 ? 0 : before.lastIndexOf("\n", same - 1) + 1;
	let end = 0;
	while (
		end < shorter - start &&
		before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
	)
		end++;
	if (isLineStart(before, before.length - end) && isLineStart(after, after.length - end)) return { start, end };
	const lineEnd = before.indexOf("\n", before.length - end);
	return { start, end: lineEnd === -1 ? 0 : before.length - lineEnd - 1 };
}

function isLineStart(text: string, at: number): boolean {
	return at === 0 || text[at - 1] === "\n";
}

/** Lines that the patch of a file adds and removes. Undefined: there is no file. */
export function changedLines(before = "", after = ""): LineChange {
	const { start, end } = commonEnds(before, after);
	const ids = new Map<string, number>();
	const [old, now] = [before, after].map((text) => lineIds(text.slice(start, text.length - end), ids));
	const whole = { removed: old?.length ?? 0, added: now?.length ?? 0 };
	const distance = old && now && distanceOf(old, now);
	if (distance === undefined) return whole;
	// What is the same in both is neither removed nor added.
	const common = (whole.removed + whole.added - distance) / 2;
	return { removed: whole.removed - common, added: whole.added - common };
}

/** A number for each line, the same for equal ones. */
function lineIds(text: string, ids: Map<string, number>): readonly number[] {
	const lines: number[] = [];
	for (let from = 0; from < text.length; ) {
		const to = text.indexOf("\n", from) + 1 || text.length;
		const line = text.slice(from, to);
		const id = ids.get(line) ?? ids.size;
		ids.set(line, id);
		lines.push(id);
		from = to;
	}
	return lines;
}

/** The least number of lines to remove and add (Myers); undefined if too many differ. */
function distanceOf(old: readonly number[], now: readonly number[]): number | undefined {
	const last = old.length - now.length;
	const most = Math.min(MAX_FILE_LINES, old.length + now.length);
	/** The furthest index in `old` on each diagonal; that in `now` is less by the number of the diagonal. */
	const furthest = new Int32Array(2 * most + 3);
	const at = (diagonal: number): number => furthest[diagonal + most + 1] ?? 0;
	for (let distance = 0; distance <= most; distance++) {
		for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
			const isAdded = diagonal === -distance || (diagonal !== distance && at(diagonal - 1) < at(diagonal + 1));
			let index = isAdded ? at(diagonal + 1) : at(diagonal - 1) + 1;
			while (index < old.length && index - diagonal < now.length && old[index] === now[index - diagonal]) index++;
			furthest[diagonal + most + 1] = index;
			if (diagonal === last && index >= old.length) return distance;
		}
	}
	return undefined;
}
