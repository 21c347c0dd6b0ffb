import { homedir } from "node:os";
import * as catalog from "./catalog/list-all.ts";
import type { SessionRow } from "./catalog/model/row.ts";
import type { ListOptions } from "./catalog/model/session-roots.ts";
import * as search from "./catalog/search-all.ts";
import type { SearchOptions, SessionResult } from "./catalog/search-rows.ts";
import type { Digest } from "./conversation/digest/digest.ts";
import type { LineChange } from "./conversation/entries/change-spans.ts";
import { titleText } from "./conversation/entries/session-title.ts";
import type { BlameAnswer, BlamedLine } from "./edits/blame.ts";
import { answersFor } from "./edits/blame-file.ts";
import { blamedFile } from "./edits/blamed-file.ts";
import { digestWithLines } from "./edits/changed-lines.ts";
import { type FilesAt, filesAtEntry } from "./edits/files-at.ts";
import { patchCounts, patchOf, patchRoot } from "./edits/patch.ts";
import { type ChangedFile, type ChangeSpan, type SessionChanges, sessionChanges } from "./edits/session-changes.ts";
import { nameFrom } from "./shared/paths.ts";
import type { Session } from "./store/read/read-session.ts";

/*
 * What the library says of sessions and files, in the words of `--json`. Who calls it may have no types: a missing argument is a
 * `TypeError`, never an empty answer.
 */

/** A session in a list: beside the names of pi's `SessionInfo`, those that `pi-grove list --json` prints. */
export interface ListedSession extends SessionRow {
	/** Its name, else its first prompt, command or answer, on one line. Raw: sanitize before drawing. */
	readonly title: string;
	/** Number of messages on all branches, as pi counts them. */
	readonly messages: number;
	/** Path of the session it was forked from, as written, or, for a run, of the session that started it. */
	readonly parent: string | undefined;
	/** The time of its last message, if that was still to come when the file was read: a clock was ahead. */
	readonly ahead: Date | undefined;
}

function listedSession(row: SessionRow): ListedSession {
	const { messageCount: messages, aheadMs, parentSession, run } = row;
	const ahead = aheadMs === undefined ? undefined : new Date(aheadMs);
	return { ...row, title: titleText(row), messages, parent: run?.parent ?? parentSession, ahead };
}

/** All sessions of all projects, most recently modified first. Rejects with the signal's reason when aborted. */
export async function listAll(options: ListOptions = {}): Promise<ListedSession[]> {
	return (await catalog.listAll(options)).map(listedSession);
}

/** The sessions whose header names the directory `cwd`, most recently modified first. */
export async function list(cwd: string, options: ListOptions = {}): Promise<ListedSession[]> {
	checkText(cwd, "list", "the directory");
	return (await catalog.list(cwd, options)).map(listedSession);
}

/** A session in which the query was found, with its row. */
export interface FoundSession extends SessionResult {
	readonly row: ListedSession;
}

/**
 * Searches all sessions once; best results first. If there are fewer than ten, those follow that have the words only in other
 * forms (`migration` for `migrating`), each with `other`: which words, and what was found for them. Rejects with a `RangeError`
 * for a query that cannot be parsed or answered (`is:live`: nothing is watched here), with a `RipgrepError` if ripgrep cannot be
 * used, and with the signal's reason when aborted.
 */
export async function searchAll(query: string, options: SearchOptions = {}): Promise<FoundSession[]> {
	checkText(query, "searchAll", "the query");
	return (await search.searchAll(query, options)).map((result) => ({ ...result, row: listedSession(result.row) }));
}

/** What other sessions did is asked, too: those of this machine that these options list, archived ones included. */
type WitnessOptions = Omit<ListOptions, "archived">;

/** What a session changed in a file; `added` and `removed` are the lines of the patch. */
export interface PatchedFile extends ChangedFile, LineChange {
	/** Its path from the top of the repository of its session, else from the directory of that. */
	readonly name: string;
	/** Its section of the patch that `pi-grove diff` prints, for `git apply` there; "" if it is in the end as before. */
	readonly patch: string;
}

export interface ChangesOfOptions extends WitnessOptions, Partial<ChangeSpan> {
	/** The sessions of subagents whose changes are wanted, too. @default none */
	readonly runs?: readonly Session[];
}

/**
 * What a session changed, as `pi-grove diff` says it: each file with its texts before and after, how sure they are and why, and its patch.
 * `from`: only what came after this entry; `to`: up to this one. @default all of the active path
 */
export async function changesOf(
	session: Session,
	options: ChangesOfOptions = {},
): Promise<SessionChanges & { readonly files: readonly PatchedFile[] }> {
	checkSession(session, "changesOf");
	const { from, to = session.tree.leafId ?? "", runs = [] } = options;
	for (const id of [from, options.to]) if (id !== undefined) checkEntry(session, id);
	const changes = await sessionChanges(session, { from, to }, { ...(await witnessesFor(options)), runs });
	const root = await patchRoot(session, false);
	const files = changes.files.map((file): PatchedFile => {
		const patch = patchOf(file, root);
		return { ...file, name: nameFrom(file.path, root), patch, ...patchCounts(patch) };
	});
	return { ...changes, files };
}

export interface FilesAtOptions extends WitnessOptions {
	/** A clone of its repository here, for a session of another machine or of a directory that is gone. */
	readonly clone?: string;
}

/**
 * The files of the directory of a session when one of its entries was written, as `pi-grove checkout` would make them; nothing is written.
 * Rejects with an `Error` if the session has no such entry, or does not say its directory.
 */
export async function filesAt(session: Session, entryId: string, options: FilesAtOptions = {}): Promise<FilesAt> {
	checkSession(session, "filesAt");
	checkText(entryId, "filesAt", "the id of an entry");
	checkEntry(session, entryId);
	return filesAtEntry(session, entryId, { ...(await witnessesFor(options)), clone: options.clone });
}

/** Who wrote a line of a file, and the commit that Git names for it. */
export interface LineAuthor extends BlamedLine, BlameAnswer {}

export interface BlameOptions extends WitnessOptions {
	/** The first and the last line, from 1; `from` alone is one line. @default all lines */
	readonly from?: number;
	readonly to?: number;
}

/**
 * The session that wrote each line of a file, as `pi-grove blame` finds it: among all sessions of this machine, runs included. Rejects with a
 * `BlameError` if the file cannot be read, is not a text or has no such lines, and with a `RipgrepError` if ripgrep cannot be used.
 */
export async function blame(file: string, options: BlameOptions = {}): Promise<readonly LineAuthor[]> {
	checkText(file, "blame", "the path of a file");
	const { from, to } = options;
	const span = from === undefined && to === undefined ? undefined : { from: from ?? 1, to: to ?? from ?? 1 };
	const witnesses = await witnessesFor(options);
	const { lines } = await answersFor(await blamedFile(file, span), witnesses);
	return lines.map(({ line, answer }) => ({ ...line, ...answer }));
}

/** What a session is about, without a model, as `pi-grove show --digest` says it. */
export async function digestOf(session: Session, options: WitnessOptions = {}): Promise<Digest> {
	checkSession(session, "digestOf");
	return digestWithLines(session, await witnessesFor(options));
}

async function witnessesFor(
	options: WitnessOptions,
): Promise<{ readonly rows: readonly SessionRow[]; readonly home: string }> {
	return { rows: await catalog.listAll({ ...options, archived: true }), home: options.home ?? homedir() };
}

function checkSession(session: unknown, name: string): void {
	const isSession = typeof session === "object" && session !== null && "tree" in session && "entries" in session;
	if (!isSession) throw new TypeError(`${name} needs a session, as readSession returns it`);
}

function checkText(text: unknown, name: string, what: string): void {
	if (typeof text !== "string" || text === "") throw new TypeError(`${name} needs ${what}, a string`);
}

function checkEntry({ tree, path }: Session, id: string): void {
	if (!tree.byId.has(id)) throw new Error(`${path} has no entry ${id}`);
}
