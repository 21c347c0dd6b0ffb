import { dirname, relative } from "node:path";
import { findRepository } from "../catalog/git/git-repository.ts";
import type { SessionRow } from "../catalog/model/row.ts";
import { type DiffLine, eachLine } from "../conversation/render/diff-lines.ts";
import { ENTRIES_PER_STEP, type Steps, type TimeSlice } from "../shared/steps.ts";
import { timeOf } from "../store/format/raw-entry.ts";
import type { Session } from "../store/read/read-session.ts";
import type { BlameAnswer, BlamedLine, CommitName, LineEdit } from "./blame.ts";
import { blameLines, NEIGHBORS } from "./blame-lines.ts";
import { canonical, type FoundEdits, findFileEdits } from "./blamed-file.ts";
import { type ClaimFacts, sessionFinder, withClaims } from "./claimed-answer.ts";
import { readClaims } from "./commit-claims.ts";
import { EditCollector, type FileEdit } from "./edit-collector.ts";
import { followFiles } from "./follow-files.ts";
import { filesAt, type GitBase, gitBases } from "./git-base.ts";
import { type GitBlame, gitBlame } from "./git-blame.ts";

/** A line of a diff or a file that a session shows: "removed", the file had it before, else afterwards. */
export interface ShownLine extends DiffLine {
	/** The entry that added it, if the session shows that. */
	readonly addedBy?: string | undefined;
	/** The edit that removed it, if that is not the entry that is read. */
	readonly removedBy?: Pick<LineEdit, "session"> & { readonly turn: number };
}

/** Lines of a file that a session shows, whose authors are wanted. */
export interface ShownLines {
	readonly session: Session;
	/** The file, absolute, as pi resolves it. */
	readonly path: string;
	readonly lines: readonly ShownLine[];
	/** The entry before which the file had the removed lines, and the one at which it had the others. */
	readonly first: string;
	readonly last: string;
	/** The place of the session, if it is not on this machine: there is neither its file nor another session to ask. */
	readonly place: string | undefined;
}

/** The number of a line in the file that had it, from 1; undefined if it is not known. */
export function numberOf({ kind, before, after }: DiffLine): number | undefined {
	return kind === "removed" ? before : (after ?? before);
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

/**
 * Finds who wrote lines that a session shows: among all sessions of this machine, and in the commits up to the one that was checked out
 * then. Rejects with a `RipgrepError` if ripgrep cannot be used.
 */
export async function blameShown(shown: ShownLines, options: ShownOptions): Promise<ShownAuthors> {
	const { session, path, place, lines } = shown;
	const { rows, slice, signal, home, onProgress } = options;
	const { tree } = session;
	const sides = [...Map.groupBy(lines, ({ kind }) => kind === "removed")].map(([isBefore, asked]) => {
		const id = isBefore ? shown.first : shown.last;
		const time = timeOf(tree.byId.get(id)?.timestamp);
		const untilMs = Number.isNaN(time) ? Date.now() : time - (isBefore ? 1 : 0);
		return { asked, untilMs, stop: isBefore ? tree.parentOf.get(id) : id };
	});
	const stops = new Set(sides.flatMap(({ stop }) => stop ?? []));
	const followed = await slice.run(followFiles(session, { home, stops, paths: new Set([path]) }));
	const baseAt = place === undefined ? await gitBases(dirname(path)) : undefined;
	const versions: FileVersion[] = [];
	let repository: string | undefined;
	for (const { asked, untilMs, stop } of sides) {
		const base = await baseAt?.(untilMs);
		repository ??= base?.repository;
		const texts = stop === undefined ? [] : followed.at(path, stop).texts;
		versions.push(await versionThen(asked, { untilMs, texts, base, path, signal }));
	}
	const ownAuthors = versions.flatMap((version) =>
		version.asked.flatMap((one): readonly [ShownLine, ShownAuthor][] => {
			const author = shownAuthor(one.line, shown);
			if (author === undefined) return [];
			const { commit } = committedAs(one, author, version);
			return [[one.line, { ...author, ...(commit && { commit }) }]];
		}),
	);
	const report = (searched: number): void => onProgress?.(searched, { authors: new Map(ownAuthors), repository });
	report(0);
	const directories = (repository === undefined ? undefined : await findRepository(repository)) ?? [];
	const file = {
		...{ path: canonical(path), typed: path, directories, root: directories[0] },
		names: [...new Set(versions.flatMap(({ names }) => names))],
		lines: versions.flatMap((version) => version.lines),
	};
	const isListed = place === undefined && rows.some((row) => row.path === session.path);
	const edits = isListed ? [] : await slice.run(fileEditsOf(shown, home));
	const fileEdits = await findFileEdits(file, place === undefined ? rows : [], {
		...{ onProgress: report, signal, slice, own: { session: session.path, edits } },
	});
	const answered: AnsweredLine[] = [];
	for (const version of versions) answered.push(...(await slice.run(answersThen(version, shown, fileEdits))));
	const hashes = new Set(answered.flatMap(({ commit }) => commit?.hash ?? []));
	const claims = repository === undefined ? undefined : await readClaims(repository, [...hashes], signal);
	const facts: ClaimFacts = { edits: fileEdits.edits, sessionOf: sessionFinder(rows), path };
	const authors = answered.map(({ line, answer, commit, origin }): readonly [ShownLine, ShownAuthor] => {
		const claim = claims?.get(commit?.hash ?? "");
		const claimed = withClaims(answer, { text: line.text, ...(origin && { origin }) }, claim, facts);
		// What the session itself shows needs no other proof.
		const sure = line.addedBy !== undefined && claimed.answer !== "exact" ? answer : claimed;
		return [line, { ...sure, ...(commit && { commit }) }];
	});
	return { authors: new Map(authors), repository };
}

/** Who added a line, if the session itself shows that. */
export function shownAuthor(
	{ addedBy }: ShownLine,
	{ session: { tree, path: session }, path }: ShownLines,
): BlameAnswer | undefined {
	if (addedBy === undefined) return undefined;
	const timeMs = timeOf(tree.byId.get(addedBy)?.timestamp);
	const edit: LineEdit = { session, entryId: addedBy, timeMs, tool: "edit", path, isHere: true };
	return { answer: "exact", edits: [edit], why: "the session shows that this edit added it" };
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

/** A line that is asked about; `at`: its index in the file then. */
interface AskedLine {
	readonly line: ShownLine;
	readonly at: number;
}

/** A file at a time, with the commits of the lines near those that are asked for. */
interface FileVersion {
	readonly asked: readonly AskedLine[];
	/** Edits and commits after this time are of no interest; Unix ms. */
	readonly untilMs: number;
	readonly lines: readonly BlamedLine[];
	/** Its names, relative to the top of the repository; none outside of one. */
	readonly names: readonly string[];
	readonly git: GitBlame | undefined;
}

interface VersionFacts {
	readonly untilMs: number;
	/** What the session shows that it may have held. */
	readonly texts: readonly string[];
	readonly base: GitBase | undefined;
	readonly path: string;
	readonly signal: AbortSignal;
}

/** The file as the session shows it, else as the commit has it; at least the lines that are asked for. */
async function versionThen(asked: readonly ShownLine[], facts: VersionFacts): Promise<FileVersion> {
	const { untilMs, texts, base, path, signal } = facts;
	const bytes = base && (await filesAt(base, [path])).get(path);
	const committed = bytes === undefined ? [] : linesOf(Buffer.from(bytes).toString("utf8"));
	const has = (lines: readonly string[]): boolean => asked.every((line) => indexOf(line, lines) !== -1);
	const whole = [...texts.map(linesOf), committed].find(has) ?? asked.map(({ text }) => text);
	const counterparts = alignLines(whole, committed);
	const placed = asked.map((line) => ({ line, at: indexOf(line, whole) }));
	const near = placed
		.flatMap(({ at }) => counterparts.slice(Math.max(0, at - NEIGHBORS), at + NEIGHBORS + 1))
		.filter((index) => index !== -1)
		.sort((one, other) => one - other);
	const [first, last] = [near[0], near.at(-1)];
	const span = first === undefined || last === undefined ? undefined : { from: first + 1, to: last + 1 };
	const name = base && relative(base.root, path);
	const asOf = { revision: base?.commit, texts: asked.map(({ text }) => text), signal };
	const blame = base && name !== undefined ? await gitBlame(base.repository, name, span, asOf) : undefined;
	const git = blame === undefined || "reason" in blame ? undefined : blame;
	const blamed = new Map((git?.lines ?? []).map((line) => [line.number, line]));
	const lines = whole.map((text, index): BlamedLine => {
		const line = blamed.get((counterparts[index] ?? -1) + 1);
		return { commit: undefined, ...line, number: index + 1, text };
	});
	return { asked: placed, untilMs, lines, names: [...(name === undefined ? [] : [name]), ...(git?.names ?? [])], git };
}

function linesOf(text: string): readonly string[] {
	return [...eachLine(text.replace(/^\uFEFF/, ""))];
}

/** Where a line is: at its number, else the nearest one with its text; -1 if none has it. */
function indexOf(line: ShownLine, lines: readonly string[]): number {
	const at = (numberOf(line) ?? 1) - 1;
	for (let distance = 0; distance <= lines.length; distance++) {
		if (lines[at + distance] === line.text) return at + distance;
		if (lines[at - distance] === line.text) return at - distance;
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

/** Who wrote a line, and where it was committed. */
interface AnsweredLine extends Committed {
	readonly line: ShownLine;
	readonly answer: BlameAnswer;
}

function* answersThen(
	version: FileVersion,
	shown: ShownLines,
	{ edits, unread }: FoundEdits,
): Steps<readonly AnsweredLine[]> {
	const { asked, untilMs, lines, git } = version;
	const addedBy = new Map(
		[...(git?.addedBy ?? [])].map(([text, commits]) => [text, commits.filter(({ authorMs }) => authorMs <= untilMs)]),
	);
	const facts = {
		...{ lines, addedBy, committedMs: git?.committedMs ?? [], now: untilMs },
		edits: edits.filter(({ timeMs }) => !(timeMs > untilMs)),
		isPartial: unread.length > 0 || shown.place !== undefined,
	};
	const answers = yield* blameLines(
		facts,
		asked.map(({ at }) => at + 1),
	);
	return asked.flatMap((one, index): readonly AnsweredLine[] => {
		const answer = shownAuthor(one.line, shown) ?? answers[index];
		return answer === undefined ? [] : [{ line: one.line, answer, ...committedAs(one, answer, version) }];
	});
}

/** The commit that has a line, and where. */
interface Committed extends Pick<BlamedLine, "origin"> {
	readonly commit: CommitName | undefined;
}

/** Commit times have no milliseconds. */
const SECOND_MS = 999;

/** The commit that a line came with, else the first one after it was written. */
function committedAs({ line, at }: AskedLine, { edits }: BlameAnswer, { lines, git, untilMs }: FileVersion): Committed {
	const blamed = lines[at];
	if (blamed?.commit !== undefined) return { commit: blamed.commit, ...(blamed.origin && { origin: blamed.origin }) };
	const writtenMs = edits[0]?.timeMs ?? untilMs;
	const [later] = (git?.addedBy.get(line.text) ?? [])
		.filter(({ authorMs }) => authorMs + SECOND_MS >= writtenMs)
		.toSorted((one, other) => one.authorMs - other.authorMs);
	return { commit: later, ...(later && { origin: later.origin }) };
}
