import { type Line, lineText, type Span } from "../../ui/text/line.ts";
import { cleanLines, sliceText } from "../../ui/text/sanitize.ts";
import { CODE_TAB_STOP, highlightedLines } from "./code-lines.ts";
import type { DiffLine } from "./diff-lines.ts";
import type { Renderers, TextChange } from "./renderers.ts";

/** Successive lines of a file, or a single gap or note. */
export type Hunk = readonly DiffLine[];

/** Unchanged lines, or the lines removed and added in one place. */
export interface ChangeBlock {
	readonly same: readonly DiffLine[];
	readonly removed: readonly DiffLine[];
	readonly added: readonly DiffLine[];
}

export function* hunksOf(lines: Iterable<DiffLine>): Generator<Hunk, void> {
	let hunk: DiffLine[] = [];
	for (const line of lines) {
		if (line.kind !== "gap" && line.kind !== "note") {
			hunk.push(line);
			continue;
		}
		if (hunk.length > 0) yield hunk;
		yield [line];
		hunk = [];
	}
	if (hunk.length > 0) yield hunk;
}

/** The blocks of a hunk; added lines that come before removed ones are a block of their own. */
export function* blocksOf(hunk: Hunk): Generator<ChangeBlock, void> {
	let same: DiffLine[] = [];
	let removed: DiffLine[] = [];
	let added: DiffLine[] = [];
	for (const line of hunk) {
		const isSame = line.kind === "same";
		// Removed lines behind added ones are another change.
		const ends = isSame
			? removed.length + added.length > 0
			: same.length > 0 || (line.kind === "removed" && added.length > 0);
		if (ends) {
			yield { same, removed, added };
			[same, removed, added] = [[], [], []];
		}
		if (isSame) same.push(line);
		else if (line.kind === "removed") removed.push(line);
		else added.push(line);
	}
	yield { same, removed, added };
}

/** The lines of a diff that are not drawn plain. */
export type Colored = Map<DiffLine, Line>;

/** Characters that end a line in code, but not in a diff. */
const LINE_END = /[\r\u2028\u2029]/;

/** Highlights the lines of a hunk as code: as they are after the change, and those that are removed as they were before. */
export function highlightHunk(
	hunk: readonly DiffLine[],
	language: string | undefined,
	renderers: Renderers | undefined,
): Colored {
	const sides = (["removed", "added"] as const).map((side) => highlightLines(hunk, side, language, renderers));
	return new Map(sides.flatMap((lines) => [...lines]));
}

/** Highlights the lines of one side of a hunk; those that stay belong to the new one. */
function highlightLines(
	hunk: readonly DiffLine[],
	side: "removed" | "added",
	language: string | undefined,
	renderers: Renderers | undefined,
): Colored {
	if (side === "removed" && !hunk.some(({ kind }) => kind === side)) return new Map();
	const lines = hunk.filter(({ kind }) => kind === "same" || kind === side);
	if (lines.some(({ text }) => LINE_END.test(text))) return new Map();
	const drawn = highlightedLines(lines.map(({ text }) => `${text}\n`).join(""), language, renderers);
	return new Map(drawn === undefined ? [] : lines.map((line, index) => [line, drawn[index] ?? []]));
}

export function markWords(pair: LinePair<DiffLine>, colored: Colored, renderers: Renderers | undefined): void {
	const { removed, added, isSimilar } = pair;
	if (!isSimilar || renderers === undefined || removed === undefined || added === undefined) return;
	const oldLine = colored.get(removed) ?? plain(removed);
	const newLine = colored.get(added) ?? plain(added);
	const [oldText, newText] = [lineText(oldLine), lineText(newLine)];
	if (oldText.length > MAX_PAIRED || newText.length > MAX_PAIRED) return;
	const changes = renderers.compareWords(oldText, newText);
	if (changes === undefined) return;
	colored.set(removed, withMarks(oldLine, changes, "removed"));
	colored.set(added, withMarks(newLine, changes, "added"));
}

function plain({ text }: DiffLine): Line {
	return cleanLines(text, CODE_TAB_STOP).map((line) => ({ text: line }));
}

function withMarks(line: Line, changes: readonly TextChange[], kind: "removed" | "added"): Line {
	const drawn: Span[] = [];
	let index = 0;
	let [from, rest] = [0, line[0]?.text.length ?? 0];
	for (const change of changes) {
		if (change.kind !== "same" && change.kind !== kind) continue;
		let { count } = change;
		while (count > 0) {
			const span = line[index];
			if (span === undefined) return drawn;
			const length = Math.min(count, rest);
			const text = sliceText(span.text, from, from + length);
			if (length > 0) {
				const mark: Partial<Span> = { tone: kind, bold: true, ground: `${kind}-words` };
				drawn.push({ ...span, text, ...(change.kind === "same" ? {} : mark) });
			}
			count -= length;
			rest -= length;
			from += length;
			if (rest > 0) continue;
			index++;
			[from, rest] = [0, line[index]?.text.length ?? 0];
		}
	}
	return drawn;
}

/** A removed and an added line side by side; the one need not have become the other. */
export interface LinePair<Each> {
	readonly removed: Each | undefined;
	readonly added: Each | undefined;
	/** Whether they have enough in common to show which words changed. */
	readonly isSimilar: boolean;
}

/** UTF-16 units of a line whose words are compared; changed words of longer lines are not marked. */
const MAX_PAIRED = 300;
/** Added lines that are tried for a removed one. */
const TRIED = 12;
/** Share of the words of both lines that must be the same. */
const SIMILAR = 0.4;
const WORD = /[\p{L}\p{N}_]+/gu;

/** Pairs the lines of a change, in order; a line may be in a pair without the other. */
export function pairLines<Each extends { readonly text: string }>(
	removed: readonly Each[],
	added: readonly Each[],
): LinePair<Each>[] {
	if (removed.length === 0 || added.length === 0) return sideBySide(removed, added);
	const pairs: LinePair<Each>[] = [];
	const removedWords = removed.map(({ text }) => wordsOf(text));
	const addedWords = added.map(({ text }) => wordsOf(text));
	let [nextRemoved, nextAdded] = [0, 0];
	for (const [index, words] of removedWords.entries()) {
		const other = mostSimilar(words, addedWords, nextAdded);
		if (other === undefined) continue;
		for (const pair of sideBySide(removed.slice(nextRemoved, index), added.slice(nextAdded, other))) pairs.push(pair);
		pairs.push({ removed: removed[index], added: added[other], isSimilar: true });
		nextRemoved = index + 1;
		nextAdded = other + 1;
	}
	return [...pairs, ...sideBySide(removed.slice(nextRemoved), added.slice(nextAdded))];
}

function sideBySide<Each>(removed: readonly Each[], added: readonly Each[]): LinePair<Each>[] {
	const length = Math.max(removed.length, added.length);
	return Array.from({ length }, (_, index) => ({ removed: removed[index], added: added[index], isSimilar: false }));
}

interface WordCounts {
	readonly counts: ReadonlyMap<string, number>;
	readonly total: number;
}

function wordsOf(text: string): WordCounts {
	const counts = new Map<string, number>();
	let total = 0;
	if (text.length > MAX_PAIRED) return { counts, total };
	for (const [word] of text.matchAll(WORD)) {
		counts.set(word, (counts.get(word) ?? 0) + 1);
		total++;
	}
	return { counts, total };
}

/** Index of the line from `start` on that has most in common with a line; undefined if none has enough. */
function mostSimilar(words: WordCounts, others: readonly WordCounts[], start: number): number | undefined {
	let best: number | undefined;
	let highest = SIMILAR;
	for (const [index, other] of others.slice(start, start + TRIED).entries()) {
		const similarity = similarityOf(words, other);
		if (similarity < highest || (best !== undefined && similarity === highest)) continue;
		best = start + index;
		highest = similarity;
	}
	return best;
}

function similarityOf(one: WordCounts, other: WordCounts): number {
	let common = 0;
	for (const [word, count] of one.counts) common += Math.min(count, other.counts.get(word) ?? 0);
	return common === 0 ? 0 : (2 * common) / (one.total + other.total);
}
