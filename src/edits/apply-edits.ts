import type { Replacement } from "../store/format/tool-change.ts";
import { findReplacements, normalizeLoosely, replaceSpans, type SpanReplacement } from "./find-replacements.ts";

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The texts that a file may have after pi's `edit` tool has succeeded on it: one if all versions of pi agree, several if they
 * do not (they treat line ends and loosely matched text differently, and a session does not say which pi wrote it), none if
 * the tool cannot have succeeded on this text. `isOldForm`: the call has the form of the oldest versions.
 */
export function applyEdits(content: string, edits: readonly Replacement[], isOldForm = false): readonly string[] {
	const mark = content.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
	const text = content.slice(mark.length);
	const plain = withLineFeeds(text);
	const found = findReplacements(
		plain,
		edits.map(({ oldText, newText }) => ({ oldText: withLineFeeds(oldText), newText: withLineFeeds(newText) })),
	);
	const results = new Set<string>();
	if (found !== undefined) {
		const after = replaceSpans(plain, found.replacements);
		if (after !== plain) {
			results.add(text === plain ? after : replaceInOriginal(text, found.replacements));
			results.add(withEnds(after, text));
			if (found.loose !== undefined) results.add(withEnds(replaceSpans(normalizeLoosely(plain), found.loose), text));
		}
	}
	const oldest = isOldForm && text !== plain ? replaceAsWritten(text, edits) : undefined;
	if (oldest !== undefined) results.add(oldest);
	return [...results].map((result) => mark + result);
}

function withLineFeeds(text: string): string {
	return text.replace(/\r\n?/g, "\n");
}

/** Up to 1.5.0 pi made all line ends like the first one. */
function withEnds(after: string, before: string): string {
	const first = before.indexOf("\n");
	return first > 0 && before[first - 1] === "\r" ? after.replaceAll("\n", "\r\n") : after;
}

/** Before it normalized line ends, pi replaced the given text verbatim, and only if it occurred once. */
function replaceAsWritten(text: string, edits: readonly Replacement[]): string | undefined {
	const [edit] = edits;
	if (edit === undefined || edits.length > 1 || edit.oldText === "") return undefined;
	const at = text.indexOf(edit.oldText);
	if (at === -1 || text.includes(edit.oldText, at + 1)) return undefined;
	return text.slice(0, at) + edit.newText + text.slice(at + edit.oldText.length);
}

/** Since 1.5.1 pi changes only what is replaced: makes replacements of the text with line feeds in the original text. */
function replaceInOriginal(text: string, replacements: readonly SpanReplacement[]): string {
	const toOriginal = originalOffsets(text);
	let result = "";
	let from = 0;
	const add = (part: string): void => {
		// A carriage return followed by a line feed would become one line end.
		if (part !== "" && result.endsWith("\r") && part.startsWith("\n")) result += "\n";
		result += part;
	};
	for (const { start, end, newText } of replacements) {
		const first = toOriginal(start);
		add(text.slice(from, first));
		add(newText.replaceAll("\n", lineEndAt(text, first)));
		from = toOriginal(end);
	}
	add(text.slice(from));
	return result;
}

/** Translates ascending offsets in the text with line feeds into offsets in the original text. */
function originalOffsets(text: string): (offset: number) => number {
	let pairs = 0;
	let next = text.indexOf("\r\n");
	return (offset) => {
		while (next !== -1 && next - pairs < offset) {
			pairs++;
			next = text.indexOf("\r\n", next + 2);
		}
		return offset + pairs;
	};
}

/** The line end of the line that an offset is in, or of the line before if it has none. */
function lineEndAt(text: string, offset: number): string {
	const after = text.indexOf("\n", offset);
	const at = after === -1 ? text.lastIndexOf("\n", offset) : after;
	if (at === -1) return text.includes("\r") ? "\r" : "\n";
	return text[at - 1] === "\r" ? "\r\n" : "\n";
}
