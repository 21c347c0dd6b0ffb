import { isFileId } from "../../store/format/file-ids.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { CHANGING_TOOLS } from "../../store/format/tool-change.ts";
import type { BranchLines } from "../branches/read-branches.ts";
import { extractTexts } from "../query/extract.ts";
import { KIND_STEP, KINDS, type Kind, OWN_PROJECT_RANK, rankOf } from "../query/kinds.ts";
import { isOwnProject, levelIn, SearchText, spanOf, type TermSpan } from "../query/match.ts";
import type { Query } from "../query/parse-query.ts";
import { LEVEL_RANK } from "../query/relevance.ts";
import { makeSnippet, type Snippet, startSnippet } from "../query/snippet.ts";
import { alternativesOf, flatTerms, hasForms, type Term } from "../query/term.ts";
import type { GrepLine } from "./read-matches.ts";
import type { Hit } from "./search.ts";
import type { SessionLines } from "./session-lines.ts";

export interface LineMatch {
	readonly line: GrepLine;
	/** The rank of each term's best match; undefined for a term without one. */
	readonly ranks: readonly (number | undefined)[];
	/** For each term with other forms, what of it was matched. */
	readonly matched: readonly (string | undefined)[];
	/** The best match, as a hit; its `active` is not determined yet. */
	readonly hit: Hit;
}

interface BestMatch {
	readonly text: SearchText;
	readonly span: TermSpan;
	readonly rank: number;
}

/**
 * Parses a line that ripgrep has found and matches the terms with the texts of what is on it, usually one entry; without those in
 * which none matches, or only in a name or label that was replaced later. `titles`: whether to distinguish the title from other
 * user messages, which requires reading the file from its start to the line.
 */
export function matchLine(lines: SessionLines, line: GrepLine, query: Query, titles: boolean): readonly LineMatch[] {
	return [...lines.entriesOn(line.offset)].flatMap(
		([offset, entry]) => matchEntry(lines, { ...line, offset }, entry, query, titles) ?? [],
	);
}

function matchEntry(
	lines: SessionLines,
	line: GrepLine,
	entry: RawEntry,
	query: Query,
	titles: boolean,
): LineMatch | undefined {
	const extracts = extractTexts(entry);
	const mayBeTitle = (titles || asksForTitle(query)) && extracts.some(isUser);
	const isTitle = mayBeTitle && lines.isTitle(line.offset, (other) => extractTexts(other).some(isUser));
	const texts = isTitle ? extracts.map(asTitle) : extracts;
	const best = query.terms.map((term) => bestOf(texts, term));
	const shownMatch = shownOf(best);
	if (!shownMatch || !lines.isPresent(line.offset, entry)) return undefined;
	const hit: Hit = {
		line: line.number,
		entryId: idOf(entry),
		kind: shownMatch.text.kind,
		active: true,
		snippet: makeSnippet(shownMatch.text, shownMatch.span, query.terms),
	};
	const isInForms = query.terms.map(hasForms);
	const matched = best.map((one, term) =>
		one && isInForms[term] ? one.text.composed.slice(one.span.start, one.span.end) : undefined,
	);
	return { line, ranks: best.map((one) => one?.rank), matched, hit };
}

/**
 * The text around the best hit in an entry's texts of a kind; the beginning of the first text if there is no hit; undefined if
 * there are no such texts. For an entry that differs from the one in its file.
 */
export function bestSnippet(entry: RawEntry, kind: Kind, { terms }: Query): Snippet | undefined {
	const texts = extractTexts(entry).filter((text) => text.kind === (kind === "title" ? "user" : kind));
	const matches = terms.map((term) => bestOf(kind === "title" ? texts.map(asTitle) : texts, term));
	const shownMatch = shownOf(matches);
	if (shownMatch !== undefined) return makeSnippet(shownMatch.text, shownMatch.span, terms);
	return texts[0] && startSnippet(texts[0].text);
}

/** The match to show: in the text that most terms are in, the best ranked. */
function shownOf(matches: readonly (BestMatch | undefined)[]): BestMatch | undefined {
	const termsIn = (one: BestMatch): number => matches.filter((other) => other?.text === one.text).length;
	const isBetter = (a: BestMatch, b: BestMatch): boolean => (termsIn(a) - termsIn(b) || b.rank - a.rank) > 0;
	return matches.reduce((a, b) => (b && (!a || isBetter(b, a)) ? b : a), undefined);
}

function asksForTitle({ terms }: Query): boolean {
	return flatTerms(terms).some(({ kinds }) => (kinds & (KINDS.title.bit | KINDS.user.bit)) === KINDS.title.bit);
}

function isUser({ kind }: SearchText): boolean {
	return kind === "user";
}

function asTitle(text: SearchText): SearchText {
	return isUser(text) ? new SearchText("title", text.text) : text;
}

function bestOf(texts: readonly SearchText[], term: Term): BestMatch | undefined {
	let best: BestMatch | undefined;
	for (const text of texts) {
		// A better kind wins, whole word or not.
		if (best && KINDS[text.kind].rank * KIND_STEP >= best.rank) continue;
		for (const one of alternativesOf(term)) {
			const level = levelIn(text, one);
			if (level === undefined) continue;
			const span = spanOf(text, one);
			const rank = isOwnProject(text, one)
				? OWN_PROJECT_RANK
				: rankOf(text.kind, one, span.word, CHANGING_TOOLS.has(text.tool)) + level * LEVEL_RANK;
			if (!best || rank < best.rank) best = { text, span, rank };
		}
	}
	return best;
}

function idOf({ type, id, targetId }: RawEntry): string {
	if (type === "label" && isFileId(targetId)) return String(targetId);
	// The header's id is the session's.
	return isFileId(id) && type !== "session" ? String(id) : "";
}

/** Sets whether a hit is active. A label is on the branch of the entry that it labels. */
export function withBranch({ hit, line }: LineMatch, { abandoned, labeled }: BranchLines): Hit {
	const offset = hit.kind === "label" ? labeled.get(hit.entryId) : line.offset;
	const isAbandoned = offset !== undefined && abandoned.some(([from, to]) => from <= offset && offset < to);
	return { ...hit, active: !isAbandoned };
}

export function labeledIds(matches: readonly LineMatch[]): string[] {
	return matches.filter(({ hit }) => hit.kind === "label").map(({ hit }) => hit.entryId);
}
