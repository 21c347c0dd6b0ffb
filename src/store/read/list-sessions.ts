import { readdir, stat } from "node:fs/promises";
import { basename, join } from "../../shared/paths.ts";
import { TimeSlice } from "../../shared/steps.ts";
import { type FileStamp, NO_STAMP, stampOf } from "../files/file-system.ts";
import { explain } from "../files/store-error.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { contentText } from "../format/message.ts";
import { parseLine } from "../format/parse.ts";
import { type FileLine, rawLine } from "./line-reader.ts";
import { emptyFacts, gatherFacts, listedFields, spokenMessage } from "./list-facts.ts";
import { readLines } from "./read-lines.ts";
import { SessionCheck } from "./session-check.ts";

/** Called after each file; some of the calls, including the last, have `partialSessions` (sorted by activity). */
export type SessionListProgress = (loaded: number, total: number, partialSessions?: readonly SessionInfo[]) => void;

interface SessionListOptions {
	readonly onProgress?: SessionListProgress | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** What pi shows for a session without a user message. */
const NO_MESSAGES = "(no messages)";

const CONCURRENT_READS = 10;
const CONCURRENT_STATS = 64;

/** The sessions directly in one directory, last activity first; empty if there is no such directory. */
export async function listDirectory(dir: string, options: SessionListOptions = {}): Promise<SessionInfo[]> {
	options.signal?.throwIfAborted();
	const names = await namesIn(dir);
	names.sort((a, b) => b.localeCompare(a));
	const paths = names.map((name) => join(dir, name));
	return readAll(paths, 10, options);
}

/** The sessions of all projects under the sessions directory `root`, last activity first. */
export async function listProjects(root: string, options: SessionListOptions = {}): Promise<SessionInfo[]> {
	const { signal } = options;
	signal?.throwIfAborted();
	const dirs = await directoriesIn(root);
	const names = await inParallel(dirs, CONCURRENT_STATS, signal, async (dir) => {
		return (await namesIn(dir)).map((name) => join(dir, name));
	});
	const files = await inParallel(names.flat(), CONCURRENT_STATS, signal, async (path) => {
		const stats = await stat(path).catch(() => undefined);
		// Deleted since the directory was read, or a broken link: it comes last, and reading it reports the reason.
		return { path, modified: stats?.mtimeMs ?? Number.NEGATIVE_INFINITY };
	});
	files.sort((a, b) => b.modified - a.modified || basename(b.path).localeCompare(basename(a.path)));
	return readAll(
		files.map(({ path }) => path),
		100,
		options,
	);
}

/** As in pi, a file with a header is a session, however odd the rest of it is. */
async function readAll(
	paths: readonly string[],
	publishEvery: number,
	options: SessionListOptions,
): Promise<SessionInfo[]> {
	const { onProgress, signal } = options;
	const sessions: SessionInfo[] = [];
	let loaded = 0;
	const results = await inParallel(paths, CONCURRENT_READS, signal, async (path) => {
		const info = await readListed(path, signal);
		loaded += 1;
		if (info) sessions.push(info);
		const publish = loaded === 1 || loaded % publishEvery === 0 || loaded === paths.length;
		onProgress?.(loaded, paths.length, publish ? byActivity([...sessions]) : undefined);
		return info;
	});
	return byActivity(results.filter((info) => info !== undefined));
}

async function readListed(path: string, signal: AbortSignal | undefined): Promise<SessionInfo | undefined> {
	const { size: _, prompt: __, diagnostics, ...info } = await readSessionInfo(path, signal ? { signal } : {});
	const isNoSession = diagnostics.some(
		({ code }) => code === "unreadable" || code === "not-a-session" || code === "empty",
	);
	if (isNoSession) return undefined;
	return { ...info, firstMessage: info.firstMessage || NO_MESSAGES };
}

function byActivity(sessions: SessionInfo[]): SessionInfo[] {
	return sessions.sort((a, b) => b.modified.getTime() - a.modified.getTime());
}

// As in pi, a directory that is missing or cannot be read has no sessions. The catalog reports such problems.

async function namesIn(dir: string): Promise<string[]> {
	const names = await readdir(dir).catch(() => []);
	return names.filter((name) => name.endsWith(".jsonl"));
}

async function directoriesIn(root: string): Promise<string[]> {
	const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
	return entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => join(root, name));
}

async function inParallel<Item, Result>(
	items: readonly Item[],
	limit: number,
	signal: AbortSignal | undefined,
	work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	const queue = items.entries();
	const worker = async () => {
		for (const [index, item] of queue) {
			signal?.throwIfAborted();
			results[index] = await work(item);
		}
	};
	await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
	return results;
}

/** What a list shows of one session; the fields and their rules are pi's. */
export interface SessionInfo {
	/** Absolute path of the file. */
	path: string;
	/** From the header; "" if there is none. */
	id: string;
	/** From the header; "" if there is none. */
	cwd: string;
	/** The last `session_info` name, trimmed; absent when never set or cleared. */
	name?: string | undefined;
	/** The header's `parentSession`, as written, or its name before pi 0.30. */
	parentSessionPath?: string | undefined;
	/** From the header, else the file's modification time. */
	created: Date;
	/** Time of the last user or assistant message, else the same as `created`. */
	modified: Date;
	/** All `message` entries, of all branches and all roles. */
	messageCount: number;
	/** Text of the first user message that has any. */
	firstMessage: string;
	/** Text of all user and assistant messages, joined by spaces. */
	allMessagesText: string;
}

/** One list row: pi's fields, the file's size in bytes, and its oddities. */
export interface SessionInfoRow extends SessionInfo {
	/** "" if no user message has text. */
	firstMessage: string;
	/** What titles the session if it has no name, where that is not `firstMessage` as it is (title-facts.ts). */
	prompt?: string | undefined;
	size: number;
	diagnostics: readonly Diagnostic[];
}

/**
 * Reads what a list shows of one file. Every file gives a row: whatever is wrong with it, even that it cannot be read,
 * is in the row's diagnostics. Rejects only when aborted, with the signal's reason.
 */
export async function readSessionInfo(path: string, options: { signal?: AbortSignal } = {}): Promise<SessionInfoRow> {
	const { signal } = options;
	const timeSlice = new TimeSlice(signal);
	const check = new SessionCheck();
	const facts = emptyFacts();
	const texts: string[] = [];
	const take = (line: FileLine, number: number): void => {
		const entry = parseLine(rawLine(line, number), check.diagnostics);
		if (!entry) return;
		check.add(entry, number);
		gatherFacts(facts, entry);
		const text = contentText(spokenMessage(entry)?.content);
		if (text !== "") texts.push(text);
	};
	const row = ({ size, mtimeMs }: FileStamp): SessionInfoRow => {
		const { parentSession: parentSessionPath, ...fields } = listedFields(facts, mtimeMs);
		const diagnostics = check.diagnostics.toArray();
		return { path, ...fields, parentSessionPath, allMessagesText: texts.join(" "), size, diagnostics };
	};
	try {
		const stamp = await readLines(path, timeSlice, take, signal);
		await timeSlice.run(check.finish(stamp.size));
		return row(stamp);
	} catch (error) {
		signal?.throwIfAborted();
		check.diagnostics.add("unreadable", "damage", error instanceof Error ? error.message : explain(error));
		return row(await stat(path).then(stampOf, () => NO_STAMP));
	}
}
