import { TimeSlice } from "../../shared/time-slice.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { DiagnosticList } from "../format/diagnostic-list.ts";
import { parseLine } from "../format/parse.ts";
import type { SessionEntry, SessionHeader } from "../format/schema.ts";
import type { SessionTree } from "../tree/tree.ts";
import { interpretSteps, type ParsedLine } from "./interpret.ts";
import { readLines } from "./read-lines.ts";

/** One session file, read whole. Reading writes nothing. */
export interface Session {
	readonly path: string;
	/** Undefined when the file has none; a missing `id`, `timestamp` or `cwd` is "". */
	readonly header: SessionHeader | undefined;
	/** The file's version, 1 when it tells none; the entries are those of version 3 in any case. */
	readonly version: number;
	/** In file order; every field that their type promises is there, also where the file lacks it. */
	readonly entries: readonly SessionEntry[];
	/** 1-based line by entry id. */
	readonly lines: ReadonlyMap<string, number>;
	readonly tree: SessionTree;
	/** Bytes that were read. */
	readonly size: number;
	/** What was odd, by line. */
	readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a session file for looking at it: nothing is written, whatever is odd becomes a diagnostic, and the event loop
 * has its turn every few milliseconds.
 * Rejects with a `StoreError` when the file cannot be read, and with the signal's reason when aborted.
 */
export async function readSession(path: string, options: { signal?: AbortSignal } = {}): Promise<Session> {
	const { signal } = options;
	const timeSlice = new TimeSlice(signal);
	const diagnostics = new DiagnosticList();
	const lines: ParsedLine[] = [];
	const { size } = await readLines(
		path,
		timeSlice,
		(line) => {
			const value = parseLine(line, diagnostics);
			if (value !== undefined) lines.push({ line: line.number, value });
		},
		signal,
	);
	if (lines.length === 0) reportNothing(size, diagnostics);
	const interpretation = await timeSlice.run(interpretSteps(lines, diagnostics));
	return { path, ...interpretation, size, diagnostics: diagnostics.toArray() };
}

/** For a file without any usable line. */
export function reportNothing(size: number, diagnostics: DiagnosticList): void {
	if (size === 0) diagnostics.add("empty", "damage", "The file is empty; pi does not list it.");
	else diagnostics.add("not-a-session", "damage", "The file has no usable line; it is no pi session.");
}
