import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, renameSync, statSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { processMark } from "../../catalog/live/processes.ts";
import { defaultStateDir } from "../../catalog/model/session-roots.ts";
import { appendWholeLine, readEnd, regular } from "../../store/files/append-line.ts";
import { READ_FLAGS } from "../../store/files/file-system.ts";
import { readBytes } from "../../store/files/open-file.ts";
import { errorCode, explain } from "../../store/files/store-error.ts";
import type { Group, Run } from "../kinds/change.ts";
import type { UndoneBy } from "../kinds/kind.ts";
import type { Plan, Undo } from "../kinds/kinds.ts";
import type { HowOver, JournalLine } from "./journal-schema.ts";

/**
 * Records the changes made to the sessions under one root, so that they can be undone even after a crash or a restart. All
 * runs of the program write to one file of JSON lines in `$XDG_STATE_HOME/pi-grove` (by default `~/.local/state/pi-grove`),
 * which `HistoryReader` reads. All methods reject with an `Error` that says what cannot be written, and why.
 */
export interface Journal {
	readonly run: Run;
	/** Records that a change is about to be made, alone or as one of a group; resolves to its id. `of`: as in `Change`. */
	begin(what: string, plan: Plan, group?: Group, of?: string): Promise<string>;
	/** Records that it was made, how to undo it, and the id of the entry that it appended, if any. */
	done(id: string, undo: Undo, entryId?: string): Promise<void>;
	/** Records that it was not made. */
	discard(id: string): Promise<void>;
	undone(id: string, by?: UndoneBy): Promise<void>;
	/** Records that undo no longer offers it. */
	giveUp(id: string): Promise<void>;
}

export interface JournalOptions {
	readonly path: string;
	/** The directory that contains all sessions of the list. */
	readonly root: string;
	/** The file is cut once it is longer. @default 64 MiB */
	readonly maxBytes?: number;
	/** @default this process */
	readonly run?: Run;
}

export function journalPath(env: Readonly<Record<string, string | undefined>>, home: string): string {
	return join(defaultStateDir(env, home), "journal.jsonl");
}

/** Opens the journal; nothing is created on disk before the first change. */
export function openJournal({ path, root, maxBytes = MAX_BYTES, run = thisRun() }: JournalOptions): Journal {
	async function write(line: JournalLine): Promise<void> {
		try {
			appendWholeLine(path, JSON.stringify(line));
			cutIfLong(path, maxBytes);
		} catch (error) {
			throw new Error(`the undo journal cannot be written: ${explain(error)}. Path: ${path}`, { cause: error });
		}
	}
	let marked: Run | undefined;
	const over = (id: string, how: HowOver, by: object = {}): Promise<void> =>
		write({ step: "over", id, at: new Date().toISOString(), how, ...by });
	return {
		run,
		async begin(what, plan, group, of) {
			const id = randomUUID();
			// Not before the first change: without /proc it takes a child process to find it out.
			marked ??= { ...run, mark: processMark(run.pid) };
			await write({ step: "begin", id, at: new Date().toISOString(), what, root, run: marked, plan, group, of });
			return id;
		},
		done: (id, undo, entryId) => write({ step: "done", id, undo, entryId }),
		discard: (id) => over(id, "not-made"),
		undone: (id, by = {}) => over(id, "undone", by),
		giveUp: (id) => over(id, "given-up"),
	};
}

/** Read when a journal is opened: a process that runs several command lines changes its time of origin for each. */
function thisRun(): Run {
	return { pid: process.pid, start: Math.round(performance.timeOrigin) };
}

/**
 * A longer journal is cut to half of this when it is written to, unless the last cut had to leave that much: no one reads
 * the more than 100,000 changes that it holds.
 */
const MAX_BYTES = 64 * 1024 * 1024;
/** How far back the beginning of a group is searched for: a group of more than 10,000 sessions. */
const MAX_READ_BYTES = 32 * 1024 * 1024;
/** A cut that began longer ago than this was killed. */
const STALE_MS = 60_000;
const NEWLINE = 0x0a;

/**
 * Replaces a long file by its end. Only one program at a time can create the new file under its temporary name. What another
 * program appends to the old file meanwhile is copied, or that program sees that the file was replaced and writes again.
 */
function cutIfLong(path: string, maxBytes: number): void {
	const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
	if (size <= maxBytes) return;
	const temporary = `${path}.cut`;
	try {
		if (size > longest(path, maxBytes)) cut(path, temporary, maxBytes);
	} catch (error) {
		// The line is written. Another program may be cutting; if not, the next call tries again.
		if (errorCode(error) === "EEXIST") removeStale(temporary);
	}
}

/** How long the file may be. */
function longest(path: string, maxBytes: number): number {
	const fd = openSync(path, READ_FLAGS);
	try {
		return Math.max(maxBytes, lengthAfterCut(readBytes(fd, 0, 100)) + maxBytes / 2);
	} finally {
		closeSync(fd);
	}
}

function cut(path: string, temporary: string, maxBytes: number): void {
	const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;
	const made = openSync(temporary, flags, 0o600);
	try {
		const old = openSync(path, READ_FLAGS);
		try {
			putInPlace({ path, temporary, made, old }, maxBytes / 2);
		} finally {
			closeSync(old);
		}
	} finally {
		closeSync(made);
	}
}

/** A cut under way: `made` and `old` are the descriptors of the new file and of the old one. */
interface Cut {
	readonly path: string;
	readonly temporary: string;
	readonly made: number;
	readonly old: number;
}

function putInPlace({ path, temporary, made, old }: Cut, bytesKept: number): void {
	let taken = regular(old).size;
	try {
		const end = readEnd(old, taken, MAX_READ_BYTES + bytesKept);
		const kept = end.subarray(keptFrom(end, bytesKept));
		// After a cut that kept more than usual: else the next line would cut it again. Readers skip it.
		const note = kept.length > bytesKept ? `${JSON.stringify({ step: "kept", bytes: kept.length })}\n` : "";
		const bytes = Buffer.concat([Buffer.from(note), kept]);
		if (writeSync(made, bytes) !== bytes.length) throw new Error("the disk is full");
		taken = copyMore(old, taken, made);
		renameSync(temporary, path);
	} catch (error) {
		unlinkSync(temporary);
		throw error;
	}
	copyMore(old, taken, made);
}

/** Copies what was appended to the old file beyond `taken` bytes; returns how many of its bytes are in the new one now. */
function copyMore(old: number, taken: number, made: number): number {
	for (let now = fstatSync(old).size; now > taken; now = fstatSync(old).size) {
		writeSync(made, readEnd(old, now, now - taken));
		taken = now;
	}
	return taken;
}

function removeStale(temporary: string): void {
	const age = Date.now() - (statSync(temporary, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
	if (age > STALE_MS) unlinkSync(temporary);
}

/** Offset of the first line to keep: within the last `bytes` bytes, or where the group begins that they begin in. */
function keptFrom(journal: Buffer, bytes: number): number {
	const from = journal.indexOf(NEWLINE, Math.max(0, journal.length - bytes - 1)) + 1;
	const id = firstGroup(journal.subarray(from).toString("utf8"));
	const first = id === undefined ? -1 : journal.indexOf(`"group":{"id":${JSON.stringify(id)}`);
	return first === -1 ? from : Math.min(from, journal.lastIndexOf(NEWLINE, first) + 1);
}

/** Id of the first group that a "begin" line belongs to; the group may have begun before. */
function firstGroup(text: string): string | undefined {
	const id = /^\{"step":"begin".*"group":\{"id":("[^"]*")/m.exec(text)?.[1];
	return id === undefined ? undefined : JSON.parse(id);
}

/** How long the file was after the last cut, from its first bytes; 0 if it does not say. */
function lengthAfterCut(start: Buffer): number {
	return Number(/^\{"step":"kept","bytes":(\d{1,15})\}\n/.exec(start.toString("utf8"))?.[1] ?? 0);
}
