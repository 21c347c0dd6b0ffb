import { formatCounted } from "../ui/text/format.ts";
import type { Answer, BlamedLine, BlameFacts, KnownEdit } from "./blame.ts";
import { removesLine } from "./line-events.ts";

/** Clocks of two machines may differ by this; in ms. */
const CLOCKS_DIFFER_MS = 10 * 60_000;
/** The times of commits have no milliseconds. */
const SECOND_MS = 999;
/** Shorter pieces of a line say nothing. */
const LEAST_PIECE = 3;

/**
 * Who wrote a line that stands once in its file and says enough not to be written twice by chance. The answer is exact only
 * where one session alone added it to this very file, before the commit that Git names, and nothing speaks against it.
 */
export function blameLine({ text, commit }: BlamedLine, facts: Omit<BlameFacts, "lines">): Answer {
	const limit = limitOf(commit, facts);
	const here = facts.edits.filter(({ isHere }) => isHere);
	const elsewhere = facts.edits.filter(({ isHere }) => !isHere);
	const found = sweepAll(here, text, limit);
	const others = sweepAll(elsewhere, text, limit);
	const later = facts.edits.filter(
		(edit) => edit.timeMs > limit && edit.timeMs <= limit + CLOCKS_DIFFER_MS && mayAdd(edit, text),
	);
	const partly = here.filter((edit) => !(edit.timeMs > limit) && mayHold(edit, text));
	const standing = [...found.standing, ...others.standing];
	if (standing.length === 0 && later.length === 0 && partly.length === 0) {
		const gone = [...found.gone, ...others.gone];
		if (gone.length > 0)
			return candidates(gone, "it was added, and taken out again before: who put it back is not known");
		return nobody(facts.edits.length);
	}
	const all = [...standing, ...later, ...partly];
	if (sessionsOf(all) > 1) return candidates(all, "more than one session may have written it");
	const [last] = found.standing.toReversed();
	if (last === undefined) {
		if (others.standing.length > 0) return candidates(all, `it was added in another directory: ${all[0]?.path ?? ""}`);
		return candidates(all, later.length > 0 ? "the edit is later than the commit" : "the edit holds only a part of it");
	}
	const doubt = doubtAbout(last, { text, commit }, facts);
	return doubt === undefined
		? { answer: "exact", edits: [last], why: "no other session added this line to this file" }
		: candidates(all, doubt);
}

/**
 * Edits of other sessions that may have added a line of the same text, for the same commit: then it is not certain that a line
 * that says little is the one that an edit added.
 */
export function rivalsOf(
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

/** After that time nothing can be in a commit; Unix ms. */
function limitOf(commit: BlamedLine["commit"], { now }: Times): number {
	return commit === undefined ? now : commit.committedMs + SECOND_MS;
}

/** When the file was committed before. A commit that was moved onto later ones is no younger than when it was made first. */
function timesBefore(commit: BlamedLine["commit"], { committedMs }: Times): readonly number[] {
	return commit === undefined ? committedMs : commit.earlierMs.filter((time) => time <= commit.authorMs);
}

/** Whether an edit added a line, and did not only write it again. */
function mayAdd({ events, hadSeen }: KnownEdit, text: string): boolean {
	return events.adds.has(text) && !(events.isWhole && hadSeen(text));
}

interface Swept {
	/** Edits that added the line, and after which it was not taken out. */
	readonly standing: readonly KnownEdit[];
	/** Those after which it was. */
	readonly gone: readonly KnownEdit[];
}

/** Each copy of a file has a history of its own. */
function sweepAll(edits: readonly KnownEdit[], text: string, limit: number): Swept {
	const byPath = Map.groupBy(edits, ({ path }) => path);
	const swept = [...byPath.values()].map((own) => sweep(own, text, limit));
	return { standing: swept.flatMap(({ standing }) => standing), gone: swept.flatMap(({ gone }) => gone) };
}

/** What became of a line in one file, edit by edit, up to a time. An edit without a time may have been made at any. */
function sweep(edits: readonly KnownEdit[], text: string, limit: number): Swept {
	let standing: KnownEdit[] = [];
	const gone: KnownEdit[] = [];
	for (const edit of edits) {
		if (edit.timeMs > limit) continue;
		if (edit.events.adds.has(text)) {
			if (!keeps(edit, standing)) standing.push(edit);
		} else if (removesLine(edit.events, text)) {
			gone.push(...standing);
			standing = [];
		}
	}
	return { standing, gone };
}

/**
 * Whether a `write` of a file only wrote again what its own session had put into it. What another one had put there may have
 * been gone meanwhile, and written anew.
 */
function keeps({ events, session }: KnownEdit, standing: readonly KnownEdit[]): boolean {
	return events.isWhole && standing.length > 0 && standing.every((other) => other.session === session);
}

function mayHold({ events }: KnownEdit, text: string): boolean {
	return events.pieces.some((piece) => piece.trim().length >= LEAST_PIECE && text.includes(piece));
}

/** Why an edit may not be the one, though no other is known. */
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
	const others = (facts.addedBy.get(text) ?? []).filter(({ hash }) => hash !== commit?.hash);
	return others.some(({ authorMs }) => isLater(authorMs))
		? "another commit added the same line after the edit"
		: undefined;
}

/** One of several, or one that is not certain. */
export function candidates(edits: readonly KnownEdit[], why: string): Answer {
	return { answer: "candidates", edits: onePerSession(edits), why };
}

/** That no session is known to have written a line. */
export function nobody(edits: number): Answer {
	const why =
		edits === 0
			? "no session is known to have edited or written this file"
			: edits === 1
				? "the one edit of this file did not add the line"
				: `none of the ${formatCounted(edits, "edit")} of this file added the line`;
	return { answer: "unknown", edits: [], why };
}

function sessionsOf(edits: readonly KnownEdit[]): number {
	return new Set(edits.map(({ session }) => session)).size;
}

/** The last edit of each session, those of this very file first, then the last one first. */
function onePerSession(edits: readonly KnownEdit[]): readonly KnownEdit[] {
	const ordered = edits.toSorted(
		(one, other) => Number(other.isHere) - Number(one.isHere) || (other.timeMs || 0) - (one.timeMs || 0),
	);
	const seen = new Set<string>();
	return ordered.filter(({ session }) => !seen.has(session) && seen.add(session));
}
