import { dirname, relative } from "node:path";
import { findRepository } from "../catalog/git/git-repository.ts";
import type { SessionRow } from "../catalog/model/row.ts";
import { eachLine } from "../conversation/render/diff-lines.ts";
import { ENTRIES_PER_STEP, type Steps, type TimeSlice } from "../shared/steps.ts";
import { timeOf } from "../store/format/raw-entry.ts";
import type { Session } from "../store/read/read-session.ts";
import type { BlameAnswer, BlamedLine, CommitName, LineEdit } from "./blame.ts";
import { blameLines, NEIGHBORS } from "./blame-lines.ts";
import { canonical, type FoundEdits, findFileEdits } from "./blamed-file.ts";
import { type ClaimFacts, sessionFinder, withClaims } from "./claimed-answer.ts";
import { type CommitClaims, readClaims } from "./commit-claims.ts";
import { EditCollector, type FileEdit } from "./edit-collector.ts";
import { followFiles } from "./follow-files.ts";
import { filesAt, type GitBase, gitBaseAt } from "./git-base.ts";
import { type GitBlame, gitBlame } from "./git-blame.ts";

/** A line of a file that a session shows. */
export interface ShownLine {
	readonly text: string;
	/** From 1; undefined if it is not known. */
	readonly number: number | undefined;
	/** The entry at which the file had it, or before which, if `isBefore`. */
	readonly asOf: string;
	readonly isBefore: boolean;
	/** The entry that added it, if the session shows that. */
	readonly addedBy: string | undefined;
}

/** Lines of a file that a session shows, whose authors are wanted. */
export interface ShownLines {
	readonly session: Session;
	/** The file, absolute, as pi resolves it. */
	readonly path: string;
	readonly lines: readonly ShownLine[];
	/** The place of the session, if it is not on this machine: there is neither its file nor another session to ask. */
	readonly place: string | undefined;
}

/** Who wrote a line that a session shows. */
export interface ShownAuthor extends BlameAnswer {
	/** The commit that has the line: the one that it came with, else the first one after it was written. */
	readonly commit?: CommitName;
}

export interface ShownAuthors {
	readonly authors: ReadonlyMap<ShownLine, ShownAuthor>;
	/** A directory in which Git knows the commits; undefined if there is none. */
	readonly repository: string | undefined;
}

interface ShownOptions {
	/** All sessions of this machine. */
	readonly rows: readonly SessionRow[];
	readonly home: string;
	readonly slice: TimeSlice;
	readonly signal: AbortSignal;
	/** Called with the number of sessions searched so far, and who wrote the lines of which the session itself shows that. */
	readonly onProgress?: (searched: number, authors: ShownAuthors) => void;
}

/** The state of a file in which some of the lines are. */
interface FileThen {
	/** Edits and commits after this time are of no interest; Unix ms. */
	readonly untilMs: number;
	readonly texts: readonly string[];
	/** The same with the commits of those near the lines that are asked for. */
	readonly lines: readonly BlamedLine[];
	readonly git: GitBlame | undefined;
}

/**
 * Finds who wrote lines that a session shows: among all sessions of this machine, and in the commits up to the one that was checked out
 * then. Rejects with a `RipgrepError` if ripgrep cannot be used.
 */
export async function blameShown(shown: ShownLines, options: ShownOptions): Promise<ShownAuthors> {
	const { session, path, place, lines } = shown;
	const { rows, slice, signal, home, onProgress } = options;
	const states = new Map<string, FileThen>();
	const stops = new Set(lines.flatMap((line) => stopOf(line, session) ?? []));
	const followed = await slice.run(followFiles(session, { home, stops, paths: new Set([path]) }));
	let base: GitBase | undefined;
	for (const [key, group] of Map.groupBy(lines, stateKey)) {
		const [first] = group;
		if (first === undefined) continue;
		const untilMs = timeBefore(first, session);
		const stop = stopOf(first, session);
		const texts = stop === undefined ? [] : followed.at(path, stop).texts;
		const baseThen = place === undefined ? await gitBaseAt(dirname(path), untilMs) : undefined;
		base ??= baseThen;
		states.set(key, await fileThen(group, { untilMs, texts, base: baseThen, path, signal }));
	}
	const all = [...states.values()];
	const names = base === undefined ? [] : [relative(base.root, path), ...all.flatMap(({ git }) => git?.names ?? [])];
	const directories = base === undefined ? [] : ((await findRepository(base.repository)) ?? []);
	const file = {
		...{ path: canonical(path), typed: path, directories, root: directories[0], names: [...new Set(names)] },
		lines: all.flatMap((then) => then.lines),
	};
	const authorsOf = async (asked: readonly ShownLine[], fileEdits: FoundEdits): Promise<ShownAuthors> => {
		const askedLines: AskedLine[] = [];
		for (const [key, group] of Map.groupBy(asked, stateKey)) {
			const then = states.get(key);
			if (then !== undefined) askedLines.push(...(await slice.run(answersThen(group, then, shown, fileEdits))));
		}
		const hashes = new Set(askedLines.flatMap(({ origin }) => origin?.hash ?? []));
		const claims: ReadonlyMap<string, CommitClaims> =
			base === undefined ? new Map() : await readClaims(base.repository, [...hashes], signal);
		const facts: ClaimFacts = { edits: fileEdits.edits, sessionOf, path };
		const authors = askedLines.map(
			(each) => [each.line, authorOf(each, claims.get(each.origin?.hash ?? ""), facts)] as const,
		);
		return { authors: new Map(authors), repository: base?.repository };
	};
	const sessionOf = sessionFinder(rows);
	const shownAuthors = await authorsOf(
		lines.filter(({ addedBy }) => addedBy !== undefined),
		{ edits: [], resultAt: new Map(), unread: [], unplaced: 0 },
	);
	const report = (searched: number): void => onProgress?.(searched, shownAuthors);
	report(0);
	const isListed = place === undefined && rows.some((row) => row.path === session.path);
	const edits = isListed ? [] : await slice.run(fileEditsOf(shown, home));
	const fileEdits = await findFileEdits(file, place === undefined ? rows : [], {
		...{ onProgress: report, signal, slice, own: { session: session.path, edits } },
	});
	return authorsOf(lines, fileEdits);
}

function stateKey({ asOf, isBefore }: ShownLine): string {
	return `${isBefore ? "before" : "at"} ${asOf}`;
}

function timeBefore({ asOf, isBefore }: ShownLine, { tree }: Session): number {
	const time = timeOf(tree.byId.get(asOf)?.timestamp);
	return Number.isNaN(time) ? Date.now() : time - (isBefore ? 1 : 0);
}

/** The entry at which the session has the state of the file. */
function stopOf({ asOf, isBefore }: ShownLine, { tree }: Session): string | undefined {
	return isBefore ? tree.parentOf.get(asOf) : asOf;
}

/** The edits of the file by a session that is not listed. */
function* fileEditsOf({ session, path }: ShownLines, home: string): Steps<readonly FileEdit[]> {
	const collector = new EditCollector(session.header?.cwd ?? "", home);
	const edits: FileEdit[] = [];
	for (const [index, entry] of session.entries.entries()) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		edits.push(...collector.add(entry).filter((edit) => edit.path === path));
	}
	return edits;
}

interface StateFacts {
	readonly untilMs: number;
	readonly texts: readonly string[];
	readonly base: GitBase | undefined;
	readonly path: string;
	readonly signal: AbortSignal;
}

/** The lines of the file then: as the session shows it, else as the commit has it; at least those that are asked for. */
async function fileThen(asked: readonly ShownLine[], state: StateFacts): Promise<FileThen> {
	const { untilMs, texts, base, path, signal } = state;
	const bytes = base && (await filesAt(base, [path])).get(path);
	const committed = bytes === undefined ? [] : linesOf(Buffer.from(bytes).toString("utf8"));
	const has = (lines: readonly string[]): boolean => asked.every((line) => indexOf(line, lines) !== -1);
	const whole = [...texts.map(linesOf), committed].find(has) ?? asked.map(({ text }) => text);
	const counterparts = alignLines(whole, committed);
	const near = asked.flatMap((line) => {
		const at = indexOf(line, whole);
		return counterparts.slice(Math.max(0, at - NEIGHBORS), at + NEIGHBORS + 1).filter((index) => index !== -1);
	});
	const span = near.length === 0 ? undefined : { from: Math.min(...near) + 1, to: Math.max(...near) + 1 };
	const blame =
		base &&
		(await gitBlame(base.repository, relative(base.root, path), span, {
			...{ revision: base.commit, texts: asked.map(({ text }) => text), signal },
		}));
	const git = blame === undefined || "reason" in blame ? undefined : blame;
	const blamed = new Map((git?.lines ?? []).map((line) => [line.number, line]));
	const lines = whole.map((text, index): BlamedLine => {
		const line = blamed.get((counterparts[index] ?? -1) + 1);
		return { commit: undefined, ...line, number: index + 1, text };
	});
	return { untilMs, texts: whole, lines, git };
}

function linesOf(text: string): readonly string[] {
	return [...eachLine(text.replace(/^\uFEFF/, ""))];
}

/** Where a line is: at its number, else the nearest one with its text; -1 if none has it. */
function indexOf({ text, number = 1 }: ShownLine, lines: readonly string[]): number {
	const at = number - 1;
	for (let distance = 0; distance <= lines.length; distance++) {
		if (lines[at + distance] === text) return at + distance;
		if (lines[at - distance] === text) return at - distance;
	}
	return -1;
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

interface AskedLine {
	readonly line: ShownLine;
	readonly answer: BlameAnswer;
	readonly commit: CommitName | undefined;
	/** Where the line is in that commit. */
	readonly origin: { readonly hash: string; readonly path: string; readonly number: number } | undefined;
}

function* answersThen(
	asked: readonly ShownLine[],
	{ untilMs, texts, lines, git }: FileThen,
	{ session, path, place }: ShownLines,
	{ edits, unread }: FoundEdits,
): Steps<readonly AskedLine[]> {
	const addedBy = new Map(
		[...(git?.addedBy ?? [])].map(([text, commits]) => [text, commits.filter(({ authorMs }) => authorMs <= untilMs)]),
	);
	const facts = {
		...{ lines, addedBy, committedMs: git?.committedMs ?? [], now: untilMs },
		edits: edits.filter(({ timeMs }) => !(timeMs > untilMs)),
		isPartial: unread.length > 0 || place !== undefined,
	};
	const indexes = asked.map((line) => indexOf(line, texts));
	const answers = yield* blameLines(
		facts,
		indexes.map((index) => index + 1),
	);
	return asked.map((line, at): AskedLine => {
		const answer = line.addedBy === undefined ? answers[at] : shownAuthor(line.addedBy, session, path);
		const writtenMs = answer?.edits[0]?.timeMs ?? untilMs;
		const later = (git?.addedBy.get(line.text) ?? [])
			.filter(({ authorMs }) => authorMs + SECOND_MS >= writtenMs)
			.toSorted((one, other) => one.authorMs - other.authorMs)[0];
		const blamed = lines[indexes[at] ?? -1];
		const commit = blamed?.commit ?? later;
		const origin = blamed?.commit === undefined ? later?.origin : blamed.origin;
		return { line, answer: answer ?? NOT_FOUND, commit, origin: commit && origin && { ...origin, hash: commit.hash } };
	});
}

/** Commit times have no milliseconds. */
const SECOND_MS = 999;

const NOT_FOUND: BlameAnswer = {
	answer: "unknown",
	edits: [],
	why: "the session does not show where the line is in the file",
};

function shownAuthor(entryId: string, { tree, path: session }: Session, path: string): BlameAnswer {
	const timeMs = timeOf(tree.byId.get(entryId)?.timestamp);
	const edit: LineEdit = { session, entryId, timeMs, tool: "edit", path, isHere: true };
	return { answer: "exact", edits: [edit], why: "the session shows that this edit added it" };
}

function authorOf(
	{ line, answer, commit, origin }: AskedLine,
	claims: CommitClaims | undefined,
	facts: ClaimFacts,
): ShownAuthor {
	const claimed = withClaims(answer, { text: line.text, ...(origin && { origin }) }, claims, facts);
	// What the session itself shows needs no other proof.
	const sure = line.addedBy !== undefined && claimed.answer !== "exact" ? answer : claimed;
	return { ...sure, ...(commit && { commit }) };
}
