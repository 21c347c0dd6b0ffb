import type { Replacement } from "../store/format/tool-change.ts";

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
	const match = findReplacements(
		plain,
		edits.map(({ oldText, newText }) => ({ oldText: withLineFeeds(oldText), newText: withLineFeeds(newText) })),
	);
	const results: string[] = [];
	// Comparing a few texts takes less time than hashing them for a set.
	const add = (result: string): void => {
		if (!results.includes(result)) results.push(result);
	};
	if (match !== undefined) {
		const edited = replaceSpans(plain, match.replacements);
		if (edited !== plain) {
			add(text === plain ? edited : replaceInOriginal(text, match.replacements));
			add(withEnds(edited, text));
			if (match.loose !== undefined) add(withEnds(replaceSpans(normalizeLoosely(plain), match.loose), text));
		}
	}
	if (isOldForm) for (const result of replaceAsWritten(text, edits)) add(result);
	return mark === "" ? results : results.map((result) => mark + result);
}

function withLineFeeds(text: string): string {
	return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** Up to 1.5.0 pi made all line ends like the first one. */
function withEnds(after: string, before: string): string {
	const first = before.indexOf("\n");
	return first > 0 && before[first - 1] === "\r" ? after.replaceAll("\n", "\r\n") : after;
}

/**
 * Before it normalized line ends, pi replaced the given text verbatim, and only if it occurred once; the first versions took "$&" and the
 * like in the new text as `String.replace` does.
 */
function replaceAsWritten(text: string, edits: readonly Replacement[]): readonly string[] {
	const [edit] = edits;
	if (edit === undefined || edits.length > 1 || edit.oldText === "") return [];
	const { oldText, newText } = edit;
	const at = text.indexOf(oldText);
	if (at === -1 || text.includes(oldText, at + 1)) return [];
	const verbatim = text.slice(0, at) + newText + text.slice(at + oldText.length);
	return newText.includes("$") ? [verbatim, text.replace(oldText, newText)] : [verbatim];
}

/** Since 1.5.1 pi changes only what is replaced: makes replacements of the text with line feeds in the original text. */
function replaceInOriginal(text: string, replacements: readonly SpanReplacement[]): string {
	const toOriginal = originalOffsets(text);
	const parts: string[] = [];
	let from = 0;
	const add = (part: string): void => {
		if (part === "") return;
		// A carriage return followed by a line feed would become one line end.
		if (part.startsWith("\n") && parts.at(-1)?.endsWith("\r")) parts.push("\n");
		parts.push(part);
	};
	for (const { start, end, newText } of replacements) {
		const first = toOriginal(start);
		add(text.slice(from, first));
		add(newText.replaceAll("\n", lineEndAt(text, first)));
		from = toOriginal(end);
	}
	add(text.slice(from));
	return parts.join("");
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
	const nextBreak = text.indexOf("\n", offset);
	const at = nextBreak === -1 ? text.lastIndexOf("\n", offset) : nextBreak;
	if (at === -1) return text.includes("\r") ? "\r" : "\n";
	return text[at - 1] === "\r" ? "\r\n" : "\n";
}

/** So many characters are searched in about a second: what a call with more of them does is not known. */
const MOST_COMPARED = 1e9;

/** Where a text is in another one, in UTF-16 units. */
interface FoundText {
	/** Of its first occurrence; -1 if there is none. */
	readonly first: number;
	/** Whether there is no second one, also none that overlaps the first. */
	readonly isOnce: boolean;
	/** Whether there is a second one behind the first. */
	readonly isRepeated: boolean;
}

function findTexts(within: string, texts: readonly string[]): ReadonlyMap<string, FoundText> {
	return new Map(
		texts.map((text) => {
			// As `split` counts it.
			if (text === "") return [text, { first: 0, isOnce: false, isRepeated: within.length > 2 }];
			const first = within.indexOf(text);
			const second = first === -1 ? -1 : within.indexOf(text, first + 1);
			const isRepeated = second !== -1 && within.includes(text, first + text.length);
			return [text, { first, isOnce: first !== -1 && second === -1, isRepeated }];
		}),
	);
}

/** A replacement of `[start, end)` of a text, in UTF-16 units. */
interface SpanReplacement {
	readonly start: number;
	readonly end: number;
	readonly newText: string;
}

/** Makes replacements, which are ascending and do not overlap; their offsets count from `origin`. */
function replaceSpans(text: string, replacements: readonly SpanReplacement[], origin = 0): string {
	let result = "";
	let from = 0;
	for (const { start, end, newText } of replacements) {
		result += text.slice(from, start - origin) + newText;
		from = end - origin;
	}
	return result + text.slice(from);
}

interface FoundReplacements {
	/** In the text of the file, in ascending order. */
	readonly replacements: readonly SpanReplacement[];
	/** The same in the loosely normalized text, if one was found only there. */
	readonly loose: readonly SpanReplacement[] | undefined;
}

/**
 * Finds what an edit replaces, as pi's `edit` tool does (1.5.2): all texts in the file as it was before. If one is not found
 * verbatim, all are searched for in the loosely normalized text, and whole lines are replaced. Undefined if pi refuses: a text is
 * empty, is not found or found more than once, or two overlap. `text` and `edits` have line feeds only.
 */
function findReplacements(text: string, edits: readonly Replacement[]): FoundReplacements | undefined {
	if (edits.some(({ oldText }) => oldText === "")) return undefined;
	if (edits.length * text.length > MOST_COMPARED) return undefined;
	let normalized: string | undefined;
	// Most edits find their texts once as they are.
	const looseText = (): string => (normalized ??= normalizeLoosely(text));
	const oldTexts = edits.map(({ oldText }) => oldText);
	const verbatim = findTexts(text, oldTexts);
	const isLoose = verbatim.values().some(({ first }) => first === -1);
	const places = isLoose ? findTexts(looseText(), oldTexts) : verbatim;
	// Before 0.4x pi matched nothing loosely: a verbatim text that occurs once was enough.
	const doubtful = oldTexts.filter((oldText) => places.get(oldText)?.isOnce !== true);
	const looseForms = new Map(doubtful.map((oldText) => [oldText, normalizeLoosely(oldText)]));
	const foundLoosely = doubtful.length === 0 ? undefined : findTexts(looseText(), [...looseForms.values()]);
	const spans: SpanReplacement[] = [];
	for (const { oldText, newText } of edits) {
		const loose = looseForms.get(oldText);
		const other = loose === undefined ? undefined : foundLoosely?.get(loose);
		if (other?.isRepeated) return undefined;
		const start = places.get(oldText)?.first ?? -1;
		if (start !== -1) spans.push({ start, end: start + oldText.length, newText });
		else if (loose === undefined || other === undefined || other.first === -1) return undefined;
		else spans.push({ start: other.first, end: other.first + loose.length, newText });
	}
	spans.sort((one, other) => one.start - other.start);
	if (spans.some(({ end }, index) => end > (spans[index + 1]?.start ?? Number.POSITIVE_INFINITY))) return undefined;
	if (!isLoose) return { replacements: spans, loose: undefined };
	const replacements = wholeLines(text, looseText(), spans);
	return replacements && { replacements, loose: spans };
}

/** Normalizes what pi treats as equal: compatible characters, trailing spaces, and all kinds of quotes, dashes and spaces. */
function normalizeLoosely(text: string): string {
	return text
		.normalize("NFKC")
		.split("\n")
		.map((line) => line.trimEnd())
		.join("\n")
		.replace(/[\u2018-\u201B]/g, "'")
		.replace(/[\u201C-\u201F]/g, '"')
		.replace(/[\u2010-\u2015\u2212]/g, "-")
		.replace(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " ");
}

/** Turns replacements in the loose text into replacements of whole lines of the text itself. */
function wholeLines(
	text: string,
	looseText: string,
	spans: readonly SpanReplacement[],
): readonly SpanReplacement[] | undefined {
	const [starts, loose] = [lineStarts(text), lineStarts(looseText)];
	if (starts.length !== loose.length) return undefined;
	const groups: { first: number; last: number; spans: SpanReplacement[] }[] = [];
	for (const span of spans) {
		const first = lineOf(loose, span.start);
		const last = lineOf(loose, Math.max(span.start, span.end - 1));
		const group = groups.at(-1);
		if (group !== undefined && first <= group.last) {
			group.last = Math.max(group.last, last);
			group.spans.push(span);
		} else groups.push({ first, last, spans: [span] });
	}
	return groups.map((group) => {
		const [start = 0, end = text.length] = [starts[group.first], starts[group.last + 1]];
		const [from = 0, to = looseText.length] = [loose[group.first], loose[group.last + 1]];
		return { start, end, newText: replaceSpans(looseText.slice(from, to), group.spans, from) };
	});
}

/** Offsets where lines begin; text behind the last line feed is a line if it is not empty. */
function lineStarts(text: string): readonly number[] {
	const starts: number[] = [];
	for (let at = 0; at < text.length; ) {
		starts.push(at);
		const end = text.indexOf("\n", at);
		at = end === -1 ? text.length : end + 1;
	}
	return starts;
}

/** Index of the line that an offset is in. */
function lineOf(starts: readonly number[], offset: number): number {
	let [low, high] = [0, starts.length - 1];
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if ((starts[middle] ?? 0) <= offset) low = middle;
		else high = middle - 1;
	}
	return low;
}
