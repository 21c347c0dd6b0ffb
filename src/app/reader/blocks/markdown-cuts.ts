import { type Fence, fenceBehind } from "../../render/markdown-fence.ts";
import { type MarkdownPiece, markdownPieces } from "../../render/markdown-pieces.ts";
import { lineEnd } from "./cuts.ts";

/** A text that is longer is cut at its blank lines alone: to look at each of its lines would take longer than a frame. */
const LONG = 256 * 1024;
/** UTF-16 units behind which a piece of a long text ends at the next blank line, and in which that must come. */
const LEAST = 6000;
const MOST = 16_384;

/** The pieces of a Markdown text of any length. */
export function cutMarkdown(text: string): readonly MarkdownPiece[] {
	return text.length <= LONG ? [...markdownPieces(text)] : [...cutLong(text)];
}

/** What stands between two fences, the opening one included. */
interface Fenced {
	readonly from: number;
	readonly to: number;
	readonly opening: string;
}

function* cutLong(text: string): Generator<MarkdownPiece, void> {
	const fenced = fencesIn(text);
	let next = 0;
	let start = { lead: "", isBlock: true };
	for (let from = 0; from < text.length; ) {
		const { to, isBlock } = endOf(text, from, fenced, next);
		yield {
			text: text.slice(from, to),
			start: from,
			...start,
			isPlain: !isBlock && !text.slice(from, to).includes("\n"),
		};
		while (next < fenced.length && (fenced[next]?.to ?? 0) <= to) next++;
		const open = fenced[next];
		start = { lead: open !== undefined && open.from < to ? open.opening : "", isBlock };
		from = to;
	}
}

/** Where a piece ends, and whether a block begins behind it. */
function endOf(text: string, from: number, fenced: readonly Fenced[], first: number): { to: number; isBlock: boolean } {
	const near = text.slice(from, from + MOST);
	let next = first;
	for (let found = near.indexOf("\n\n", LEAST); found !== -1; found = near.indexOf("\n\n", found + 1)) {
		const at = from + found;
		// The line end before the blank line may be the one that the fence ends with.
		while (next < fenced.length && (fenced[next]?.to ?? 0) <= at + 1) next++;
		const around = fenced[next];
		if (around !== undefined && around.from <= at) {
			// On behind the fence.
			found = around.to - from - 2;
			continue;
		}
		if (!/[ \t\n]/.test(text[at + 2] ?? "")) return { to: at + 2, isBlock: true };
	}
	const to = lineEnd(text, from, MOST);
	return { to, isBlock: false };
}

function fencesIn(text: string): Fenced[] {
	const fenced: Fenced[] = [];
	let fence: Fence | undefined;
	for (const at of markers(text)) {
		const start = text.lastIndexOf("\n", at) + 1;
		if (at - start > MOST_INDENT) continue;
		const end = text.indexOf("\n", at);
		const line = text.slice(start, end === -1 ? text.length : Math.min(end + 1, start + MOST));
		const behind = fenceBehind(line, start, fence);
		if (fence !== undefined && behind === undefined)
			fenced.push({ from: fence.start, to: end === -1 ? text.length : end + 1, opening: fence.opening });
		fence = behind;
	}
	if (fence !== undefined) fenced.push({ from: fence.start, to: text.length, opening: fence.opening });
	return fenced;
}

/** Cells before a fence that may be in a list or a quote. */
const MOST_INDENT = 100;

/** Where "```" and "~~~" stand, in order, once a line. */
function* markers(text: string): Generator<number, void> {
	let tick = text.indexOf("```");
	let tilde = text.indexOf("~~~");
	while (tick !== -1 || tilde !== -1) {
		const at = tilde === -1 || (tick !== -1 && tick < tilde) ? tick : tilde;
		yield at;
		const end = text.indexOf("\n", at);
		if (end === -1) return;
		if (tick !== -1 && tick < end) tick = text.indexOf("```", end);
		if (tilde !== -1 && tilde < end) tilde = text.indexOf("~~~", end);
	}
}
