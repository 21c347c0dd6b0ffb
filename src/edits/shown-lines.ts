import { dirname, relative } from "node:path";
import { findRepository } from "../catalog/git/git-repository.ts";
import type { SessionRow } from "../catalog/model/row.ts";
import { type DiffLine, eachLine } from "../conversation/render/diff-lines.ts";
import { loadRenderers } from "../conversation/render/renderers.ts";
import type { TimeSlice } from "../shared/steps.ts";
import { timeOf } from "../store/format/raw-entry.ts";
import type { Session } from "../store/read/read-session.ts";
import { sameLines } from "./align-lines.ts";
import { type BlameAnswer, type BlamedLine, type CommitName, candidates, type LineEdit } from "./blame.ts";
import { canonical, type SearchedFile } from "./blamed-file.ts";
import { sessionFinder, withClaims } from "./claimed-answer.ts";
import { readClaims } from "./commit-claims.ts";
import { addingCommits, gitBlame } from "./git-blame.ts";
import { isReason } from "./git-process.ts";
import type { Ground } from "./grounds.ts";
import { type FileAuthors, fileAuthors } from "./line-authors.ts";
import type { LineOrigin } from "./lines.ts";

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
	const { rows, home, slice, signal, onProgress } = options;
	const ownAuthors = new Map(
		lines.flatMap((line): readonly [ShownLine, ShownAuthor][] => {
			const author = shownAuthor(line, shown);
			return author === undefined ? [] : [[line, author]];
		}),
	);
	const report = (searched: number): void => onProgress?.(searched, { authors: ownAuthors, repository: undefined });
	report(0);
	const isHere = place === undefined;
	const directories = (isHere ? await findRepository(dirname(path)) : undefined) ?? [];
	const real = canonical(path);
	const names = [...new Set(directories.map((directory) => relative(directory, real)))].filter(
		(name) => !name.startsWith(".."),
	);
	const file = { path: real, typed: path, directories, root: directories[0], names };
	const authors = await fileAuthors(file, {
		rows: isHere ? rows : [],
		home,
		own: session,
		isHere,
		slice,
		signal,
		onProgress: report,
	});
	try {
		return await authorsThen(shown, file, authors, options);
	} finally {
		authors.ledger.grounds.close();
	}
}

async function authorsThen(
	shown: ShownLines,
	file: SearchedFile,
	authors: FileAuthors,
	{ rows, signal }: ShownOptions,
): Promise<ShownAuthors> {
	const { session, lines, place } = shown;
	const { ledger } = authors;
	const { tree } = session;
	const ground = ledger.grounds.of(file.path);
	const answered: AnsweredLine[] = [];
	for (const [isBefore, asked] of Map.groupBy(lines, ({ kind }) => kind === "removed")) {
		const id = isBefore ? shown.first : shown.last;
		const time = timeOf(tree.byId.get(id)?.timestamp);
		const untilMs = Number.isNaN(time) ? Date.now() : time - (isBefore ? 1 : 0);
		const order = ledger.orderAt(session, (tree.table.indexOf(id) ?? 0) - (isBefore ? 1 : 0), untilMs);
		const then = (await authors.history(order)).lastOf(file.path);
		const commit =
			ground === undefined
				? undefined
				: (ledger.heads.findLast((one) => one.ground === ground && one.order <= order)?.head.commit ?? ground.base);
		const version = await versionThen(asked, {
			commit,
			lines: then?.lines ?? [],
			ground,
			path: file.path,
			untilMs,
			signal,
		});
		for (const one of version.asked) {
			const at = then === undefined ? -1 : indexOf(one.line, then.lines);
			const origin = then?.origins[at];
			const answer =
				shownAuthor(one.line, shown) ??
				(place === undefined
					? authors.answerFor(origin ?? { kind: "before" }, one.line.text)
					: unsure(authors, origin, one.line.text));
			answered.push({ line: one.line, answer, ...committedAs(one, answer, version) });
		}
	}
	const hashes = [...new Set(answered.flatMap(({ commit }) => commit?.hash ?? []))];
	const claims = ground === undefined ? new Map() : await readClaims(ground.repository, hashes);
	const facts = { ...authors, sessionOf: sessionFinder(rows), path: file.path };
	const all = answered.map(({ line, answer, commit, origin }): readonly [ShownLine, ShownAuthor] => {
		const claimed = withClaims(
			answer,
			{ text: line.text, ...(origin && { origin }) },
			claims.get(commit?.hash ?? ""),
			facts,
		);
		// What the session itself shows needs no other proof.
		const sure = line.addedBy !== undefined && claimed.answer !== "exact" ? answer : claimed;
		return [line, { ...sure, ...(commit && { commit }) }];
	});
	return { authors: new Map(all), repository: ground?.repository.top };
}

/** What a session of another machine says alone proves nothing: others there may have changed the file. */
function unsure(authors: FileAuthors, origin: LineOrigin | undefined, text: string): BlameAnswer {
	const answer = authors.answerFor(origin ?? { kind: "before" }, text);
	return answer.answer === "exact" ? candidates(answer.edits, "only this session of another machine was read") : answer;
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

/** A line that is asked about; `at`: its index in the file then. */
interface AskedLine {
	readonly line: ShownLine;
	readonly at: number;
}

/** A file at a time, with the commits of the lines near those that are asked for. */
interface FileVersion {
	readonly asked: readonly AskedLine[];
	/** Commits after this time are of no interest; Unix ms. */
	readonly untilMs: number;
	readonly lines: readonly BlamedLine[];
	readonly addedBy: Awaited<ReturnType<typeof addingCommits>>;
}

interface VersionFacts {
	readonly commit: string | undefined;
	/** The file as the ledger knows it then. */
	readonly lines: readonly string[];
	readonly ground: Ground | undefined;
	readonly path: string;
	readonly untilMs: number;
	readonly signal: AbortSignal;
}

/** Lines above and below those that are asked for, whose commits help to find theirs. */
const NEIGHBORS = 50;

/** The file as the ledger knows it, else as the commit has it; at least the lines that are asked for. */
async function versionThen(asked: readonly ShownLine[], facts: VersionFacts): Promise<FileVersion> {
	const { commit, lines: known, ground, path, untilMs } = facts;
	const name = ground?.nameOf(path);
	const committed =
		ground === undefined || commit === undefined || name === undefined
			? []
			: linesOf(await textIn(ground, commit, name));
	const has = (lines: readonly string[]): boolean => asked.every((line) => indexOf(line, lines) !== -1);
	const whole = [known, committed].find(has) ?? asked.map(({ text }) => text);
	const counterparts = sameLines(whole, committed, await loadRenderers());
	const placed = asked.map((line) => ({ line, at: indexOf(line, whole) }));
	const near = placed
		.flatMap(({ at }) => counterparts.slice(Math.max(0, at - NEIGHBORS), at + NEIGHBORS + 1))
		.filter((index) => index !== -1)
		.sort((one, other) => one - other);
	const [first, last] = [near[0], near.at(-1)];
	const span = first === undefined || last === undefined ? undefined : { from: first + 1, to: last + 1 };
	const isInGit = ground !== undefined && commit !== undefined && name !== undefined;
	const blame = !isInGit || span === undefined ? undefined : await gitBlame(ground.repository, commit, name, span);
	const git = blame === undefined || isReason(blame) ? undefined : blame;
	const blamed = new Map((git?.lines ?? []).map((line) => [line.number, line]));
	const texts = new Set(asked.map(({ text }) => text));
	const head = isInGit ? await ground.repository.resolve("HEAD") : undefined;
	const isHead = head !== undefined && !isReason(head);
	const names = [...new Set([...(git?.names ?? []), ...(name === undefined ? [] : [name])])];
	const addedBy =
		isInGit && isHead ? await addingCommits(ground.repository, head, names, texts) : new Map<string, never>();
	const lines = whole.map((text, index): BlamedLine => {
		const line = blamed.get((counterparts[index] ?? -1) + 1);
		return { commit: undefined, ...line, number: index + 1, text };
	});
	return { asked: placed, untilMs, lines, addedBy };
}

async function textIn(ground: Ground, commit: string, path: string): Promise<string> {
	const files = await ground.repository.find([{ commit, path }]);
	const file = isReason(files) ? undefined : files[0];
	if (file === undefined) return "";
	await ground.readBlobs(new Set([file.id]));
	return ground.blob(file.id)?.toString("utf8") ?? "";
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

/** Who wrote a line, and where it was committed. */
interface AnsweredLine extends Committed {
	readonly line: ShownLine;
	readonly answer: BlameAnswer;
}

/** The commit that has a line, and where. */
interface Committed extends Pick<BlamedLine, "origin"> {
	readonly commit: CommitName | undefined;
}

/** Commit times have no milliseconds. */
const SECOND_MS = 999;

/** The commit that a line came with, else the first one after it was written. */
function committedAs(
	{ line, at }: AskedLine,
	{ edits }: BlameAnswer,
	{ lines, addedBy, untilMs }: FileVersion,
): Committed {
	const blamed = lines[at];
	if (blamed?.commit !== undefined) return { commit: blamed.commit, ...(blamed.origin && { origin: blamed.origin }) };
	const writtenMs = edits[0]?.timeMs ?? untilMs;
	const [later] = (addedBy.get(line.text) ?? [])
		.filter(({ authorMs }) => authorMs + SECOND_MS >= writtenMs)
		.toSorted((one, other) => one.authorMs - other.authorMs);
	return { commit: later, ...(later && { origin: later.origin }) };
}
