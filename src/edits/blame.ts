import { formatCounted } from "../ui/text/format.ts";
import { type LineEvents, removesLine } from "./line-events.ts";

export interface CommitName {
	readonly hash: string;
	/** Author and committer date; Unix ms, to the second. */
	readonly authorMs: number;
	readonly committedMs: number;
	readonly author: string;
	readonly summary: string;
}

/** A commit, with the facts that show when a line was written. */
export interface BlamedCommit extends CommitName {
	/** What `git blame --porcelain` says of it, by name: "author-mail", "previous", …. */
	readonly headers: ReadonlyMap<string, string>;
	/** Whether the history before it is missing, as in a shallow clone. */
	readonly isCutOff: boolean;
	/** When commits before it changed the same file, Unix ms, to the second. */
	readonly earlierMs: readonly number[];
}

/** A line of a file, and the commit that Git names for it; undefined if it is not committed yet. */
export interface BlamedLine {
	/** 1-based. */
	readonly number: number;
	readonly text: string;
	readonly commit: BlamedCommit | undefined;
	/** Where it is in that commit: the path in the repository, and its number there. */
	readonly origin?: { readonly path: string; readonly number: number };
}

/** An edit that wrote, or may have written, a line. */
export interface LineEdit {
	/** Path of the session's file. */
	readonly session: string;
	/** "" if only the session is known. */
	readonly entryId: string;
	/** Unix ms; NaN if it is not known. */
	readonly timeMs: number;
	/** "other": none of its edits has the line; what the commit says names the session. */
	readonly tool: "edit" | "write" | "other";
	/** The file that was edited, absolute. */
	readonly path: string;
	/** False for a file with the same name in a directory that may be another copy of the project. */
	readonly isHere: boolean;
}

/** An edit with what it did to the lines of its file. */
export interface KnownEdit extends LineEdit {
	readonly events: LineEvents;
	/** Whether the session had been shown this line before, so that a `write` may have only kept it. */
	readonly hadSeen: (line: string) => boolean;
}

/** Who wrote a line: one session, several that may have, or none that is known. */
export interface BlameAnswer<Edit extends LineEdit = LineEdit> {
	readonly answer: "exact" | "candidates" | "unknown";
	/** One edit of each session, the likeliest first; one if the answer is exact, none if it is unknown. */
	readonly edits: readonly Edit[];
	/** The reason for the answer, or why there is no better one. */
	readonly why: string;
	/** What of the commit names the session: "git-ai note", or the key of a trailer. */
	readonly source?: string;
}

export interface BlameFacts {
	readonly lines: readonly BlamedLine[];
	/** Oldest first. */
	readonly edits: readonly KnownEdit[];
	/** When commits up to HEAD changed the file, Unix ms, to the second: for lines that are not committed yet. */
	readonly committedMs: readonly number[];
	/** By line, the commits up to HEAD that added it to the file. */
	readonly addedBy: ReadonlyMap<string, readonly Pick<BlamedCommit, "hash" | "authorMs">[]>;
	/** Whether some of the sessions could not be read. */
	readonly isPartial: boolean;
	/** Unix ms. */
	readonly now: number;
}

/** The clocks of two machines may differ by this. */
const CLOCKS_DIFFER_MS = 10 * 60_000;
/** Commit times have no milliseconds. */
const SECOND_MS = 999;
/** Shorter pieces of a line are not distinctive. */
const MIN_PIECE = 3;

/**
 * Finds who wrote a line that occurs once in its file and is distinctive enough not to be written twice by chance. The answer
 * is exact only if a single session added it to this very file, before the commit that Git names, and nothing contradicts it.
 */
export function blameLine({ text, commit }: BlamedLine, facts: Omit<BlameFacts, "lines">): BlameAnswer<KnownEdit> {
	const limit = limitOf(commit, facts);
	const here = facts.edits.filter(({ isHere }) => isHere);
	const elsewhere = facts.edits.filter(({ isHere }) => !isHere);
	const sweepHere = sweepAll(here, text, limit);
	const sweepElsewhere = sweepAll(elsewhere, text, limit);
	const later = facts.edits.filter(
		(edit) => edit.timeMs > limit && edit.timeMs <= limit + CLOCKS_DIFFER_MS && mayAdd(edit, text),
	);
	const partly = here.filter((edit) => !(edit.timeMs > limit) && hasPieceOf(edit, text));
	const standing = [...sweepHere.standing, ...sweepElsewhere.standing];
	if (standing.length === 0 && later.length === 0 && partly.length === 0) {
		const removed = [...sweepHere.gone, ...sweepElsewhere.gone];
		if (removed.length > 0)
			return candidates(removed, "it was added and removed again before; who put it back is not known");
		return noAuthor(facts.edits.length);
	}
	const all = [...standing, ...later, ...partly];
	if (new Set(all.map(({ session }) => session)).size > 1)
		return candidates(all, "more than one session may have written it");
	const [last] = sweepHere.standing.toReversed();
	if (last === undefined) {
		if (sweepElsewhere.standing.length > 0)
			return candidates(all, `it was added in another directory: ${all[0]?.path ?? ""}`);
		return candidates(all, later.length > 0 ? "the edit is later than the commit" : "the edit has only a part of it");
	}
	const doubt = doubtAbout(last, { text, commit }, facts);
	return doubt === undefined
		? { answer: "exact", edits: [last], why: "no other session added this line to this file" }
		: candidates(all, doubt);
}

/** Edits of other sessions that may have added a line with the same text for the same commit; matters if it is not distinctive. */
export function otherAuthorsOf(
	edit: KnownEdit,
	{ text, commit }: Omit<BlamedLine, "number">,
	facts: Times & Pick<BlameFacts, "edits">,
) {
	const limit = limitOf(commit, facts);
	const start = Math.max(...timesBefore(commit, facts), Number.NEGATIVE_INFINITY);
	return facts.edits.filter(
		(other) =>
			other.session !== edit.session &&
			!(other.timeMs > limit) &&
			!(other.timeMs + SECOND_MS < start) &&
			(other.events.adds.has(text) || other.events.pieces.some((piece) => text.includes(piece.trim()))),
	);
}

type Times = Pick<BlameFacts, "now" | "committedMs">;

/** Nothing later than this time can be in a commit; Unix ms. */
function limitOf(commit: BlamedLine["commit"], { now }: Times): number {
	return commit === undefined ? now : commit.committedMs + SECOND_MS;
}

/** Times of earlier commits of the file. A rebased commit counts from when it was first made. */
function timesBefore(commit: BlamedLine["commit"], { committedMs }: Times): readonly number[] {
	return commit === undefined ? committedMs : commit.earlierMs.filter((time) => time <= commit.authorMs);
}

/** Whether an edit may have added a line, not only written it again. */
function mayAdd({ events, hadSeen }: KnownEdit, text: string): boolean {
	return events.adds.has(text) && !(events.isWhole && hadSeen(text));
}

interface LineSweep {
	/** Edits that added the line, which was not removed after them. */
	readonly standing: readonly KnownEdit[];
	/** Edits that added the line, which was removed after them. */
	readonly gone: readonly KnownEdit[];
}

/** Sweeps each copy of the file by itself, since each has its own history. */
function sweepAll(edits: readonly KnownEdit[], text: string, limit: number): LineSweep {
	const byPath = Map.groupBy(edits, ({ path }) => path);
	const swept = [...byPath.values()].map((own) => sweep(own, text, limit));
	return { standing: swept.flatMap(({ standing }) => standing), gone: swept.flatMap(({ gone }) => gone) };
}

/** Follows a line through the edits of one file, up to a time. An edit without a time counts as early enough. */
function sweep(edits: readonly KnownEdit[], text: string, limit: number): LineSweep {
	let standing: KnownEdit[] = [];
	const removed: KnownEdit[] = [];
	for (const edit of edits) {
		if (edit.timeMs > limit) continue;
		if (edit.events.adds.has(text)) {
			if (!keeps(edit, standing)) standing.push(edit);
		} else if (removesLine(edit.events, text)) {
			removed.push(...standing);
			standing = [];
		}
	}
	return { standing, gone: removed };
}

/**
 * Whether a `write` of a file only repeated what its own session had put into it. If another session had, the line may have
 * been removed meanwhile and written again.
 */
function keeps({ events, session }: KnownEdit, standing: readonly KnownEdit[]): boolean {
	return events.isWhole && standing.length > 0 && standing.every((other) => other.session === session);
}

function hasPieceOf({ events }: KnownEdit, text: string): boolean {
	return events.pieces.some((piece) => piece.trim().length >= MIN_PIECE && text.includes(piece));
}

/** Why an edit may not have written the line, though no other edit is known. */
function doubtAbout(
	edit: KnownEdit,
	{ text, commit }: Pick<BlamedLine, "text" | "commit">,
	facts: Omit<BlameFacts, "lines">,
): string | undefined {
	const { timeMs } = edit;
	if (Number.isNaN(timeMs)) return "the session does not say when the edit was made";
	if (facts.isPartial) return "not all of the sessions can be read";
	if (edit.events.isWhole && edit.hadSeen(text))
		return "the session wrote the whole file, and had seen the line before";
	if (commit?.isCutOff === true) return "the history is cut off before the commit";
	const isLater = (time: number): boolean => time + SECOND_MS >= timeMs;
	if (timesBefore(commit, facts).some(isLater)) return "the file was committed without the line after the edit";
	const otherCommits = (facts.addedBy.get(text) ?? []).filter(({ hash }) => hash !== commit?.hash);
	return otherCommits.some(({ authorMs }) => isLater(authorMs))
		? "another commit added the same line after the edit"
		: undefined;
}

/** The answer if several sessions may have written a line, or one that is not certain. */
export function candidates<Edit extends LineEdit>(edits: readonly Edit[], why: string): BlameAnswer<Edit> {
	return { answer: "candidates", edits: onePerSession(edits), why };
}

/** The answer if no session is known to have written a line; `edits`: how many edits of the file are known. */
export function noAuthor(edits: number): BlameAnswer<never> {
	const why =
		edits === 0
			? "no session is known to have edited or written this file"
			: edits === 1
				? "the one edit of this file did not add the line"
				: `none of the ${formatCounted(edits, "edit")} of this file added the line`;
	return { answer: "unknown", edits: [], why };
}

/** The last edit of each session: those of this very file first, then the latest first. */
function onePerSession<Edit extends LineEdit>(edits: readonly Edit[]): readonly Edit[] {
	const ordered = edits.toSorted(
		(one, other) => Number(other.isHere) - Number(one.isHere) || (other.timeMs || 0) - (one.timeMs || 0),
	);
	const seenSessions = new Set<string>();
	return ordered.filter(({ session }) => !seenSessions.has(session) && seenSessions.add(session));
}
