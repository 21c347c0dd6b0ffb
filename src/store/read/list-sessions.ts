import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { readSessionInfo, type SessionInfo } from "./read-session-info.ts";

/** Called after each file; some of the calls, including the last, have `partialSessions` (sorted by activity). */
export type SessionListProgress = (loaded: number, total: number, partialSessions?: readonly SessionInfo[]) => void;

/** Progress and cancellation of a listing. */
interface ListOptions {
	readonly onProgress?: SessionListProgress | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** What pi shows for a session without a user message. */
const NO_MESSAGES = "(no messages)";

const CONCURRENT_READS = 10;
const CONCURRENT_STATS = 64;

/** The sessions directly in one directory, last activity first; empty if there is no such directory. */
export async function listDirectory(dir: string, options: ListOptions = {}): Promise<SessionInfo[]> {
	options.signal?.throwIfAborted();
	const names = await namesIn(dir);
	names.sort((a, b) => b.localeCompare(a));
	const paths = names.map((name) => join(dir, name));
	return readAll(paths, 10, options);
}

/** The sessions of all projects under the sessions directory `root`, last activity first. */
export async function listProjects(root: string, options: ListOptions = {}): Promise<SessionInfo[]> {
	const { signal } = options;
	signal?.throwIfAborted();
	const dirs = await directoriesIn(root);
	const names = await inParallel(dirs, CONCURRENT_STATS, signal, async (dir) => {
		return (await namesIn(dir)).map((name) => join(dir, name));
	});
	const files = await inParallel(names.flat(), CONCURRENT_STATS, signal, async (path) => {
		return { path, modified: await modifiedAt(path) };
	});
	files.sort((a, b) => b.modified - a.modified || basename(b.path).localeCompare(basename(a.path)));
	return readAll(
		files.map(({ path }) => path),
		100,
		options,
	);
}

/** As in pi, a file with a header is a session, however odd the rest of it is. */
async function readAll(paths: readonly string[], publishEvery: number, options: ListOptions): Promise<SessionInfo[]> {
	const { onProgress, signal } = options;
	const found: SessionInfo[] = [];
	let loaded = 0;
	const results = await inParallel(paths, CONCURRENT_READS, signal, async (path) => {
		const info = await readListed(path, signal);
		loaded += 1;
		if (info) found.push(info);
		const publish = loaded === 1 || loaded % publishEvery === 0 || loaded === paths.length;
		onProgress?.(loaded, paths.length, publish ? byActivity([...found]) : undefined);
		return info;
	});
	return byActivity(results.filter((info) => info !== undefined));
}

async function readListed(path: string, signal: AbortSignal | undefined): Promise<SessionInfo | undefined> {
	const { size: _, diagnostics, ...info } = await readSessionInfo(path, signal ? { signal } : {});
	const isNoSession = diagnostics.some(
		({ code }) => code === "unreadable" || code === "not-a-session" || code === "empty",
	);
	if (isNoSession) return undefined;
	return { ...info, firstMessage: info.firstMessage || NO_MESSAGES };
}

function byActivity(sessions: SessionInfo[]): SessionInfo[] {
	return sessions.sort((a, b) => b.modified.getTime() - a.modified.getTime());
}

async function namesIn(dir: string): Promise<string[]> {
	try {
		return (await readdir(dir)).filter((name) => name.endsWith(".jsonl"));
	} catch {
		// As in pi, a directory that is missing or cannot be read has no sessions. The catalog reports such problems.
		return [];
	}
}

async function directoriesIn(root: string): Promise<string[]> {
	try {
		const entries = await readdir(root, { withFileTypes: true });
		return entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => join(root, name));
	} catch {
		// As above, for the directory of all projects.
		return [];
	}
}

async function modifiedAt(path: string): Promise<number> {
	try {
		return (await stat(path)).mtimeMs;
	} catch {
		// Deleted since the directory was read, or a broken link: it comes last, and reading it reports the reason.
		return Number.NEGATIVE_INFINITY;
	}
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
