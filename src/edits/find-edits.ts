import { homedir } from "node:os";
import type { SessionRow } from "../catalog/model/row.ts";
import { fold } from "../catalog/query/fold.ts";
import { visible } from "../catalog/query/hidden.ts";
import { batchesOf } from "../catalog/search/batches.ts";
import { findRipgrep } from "../catalog/search/find-ripgrep.ts";
import { type GrepTools, grep, grepNames } from "../catalog/search/grep.ts";
import { rawLoose } from "../catalog/search/raw-accented.ts";
import { rawNeedle } from "../catalog/search/raw-needle.ts";
import { CHANGES } from "../catalog/search/raw-pattern.ts";
import { SessionLines } from "../catalog/search/session-lines.ts";
import { TimeSlice } from "../shared/steps.ts";
import { cannot, isFileError, storeError } from "../store/files/store-error.ts";
import { textOf } from "../store/format/fields.ts";
import { versionOf } from "../store/format/migrate.ts";
import { readSession } from "../store/read/read-session.ts";
import { formatCounted } from "../ui/text/format.ts";
import { EditCollector, type FileEdit } from "./edit-collector.ts";

/** The file changes of one session, in the order of its file, on all branches. */
export interface SessionFileEdits {
	readonly path: string;
	readonly edits: readonly FileEdit[];
}

/** What is missing from the edits that were read. */
export interface EditsRead {
	/** What could not be read: one sentence each, for stderr. */
	readonly unread: readonly string[];
	/** Number of edits with a relative path in a session that does not say its directory. */
	readonly unplaced: number;
}

export interface ReadEditsOptions {
	/** Called with the number of sessions searched so far. */
	readonly onProgress?: ((searched: number) => void) | undefined;
	/** Ends the search. */
	readonly signal?: AbortSignal;
	readonly slice?: TimeSlice;
}

/**
 * Reads what sessions changed in files; calls `take` for each session, in no particular order. Nothing is stored: ripgrep finds the lines
 * with calls of these tools and their results, and only these are read. Rejects with a `RipgrepError` if ripgrep cannot be used.
 */
export async function readEdits(
	rows: readonly SessionRow[],
	take: (edits: SessionFileEdits) => void,
	options: ReadEditsOptions = {},
): Promise<EditsRead> {
	const { onProgress, signal = new AbortController().signal, slice = new TimeSlice(signal) } = options;
	const unread: string[] = [];
	let unplaced = 0;
	if (rows.length === 0) return { unread, unplaced };
	const tools = toolsFor(await findRipgrep(), signal, unread);
	let searched = 0;
	for (const batch of batchesOf(rows.map(fileOf))) {
		const paths = batch.map(({ path }) => path);
		const matches = grep({ ...tools, patterns: [CHANGES], paths });
		for await (const { path, lines } of matches) {
			try {
				const offsets = lines.map(({ offset }) => offset);
				const read = await editsOn(path, offsets, slice, signal);
				take({ path, edits: read.edits });
				unplaced += read.unplaced;
				if (read.unread > 0)
					unread.push(`${path}: ${formatCounted(read.unread, "line")} that may contain edits cannot be read`);
			} catch (error) {
				if (!isFileError(error)) throw error;
				unread.push(storeError(path, "read the session", error).message);
			}
		}
		searched += batch.length;
		onProgress?.(searched);
	}
	return { unread, unplaced };
}

/** The sessions that have one of the names on a line with a call that changes files, and what could not be read. */
export async function sessionsNaming(
	rows: readonly SessionRow[],
	names: readonly string[],
	{ onProgress, signal = new AbortController().signal }: Pick<ReadEditsOptions, "onProgress" | "signal">,
): Promise<{ readonly paths: readonly string[]; readonly unread: readonly string[] }> {
	const paths: string[] = [];
	const unread: string[] = [];
	if (rows.length === 0) return { paths, unread };
	const tools = toolsFor(await findRipgrep(), signal, unread);
	const any = names.map((name) => (visible(name) === name ? rawNeedle(fold(name)) : rawLoose(fold(name)))).join("|");
	let searched = 0;
	for (const batch of batchesOf(rows.map(fileOf))) {
		const all = batch.map(({ path }) => path);
		for await (const some of grepNames({ ...tools, patterns: [any], paths: all })) paths.push(...some);
		searched += batch.length;
		onProgress?.(searched);
	}
	return { paths, unread };
}

function toolsFor(ripgrep: GrepTools["ripgrep"], signal: AbortSignal, unread: string[]): GrepTools {
	return {
		...{ ripgrep, signal },
		onUnreadable(reasons) {
			for (const [path, reason] of reasons) unread.push(cannot("read the session", path, "unreadable", reason).message);
		},
	};
}

function fileOf({ path, size, modified }: SessionRow) {
	return { path, size, modified: modified.getTime() };
}

interface LinesRead extends Pick<EditsRead, "unplaced"> {
	readonly edits: readonly FileEdit[];
	/** Number of lines with calls or results that cannot be read: damaged or too long. */
	readonly unread: number;
}

async function editsOn(
	path: string,
	offsets: readonly number[],
	slice: TimeSlice,
	signal: AbortSignal,
): Promise<LinesRead> {
	const lines = new SessionLines(path);
	try {
		const header = lines.entryAt(0);
		// Before version 2 entries have no ids: the ids that they get depend on the whole file.
		if (versionOf(header) < 2 || header?.type !== "session") return await readOld(path);
		const collector = new EditCollector(textOf(header.cwd), homedir());
		const edits: FileEdit[] = [];
		let unread = 0;
		for (const offset of offsets) {
			if (lines.entryAt(offset) === undefined) unread++;
			for (const [at, entry] of lines.entriesOn(offset)) edits.push(...collector.add(entry, at));
			if (slice.shouldYield()) await slice.yieldToEventLoop();
			signal.throwIfAborted();
		}
		return { edits, unplaced: collector.unplaced, unread };
	} finally {
		lines.close();
	}
}

async function readOld(path: string): Promise<LinesRead> {
	const session = await readSession(path);
	const collector = new EditCollector(session.header?.cwd ?? "", homedir());
	const edits = session.entries.flatMap((entry) => collector.add(entry));
	const unread = session.diagnostics.filter(({ severity }) => severity === "damage").length;
	return { edits, unplaced: collector.unplaced, unread };
}
