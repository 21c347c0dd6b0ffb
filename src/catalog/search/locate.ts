import { closeSync, openSync, readSync } from "node:fs";
import { isObject, type RawEntry } from "../../store/parse.ts";
import { extractSegments } from "../query/extract.ts";
import { fold } from "../query/fold.ts";
import { type Kind, kindOf } from "../query/kinds.ts";
import type { Term } from "../query/parse-query.ts";
import { makeSnippet } from "../query/snippet.ts";
import { SEGMENT_FIELDS } from "../texts/block.ts";
import type { EntryList } from "../texts/entry-list.ts";
import type { Match } from "./match-block.ts";
import type { Hit, Snippet } from "./search.ts";
import type { LazyBlock } from "./text-reader.ts";

/** Longer lines are not read for the sake of a snippet. */
const MAX_LINE = 1024 * 1024;

/** The hit that a match stands for, with a snippet in the folded form in which the text is stored. */
export function hitOf(block: LazyBlock, match: Match, terms: readonly Term[]): Hit {
	// Around a match of bytes, so that a segment of megabytes need not be decoded.
	const segment = boundsOf(block, match.start);
	const from = Math.max(segment.start, match.start - 200);
	const before = block.text.toString("utf8", from, match.start);
	const text = before + block.text.toString("utf8", match.start, Math.min(segment.end, match.end + 600));
	const end = before.length + block.text.toString("utf8", match.start, match.end).length;
	const snippet = makeSnippet(text, before.length, end, terms);
	return { line: match.line, entryId: "", kind: kindOf(match.code), active: true, snippet };
}

function boundsOf({ segments, text }: LazyBlock, place: number): { readonly start: number; readonly end: number } {
	let end = text.length;
	let start = 0;
	for (let index = 2; index < segments.length; index += SEGMENT_FIELDS) {
		const at = segments[index] ?? 0;
		if (at <= place) start = at;
		else {
			end = at;
			break;
		}
	}
	return { start, end: end - 1 };
}

/** Looks a hit up in the session's file: the entry's id, its branch, and the snippet as it was written. */
export function locate(path: string, hit: Hit, entries: EntryList, active: Uint8Array, terms: readonly Term[]): Hit {
	const index = entries.indexOfLine(hit.line);
	const entryId = entries.ids.at(index);
	const found: Hit = { ...hit, entryId, active: index === -1 || active[index] === 1 };
	const entry = readEntry(path, index === -1 ? 0 : entries.offsets.at(index));
	if (!entry) return found;
	const target = hit.kind === "label" && typeof entry.targetId === "string" ? entry.targetId : undefined;
	const snippet = originalSnippet(entry, hit.kind, terms) ?? hit.snippet;
	if (target === undefined) return { ...found, snippet };
	const at = entries.ids.lastIndexOf(target);
	return { ...found, entryId: target, active: at === -1 || active[at] === 1, snippet };
}

function originalSnippet(entry: RawEntry, kind: Kind, terms: readonly Term[]): Snippet | undefined {
	const wanted: Kind = kind === "title" ? "user" : kind;
	for (const segment of extractSegments(entry)) {
		if (segment.kind !== wanted) continue;
		const folded = fold(segment.text);
		for (const { needle, regex } of terms) {
			const found = regex ? new RegExp(regex.source, "im").exec(segment.text) : null;
			if (found) return makeSnippet(segment.text, found.index, found.index + found[0].length, terms);
			const at = needle ? folded.indexOf(needle) : -1;
			// With another length the places differ; the stored form serves then.
			if (at !== -1 && folded.length === segment.text.length)
				return makeSnippet(segment.text, at, at + (needle?.length ?? 0), terms);
		}
		if (terms.every(({ needle, regex }) => needle === undefined && !regex))
			return makeSnippet(segment.text, 0, 0, terms);
	}
	return undefined;
}

function readEntry(path: string, offset: number): RawEntry | undefined {
	try {
		const fd = openSync(path, "r");
		try {
			let buffer = Buffer.alloc(8192);
			let length = 0;
			for (;;) {
				const read = readSync(fd, buffer, length, buffer.length - length, offset + length);
				const newline = buffer.subarray(length, length + read).indexOf(0x0a);
				length += newline === -1 ? read : newline;
				if (newline !== -1 || read === 0) break;
				if (length >= MAX_LINE) return undefined;
				if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 4);
			}
			const value: unknown = JSON.parse(buffer.toString("utf8", 0, length));
			return isObject(value) ? value : undefined;
		} finally {
			closeSync(fd);
		}
	} catch {
		// The file has changed since its text was stored, or is gone; the stored form of the snippet serves.
		return undefined;
	}
}
