import { closeSync } from "node:fs";
import { homedir } from "node:os";
import { extractTexts } from "../catalog/query/extract.ts";
import { fold } from "../catalog/query/fold.ts";
import { visible } from "../catalog/query/hidden.ts";
import { CALL_KINDS } from "../catalog/query/kinds.ts";
import { batchesOf } from "../catalog/search/batches.ts";
import type { Ripgrep } from "../catalog/search/find-ripgrep.ts";
import { type GrepTools, grep, grepNames } from "../catalog/search/grep.ts";
import { rawLoose } from "../catalog/search/raw-accented.ts";
import { rawNeedle } from "../catalog/search/raw-needle.ts";
import { CHANGES } from "../catalog/search/raw-pattern.ts";
import type { SearchFile } from "../catalog/search/search.ts";
import { parseObject, SessionLines } from "../catalog/search/session-lines.ts";
import { isObject } from "../shared/json.ts";
import type { Steps, TimeSlice } from "../shared/steps.ts";
import { openFile } from "../store/files/open-file.ts";
import { cannot, isFileError, storeError } from "../store/files/store-error.ts";
import { versionOf } from "../store/format/migrate.ts";
import { type FileLine, readLinesSteps } from "../store/read/line-reader.ts";
import { readSession } from "../store/read/read-session.ts";
import { EditCollector, type FileEdit } from "./edit-collector.ts";

/** The file changes of one session, in the order of its file, on all branches. */
export interface FileEdits {
	readonly path: string;
	/** The directory of the session; "" for none. */
	readonly cwd: string;
	readonly edits: readonly FileEdit[];
	/** Number of edits whose file is not known. */
	readonly unplaced: number;
	/** Number of lines with calls or results that cannot be read: damaged or too long. */
	readonly unread: number;
}

interface FindEditsOptions {
	readonly ripgrep: Ripgrep;
	readonly signal: AbortSignal;
	readonly timeSlice: TimeSlice;
	/** Only sessions with a call that changes a file with one of these base names. @default all */
	readonly names?: readonly string[];
	/** Called with the number of files searched so far. */
	readonly onProgress?: (searched: number) => void;
	/** Called with a sentence about each file that could not be read. */
	readonly onUnreadable: (reason: string) => void;
}

/**
 * Finds the file changes of sessions. Nothing is stored: ripgrep finds the lines with calls of these tools and their results,
 * and only these are read. Yields sessions in no particular order. Rejects with a `RipgrepError`.
 */
export async function* findEdits(
	files: readonly SearchFile[],
	options: FindEditsOptions,
): AsyncGenerator<FileEdits, void> {
	let searched = 0;
	for (const batch of batchesOf(files)) {
		const paths = await withNames(
			batch.map(({ path }) => path),
			options,
		);
		if (paths.length > 0) {
			for await (const { path, lines } of grep({ ...grepTools(options), patterns: [CHANGES], paths })) {
				const offsets = lines.map(({ offset }) => offset);
				const edits = await readEdits(path, offsets, options);
				if (edits !== undefined) yield edits;
			}
		}
		searched += batch.length;
		options.onProgress?.(searched);
	}
}

function grepTools({ ripgrep, signal, onUnreadable }: FindEditsOptions): GrepTools {
	return {
		ripgrep,
		signal,
		onUnreadable: (reasons: ReadonlyMap<string, string>) => {
			for (const [path, reason] of reasons)
				onUnreadable(cannot("read the session", path, "unreadable", reason).message);
		},
	};
}

/** The sessions that have one of the names on a line with such a call. */
async function withNames(paths: readonly string[], options: FindEditsOptions): Promise<readonly string[]> {
	const { names } = options;
	if (names === undefined) return paths;
	const any = names.map((name) => (visible(name) === name ? rawNeedle(fold(name)) : rawLoose(fold(name)))).join("|");
	const patterns = [`${CHANGES}.*(?:${any})|(?:${any}).*${CHANGES}`];
	const matches: string[] = [];
	for await (const some of grepNames({ ...grepTools(options), patterns, paths })) matches.push(...some);
	return matches;
}

async function readEdits(
	path: string,
	offsets: readonly number[],
	{ timeSlice, signal, onUnreadable }: FindEditsOptions,
): Promise<FileEdits | undefined> {
	const lines = new SessionLines(path);
	try {
		const header = lines.entryAt(0);
		const cwd = typeof header?.cwd === "string" ? header.cwd : "";
		// Before version 2 entries have no ids: the ids that they get depend on the whole file.
		if (versionOf(header) < 2 || header?.type !== "session") return await readOld(path);
		const collector = new EditCollector(cwd, homedir());
		const edits: FileEdit[] = [];
		let unread = 0;
		for (const offset of offsets) {
			if (lines.entryAt(offset) === undefined) unread++;
			for (const [at, entry] of lines.entriesOn(offset)) edits.push(...collector.add(entry, at));
			if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
			signal.throwIfAborted();
		}
		return { path, cwd, edits, unplaced: collector.unplaced, unread };
	} catch (error) {
		if (!isFileError(error)) throw error;
		onUnreadable(storeError(path, "read the session", error).message);
		return undefined;
	} finally {
		lines.close();
	}
}

async function readOld(path: string): Promise<FileEdits> {
	const session = await readSession(path);
	const cwd = session.header?.cwd ?? "";
	const collector = new EditCollector(cwd, homedir());
	const edits = session.entries.flatMap((entry) => collector.add(entry));
	const unread = session.diagnostics.filter(({ severity }) => severity === "damage").length;
	return { path, cwd, edits, unplaced: collector.unplaced, unread };
}

/**
 * Which of these lines of text the tools or the person had shown a session before the byte offset `end` of its file.
 * Messages of the model itself do not count. All of them if the file can no longer be read.
 */
export function* seenBefore(path: string, end: number, texts: readonly string[]): Steps<ReadonlySet<string>> {
	const seenLines = new Set<string>();
	let isOver = texts.length === 0;
	const onLine = (line: FileLine): boolean => {
		const entry = parseObject(line);
		const message = entry?.message;
		if (entry === undefined || (isObject(message) && message.role === "assistant")) return true;
		for (const { text, bit } of extractTexts(entry)) {
			// The model itself wrote the calls of its script.
			if ((bit & CALL_KINDS) !== 0) continue;
			for (const one of texts) if (!seenLines.has(one) && text.includes(one.trim())) seenLines.add(one);
		}
		isOver = seenLines.size === texts.length;
		return !isOver;
	};
	try {
		if (isOver) return seenLines;
		const { fd } = openFile(path);
		try {
			const steps = readLinesSteps(fd, { to: end, onLine });
			while (!isOver && !steps.next().done) yield;
		} finally {
			closeSync(fd);
		}
	} catch {
		// Deleted since it was searched: nothing is certain.
		return new Set(texts);
	}
	return seenLines;
}
