import { compareLines } from "../conversation/render/compare-text.ts";

/** For each line of a text the index of the same line in another one, -1 for none: by a diff, unless too much differs for one. */
export function sameLines(lines: readonly string[], others: readonly string[]): readonly number[] {
	const changes = compareLines(others, lines);
	if (changes === undefined) return alignLines(lines, others);
	const counterparts: number[] = [];
	let other = 0;
	for (const { kind, count } of changes) {
		for (let index = 0; index < count; index++)
			if (kind !== "removed") counterparts.push(kind === "same" ? other + index : -1);
		if (kind !== "added") other += count;
	}
	return counterparts;
}

/**
 * For each line of a text the index of the same line in another one, -1 for none: lines that occur once in both are the same, and the
 * equal ones around them.
 */
function alignLines(lines: readonly string[], others: readonly string[]): readonly number[] {
	const counterparts: number[] = lines.map(() => -1);
	const [own, theirs] = [onlyIndexes(lines), onlyIndexes(others)];
	for (const [text, index] of own) {
		const other = theirs.get(text) ?? -1;
		if (index === -1 || other === -1) continue;
		for (const step of [1, -1]) {
			for (let offset = 0; ; offset += step) {
				const at = index + offset;
				const isFree = offset === 0 || counterparts[at] === -1;
				if (!isFree || lines[at] === undefined || lines[at] !== others[other + offset]) break;
				counterparts[at] = other + offset;
			}
		}
	}
	return counterparts;
}

/** The index of each line that occurs once; -1 for the others. */
function onlyIndexes(lines: readonly string[]): ReadonlyMap<string, number> {
	const indexes = new Map<string, number>();
	for (const [index, line] of lines.entries()) indexes.set(line, indexes.has(line) ? -1 : index);
	return indexes;
}
