import { compareLines } from "../conversation/render/compare-text.ts";
import { lineKey, linesWithEnds } from "./lines.ts";
import type { PatchHunk } from "./patch-hunks.ts";

/** A text with the hunks that fit into it. */
export interface PlacedHunks {
	readonly text: string;
	/** Those that do not, and why. */
	readonly refused: readonly RefusedHunk[];
	/** Those whose lines are there already. */
	readonly present: readonly PatchHunk[];
}

export interface RefusedHunk {
	readonly hunk: PatchHunk;
	/** Follows a colon. */
	readonly why: string;
}

export const CHANGED_SINCE = "something else changed its lines since";

/** Where a hunk belongs in a text: the index of its first line there, or why it has no place; undefined if it is there already. */
type Place = { readonly start: number; readonly hunk: PatchHunk } | { readonly why: string } | undefined;

/**
 * Puts hunks into a text that may not be the one they were made for: each where its lines are, if that is one place. `base`: the text that
 * they were made for, which decides where equal lines are there several times.
 */
export function placeHunks(text: string, hunks: readonly PatchHunk[], base: string | undefined): PlacedHunks {
	const lines = linesWithEnds(text);
	const keys = lines.map(lineKey);
	let moved: readonly number[] | undefined;
	const movedTo = (old: number): number | undefined => {
		if (base === undefined) return undefined;
		moved ??= linesThatStayed(linesWithEnds(base).map(lineKey), keys);
		return moved[old];
	};
	const refused: RefusedHunk[] = [];
	const parts: string[] = [];
	let next = 0;
	const present: PatchHunk[] = [];
	const places = hunks.map((hunk) => ({ hunk, place: placeOf(hunk, keys, movedTo) }));
	const startOf = (place: Place): number => (place !== undefined && "start" in place ? place.start : -1);
	places.sort((one, other) => startOf(one.place) - startOf(other.place));
	for (const { hunk, place } of places) {
		if (place === undefined) present.push(hunk);
		else if ("why" in place) refused.push({ hunk, why: place.why });
		else if (place.start < next) refused.push({ hunk, why: "another hunk changes the same lines" });
		else {
			for (; next < place.start; next++) parts.push(lines[next] ?? "");
			const isCrlf = lines[next]?.endsWith("\r\n") ?? lines[next - 1]?.endsWith("\r\n");
			for (const { kind, text: line } of place.hunk.lines) {
				if (kind === "added") parts.push(isCrlf === undefined ? line : line.replace(/\r?\n$/, isCrlf ? "\r\n" : "\n"));
				else {
					if (kind === "same") parts.push(lines[next] ?? "");
					next++;
				}
			}
		}
	}
	parts.push(...lines.slice(next));
	// What follows a line without an end would become a part of it.
	const isBroken = parts.slice(0, -1).some((line) => !line.endsWith("\n"));
	if (isBroken)
		return { text, refused: hunks.map((hunk) => ({ hunk, why: "the end of the file has changed" })), present: [] };
	return { text: parts.join(""), refused, present };
}

/** Lines beside a change that must be there, too: all of a hunk, then fewer. */
const CONTEXTS = [Number.POSITIVE_INFINITY, 1];

function placeOf(hunk: PatchHunk, keys: readonly string[], movedTo: (old: number) => number | undefined): Place {
	for (const context of CONTEXTS) {
		const near = withContext(hunk, context);
		const starts = placesOf(linesOf(near, "added"), keys);
		if (starts.length > 1) {
			const start = movedTo(near.old - 1);
			if (start !== undefined && starts.includes(start)) return { start, hunk: near };
			return { why: `its lines are there ${starts.length} times` };
		}
		if (starts[0] !== undefined) return { start: starts[0], hunk: near };
	}
	const newLines = linesOf(hunk, "removed");
	if (newLines.length > 0 && placesOf(newLines, keys).length > 0) return undefined;
	return { why: CHANGED_SINCE };
}

/** The lines of one side of a hunk, for comparison. */
function linesOf({ lines }: PatchHunk, other: "removed" | "added"): readonly string[] {
	return lines.filter(({ kind }) => kind !== other).map(({ text }) => lineKey(text));
}

/** Where lines are among others; of none, only where there are no others. */
function placesOf(wanted: readonly string[], keys: readonly string[]): readonly number[] {
	const [first] = wanted;
	if (first === undefined) return keys.length === 0 ? [0] : [];
	const starts: number[] = [];
	for (let start = keys.indexOf(first); start !== -1; start = keys.indexOf(first, start + 1))
		if (wanted.every((line, index) => keys[start + index] === line)) starts.push(start);
	return starts;
}

/** A hunk with fewer of the lines that stay before and after its changes. */
function withContext(hunk: PatchHunk, most: number): PatchHunk {
	const first = hunk.lines.findIndex(({ kind }) => kind !== "same");
	const last = hunk.lines.findLastIndex(({ kind }) => kind !== "same");
	const from = Math.max(0, first - most);
	const lines = hunk.lines.slice(from, last + 1 + most);
	return { old: hunk.old + from, now: hunk.now + from, lines };
}

/** For the index of each line of a text, its index in another one, if it is there, too. */
function linesThatStayed(before: readonly string[], after: readonly string[]): readonly number[] {
	const indices: number[] = [];
	let [old, now] = [0, 0];
	for (const { kind, count } of compareLines(before, after) ?? []) {
		for (let index = 0; kind === "same" && index < count; index++) indices[old + index] = now + index;
		if (kind !== "added") old += count;
		if (kind !== "removed") now += count;
	}
	return indices;
}

/** The hunk that takes another one back. */
export function inverted({ old, now, lines }: PatchHunk): PatchHunk {
	const turned = { same: "same", removed: "added", added: "removed" } as const;
	return { old: now, now: old, lines: lines.map(({ kind, text }) => ({ kind: turned[kind], text })) };
}
