import { findRepository } from "../catalog/git/git-repository.ts";
import type { SessionRow } from "../catalog/model/row.ts";
import type { DiffLine } from "../conversation/render/diff-lines.ts";
import { isUnder, nameFrom } from "../shared/paths.ts";
import type { TimeSlice } from "../shared/steps.ts";
import { rulesOf } from "../shared/system.ts";
import { timeOf } from "../store/format/raw-entry.ts";
import type { Session } from "../store/read/read-session.ts";
import { type BlameAnswer, type BlamedLine, candidates, type LineEdit } from "./blame.ts";
import { canonical } from "./blamed-file.ts";
import { sessionFinder, withClaims } from "./claimed-answer.ts";
import { readClaims } from "./commit-claims.ts";
import { blameLines } from "./git-blame.ts";
import { isReason } from "./git-process.ts";
import type { WorktreeGround } from "./grounds.ts";
import type { Ledger } from "./ledger.ts";
import { type FileAuthors, fileAuthors } from "./line-authors.ts";
import { linesOfText } from "./lines.ts";
import type { CommitName } from "./repository.ts";

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
export function shownNumber({ kind, before, after }: DiffLine): number | undefined {
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
	/** Called with the number of sessions searched so far. */
	readonly onProgress?: (searched: number) => void;
}

/**
 * Finds who wrote lines that a session shows: among all sessions of this machine, and in the commits up to the one that was checked out
 * then. Rejects with a `RipgrepError` if ripgrep cannot be used.
 */
export async function blameShown(shown: ShownLines, options: ShownOptions): Promise<ShownAuthors> {
	const { session, path, place } = shown;
	const isHere = place === undefined;
	const directories = (isHere ? await findRepository(rulesOf(path).dirname(path)) : undefined) ?? [];
	const real = canonical(path);
	const around = directories.filter((directory) => isUnder(real, directory));
	const names = [...new Set(around.map((directory) => nameFrom(real, directory)))];
	const file = { path: real, typed: path, directories, root: directories[0], names };
	const rows = isHere ? options.rows : [];
	const authors = await fileAuthors(file, { ...options, rows, own: session, isHere });
	try {
		return await authorsThen(shown, file.path, authors, options.rows);
	} finally {
		authors.ledger.grounds.close();
	}
}

/** A line, who wrote it, and where it is in the commit that has it. */
interface AnsweredLine extends Pick<BlamedLine, "origin"> {
	readonly line: ShownLine;
	readonly answer: BlameAnswer;
	readonly hash: string | undefined;
}

async function authorsThen(
	shown: ShownLines,
	path: string,
	authors: FileAuthors,
	rows: readonly SessionRow[],
): Promise<ShownAuthors> {
	const { session, lines, place } = shown;
	const { ledger } = authors;
	const { tree } = session;
	const ground = ledger.grounds.of(path);
	const answered: AnsweredLine[] = [];
	for (const [isBefore, asked] of Map.groupBy(lines, ({ kind }) => kind === "removed")) {
		const id = isBefore ? shown.first : shown.last;
		const time = timeOf(tree.byId.get(id)?.timestamp);
		const untilMs = Number.isNaN(time) ? Date.now() : time - (isBefore ? 1 : 0);
		const order = ledger.orderAt(session, (tree.table.indexOf(id) ?? 0) - (isBefore ? 1 : 0), untilMs);
		const then = (await authors.history(order)).lastOf(path);
		const committed = ground && (await committedThen(ledger, ground, path, order, asked, then?.lines));
		for (const [index, line] of asked.entries()) {
			const origin = then?.origins[indexOf(line, then.lines)];
			const foldAnswer = authors.answerFor(origin ?? { kind: "before" }, line.text);
			const answer = shownAuthor(line, shown) ?? (place === undefined ? foldAnswer : unsure(foldAnswer));
			const written = origin?.kind === "step" ? ledger.orderOf(origin.step) : order;
			const { hash, origin: at } =
				committed?.[index] ?? (ground && laterCommit(authors, ground, line.text, written)) ?? {};
			answered.push({ line, answer, hash, ...(at && { origin: at }) });
		}
	}
	const hashes = [...new Set(answered.flatMap(({ hash }) => hash ?? []))];
	const [names, claims] =
		ground === undefined
			? [[], new Map()]
			: await Promise.all([ground.repository.commitNames(hashes), readClaims(ground.repository, hashes)]);
	const commits = new Map(isReason(names) ? [] : names.map((commit) => [commit.hash, commit]));
	const facts = { ...authors, sessionOf: sessionFinder(rows), path };
	const all = answered.map(({ line, answer, hash = "", origin }): readonly [ShownLine, ShownAuthor] => {
		const place = { text: line.text, ...(origin && { origin }) };
		const claimed = withClaims(answer, place, claims.get(hash), facts);
		// What the session itself shows needs no other proof.
		const sure = line.addedBy !== undefined && claimed.answer !== "exact" ? answer : claimed;
		const commit = commits.get(hash);
		return [line, { ...sure, ...(commit && { commit }) }];
	});
	return { authors: new Map(all), repository: ground?.repository.top };
}

/** What a session of another machine says alone proves nothing: others there may have changed the file. */
function unsure(answer: BlameAnswer): BlameAnswer {
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

/** A commit that has a line, and where. */
interface CommittedLine extends Pick<BlamedLine, "origin"> {
	readonly hash: string;
}

/** For each line the commit that it came with, up to the one that was checked out at an order. `known`: all lines of the file then. */
async function committedThen(
	ledger: Ledger,
	ground: WorktreeGround,
	path: string,
	order: number,
	asked: readonly ShownLine[],
	known: readonly string[] = [],
): Promise<readonly (CommittedLine | undefined)[]> {
	const head = ledger.heads.findLast((one) => one.ground === ground && one.order <= order)?.head.commit ?? ground.base;
	if (head === undefined) return [];
	const places = asked.map((line) => indexOf(line, known));
	const isKnown = !places.includes(-1);
	const lines = isKnown ? known : asked.map(({ text }) => text);
	const span = { from: 1, to: lines.length };
	const blame = await blameLines(ground.repository, head, ground.nameOf(path), lines, span);
	const byNumber = new Map(isReason(blame) ? [] : blame.lines.map((line) => [line.number, line]));
	return asked.map((_, index) => {
		const { commit, origin } = byNumber.get((isKnown ? (places[index] ?? 0) : index) + 1) ?? {};
		return commit && { hash: commit.hash, ...(origin && { origin }) };
	});
}

/** The first commit after an order that has a line. */
function laterCommit(
	{ ledger, here }: FileAuthors,
	ground: WorktreeGround,
	line: string,
	order: number,
): CommittedLine | undefined {
	const commits = here.flatMap((path) =>
		ledger.eventsOf(path).flatMap(({ order: at, what }) => {
			if (at <= order || what.kind !== "head" || what.after === undefined) return [];
			const number = linesOfText(ground.blob(what.after.id)?.toString("utf8") ?? "").indexOf(line) + 1;
			const origin = { path: ground.nameOf(path), number };
			return number === 0 ? [] : [{ at, hash: what.head.commit, origin }];
		}),
	);
	return commits.toSorted((one, other) => one.at - other.at)[0];
}

/** Where a line is: at its number, else the nearest one with its text; -1 if none has it. */
function indexOf(line: ShownLine, lines: readonly string[]): number {
	const at = (shownNumber(line) ?? 1) - 1;
	for (let distance = 0; distance <= lines.length; distance++) {
		if (lines[at + distance] === line.text) return at + distance;
		if (lines[at - distance] === line.text) return at - distance;
	}
	return -1;
}
