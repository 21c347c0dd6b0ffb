import { stat } from "node:fs/promises";
import { TimeSlice } from "../../shared/time-slice.ts";
import { explain } from "../files/store-error.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { DiagnosticList } from "../format/diagnostic-list.ts";
import { parseLine } from "../format/parse.ts";
import { InfoCollector } from "./info-collector.ts";
import { interpretSteps } from "./interpret.ts";
import { readLines } from "./read-lines.ts";
import { reportNothing } from "./read-session.ts";

/** What a list shows of one session; the fields and their rules are pi's. */
export interface SessionInfo {
	/** Absolute path of the file. */
	path: string;
	/** From the header; "" where there is none. */
	id: string;
	/** From the header; "" where there is none. */
	cwd: string;
	/** The last `session_info` name, trimmed; absent when never set or cleared. */
	name?: string | undefined;
	/** The header's `parentSession`, as written. */
	parentSessionPath?: string | undefined;
	/** The header's time; without one, the file's. */
	created: Date;
	/** Time of the last user or assistant message; without one, the header's; without that, the file's. */
	modified: Date;
	/** All `message` entries, of all branches and all roles. */
	messageCount: number;
	/** Text of the first user message that has any. */
	firstMessage: string;
	/** Text of all user and assistant messages, joined by blanks. */
	allMessagesText: string;
}

/** One list row: pi's fields, the file's size in bytes, and what was odd about it. */
export interface SessionInfoRow extends SessionInfo {
	/** "" where the session has no user message with text. */
	firstMessage: string;
	size: number;
	diagnostics: readonly Diagnostic[];
}

/**
 * Reads what a list shows of one file. Any file gives a row: what is wrong with it, up to not being readable at all,
 * is in the row's diagnostics. Rejects only when aborted, with the signal's reason.
 */
export async function readSessionInfo(path: string, options: { signal?: AbortSignal } = {}): Promise<SessionInfoRow> {
	const { signal } = options;
	const timeSlice = new TimeSlice(signal);
	const diagnostics = new DiagnosticList();
	const collector = new InfoCollector();
	try {
		const facts = await readLines(
			path,
			timeSlice,
			(line) => {
				const value = parseLine(line, diagnostics);
				if (value !== undefined) collector.add(value, line.number, diagnostics);
			},
			signal,
		);
		if (collector.skeleton.length === 0) reportNothing(facts.size, diagnostics);
		await timeSlice.run(interpretSteps(collector.skeleton, diagnostics));
		return { path, ...collector.info(facts.modified), size: facts.size, diagnostics: diagnostics.toArray() };
	} catch (error) {
		signal?.throwIfAborted();
		diagnostics.add("unreadable", "damage", error instanceof Error ? error.message : explain(error));
		const { size, modified } = await factsOf(path);
		return { path, ...collector.info(modified), size, diagnostics: diagnostics.toArray() };
	}
}

async function factsOf(path: string): Promise<{ size: number; modified: Date }> {
	try {
		const { size, mtime } = await stat(path);
		return { size, modified: mtime };
	} catch {
		// That the file cannot be read has been told already; there is nothing more to know of it.
		return { size: 0, modified: new Date(0) };
	}
}
