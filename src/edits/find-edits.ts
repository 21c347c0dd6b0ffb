import { homedir } from "node:os";
import type { SessionRow } from "../catalog/model/row.ts";
import { fold } from "../catalog/query/fold.ts";
import { visible } from "../catalog/query/hidden.ts";
import { batchesOf } from "../catalog/search/batches.ts";
import { findRipgrep } from "../catalog/search/find-ripgrep.ts";
import { type GrepTools, grep, grepNames } from "../catalog/search/grep.ts";
import { rawLoose } from "../catalog/search/raw-accented.ts";
import { rawNeedle } from "../catalog/search/raw-needle.ts";
import { CHANGING_CALLS } from "../catalog/search/raw-pattern.ts";
import { SessionLines } from "../catalog/search/session-lines.ts";
import { cannot, isFileError, storeError } from "../store/files/store-error.ts";
import { fieldsOf, textOf } from "../store/format/fields.ts";
import { versionOf } from "../store/format/migrate.ts";
import { readSession } from "../store/read/read-session.ts";
import { formatCounted } from "../ui/text/format.ts";
import { EditCollector } from "./edit-collector.ts";
import type { TalliedEdit } from "./session-files.ts";

/** What is known of the edits of sessions, and what is missing. */
interface EditsRead {
	/** In the order of the file of each session, on all branches; the sessions are in no particular order. */
	readonly edits: readonly TalliedEdit[];
	/** What could not be read: one sentence each, for stderr. */
	readonly unread: readonly string[];
	/** Number of edits with a relative path in a session that does not say its directory. */
	readonly unplaced: number;
}

interface SearchOptions {
	/** Called with the number of sessions searched so far. */
	readonly onProgress?: ((searched: number) => void) | undefined;
	/** Ends the search. */
	readonly signal?: AbortSignal;
}

/**
 * Reads what sessions changed in files. Nothing is stored: ripgrep finds the lines with calls of these tools and their results, and only
 * these are read. Rejects with a `RipgrepError` if ripgrep cannot be used.
 */
export async function readEdits(rows: readonly SessionRow[], options: SearchOptions): Promise<EditsRead> {
	const edits: TalliedEdit[] = [];
	let unplaced = 0;
	const unread = await searchFiles(rows, options, async (tools, paths, unreadHere) => {
		for await (const { path, lines } of grep({ ...tools, patterns: [CHANGING_CALLS], paths })) {
			try {
				const offsets = lines.map(({ offset }) => offset);
				const read = await editsOn(path, offsets);
				for (const edit of read.edits) edits.push(edit);
				unplaced += read.unplaced;
				if (read.unread > 0)
					unreadHere.push(`${path}: ${formatCounted(read.unread, "line")} that may contain edits cannot be read`);
			} catch (error) {
				if (!isFileError(error)) throw error;
				unreadHere.push(storeError(path, "read the session", error).message);
			}
		}
	});
	return { edits, unread, unplaced };
}

/** The sessions that have one of the names on a line with a call that changes files, and what could not be read. */
export async function sessionsNaming(
	rows: readonly SessionRow[],
	names: readonly string[],
	options: SearchOptions,
): Promise<{ readonly paths: readonly string[]; readonly unread: readonly string[] }> {
	const paths: string[] = [];
	const any = names.map((name) => (visible(name) === name ? rawNeedle(fold(name)) : rawLoose(fold(name)))).join("|");
	const unread = await searchFiles(rows, options, async (tools, all) => {
		for await (const some of grepNames({ ...tools, patterns: [any], paths: all })) paths.push(...some);
	});
	return { paths, unread };
}

/** Searches the files of sessions, some at once; returns what could not be read. */
async function searchFiles(
	rows: readonly SessionRow[],
	{ onProgress, signal = new AbortController().signal }: SearchOptions,
	search: (tools: GrepTools, paths: readonly string[], unread: string[]) => Promise<void>,
): Promise<readonly string[]> {
	const unread: string[] = [];
	if (rows.length === 0) return unread;
	const onUnreadable: GrepTools["onUnreadable"] = (reasons) => {
		for (const [path, reason] of reasons) unread.push(cannot("read the session", path, "unreadable", reason).message);
	};
	const tools = { ripgrep: await findRipgrep(), signal, onUnreadable };
	let searched = 0;
	const files = rows.map(({ path, size, modified }) => ({ path, size, modified: modified.getTime() }));
	for (const batch of batchesOf(files)) {
		const paths = batch.map(({ path }) => path);
		await search(tools, paths, unread);
		searched += batch.length;
		onProgress?.(searched);
	}
	return unread;
}

interface LinesRead extends Pick<EditsRead, "edits" | "unplaced"> {
	/** Number of lines with calls or results that cannot be read: damaged or too long. */
	readonly unread: number;
}

async function editsOn(path: string, offsets: readonly number[]): Promise<LinesRead> {
	const lines = new SessionLines(path);
	try {
		const header = lines.entryAt(0);
		// Before version 2 entries have no ids: the ids that they get depend on the whole file.
		if (versionOf(header) < 2 || header?.type !== "session") return await readOld(path);
		const collector = new EditCollector(path, textOf(header.cwd), homedir());
		let unread = 0;
		const edits = offsets.flatMap((offset) => {
			if (lines.entryAt(offset) === undefined) unread++;
			return [...lines.entriesOn(offset)].flatMap(([, entry]) => collector.add(entry));
		});
		return { edits, unplaced: collector.unplaced, unread };
	} finally {
		lines.close();
	}
}

async function readOld(path: string): Promise<LinesRead> {
	const session = await readSession(path);
	const collector = new EditCollector(path, session.header?.cwd ?? "", homedir());
	const edits = session.entries.flatMap((entry) => collector.add(fieldsOf(entry)));
	const unread = session.diagnostics.filter(({ severity }) => severity === "damage").length;
	return { edits, unplaced: collector.unplaced, unread };
}
