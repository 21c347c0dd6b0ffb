import { stat } from "node:fs/promises";
import { TimeSlice } from "../../shared/steps.ts";
import { type FileStamp, NO_STAMP, stampOf } from "../files/file-stamp.ts";
import { explain } from "../files/store-error.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { contentText } from "../format/message-text.ts";
import { parseLine } from "../format/parse.ts";
import { type FileLine, rawLine } from "./line-reader.ts";
import { emptyFacts, fieldsOf, gatherFacts, spokenMessage } from "./list-facts.ts";
import { readLines } from "./read-lines.ts";
import { SessionCheck } from "./session-check.ts";

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
	/** The header's `parentSession`, as written. */
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
		const { parentSession: parentSessionPath, prompt: _, ...fields } = fieldsOf(facts, mtimeMs);
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
		return row(await stampAt(path));
	}
}

async function stampAt(path: string): Promise<FileStamp> {
	try {
		return stampOf(await stat(path));
	} catch {
		// It has been reported already that the file cannot be read.
		return NO_STAMP;
	}
}
