import { runToEnd, TimeSlice } from "../../shared/steps.ts";
import { type Diagnostic, DiagnosticList } from "../format/diagnostic.ts";
import { parseLine } from "../format/parse.ts";
import type { SessionEntry, SessionHeader } from "../format/schema.ts";
import type { SessionTree } from "../tree/tree.ts";
import { noteEnd } from "./extend-session.ts";
import { interpretSteps, type ParsedLine } from "./interpret.ts";
import { rawLine } from "./line-reader.ts";
import { sniffLine } from "./outline.ts";
import { readLines, readLinesSync } from "./read-lines.ts";

/** One session file, read whole. Reading writes nothing. */
export interface Session {
	readonly path: string;
	/** Undefined if the file has none; a missing `id`, `timestamp` or `cwd` is "". */
	readonly header: SessionHeader | undefined;
	/** The file's version, 1 if it has none; the entries are always those of version 3. */
	readonly version: number;
	/** In file order; every field that their type promises is present, even if the file lacks it. */
	readonly entries: readonly SessionEntry[];
	/** 1-based line by entry id. */
	readonly lines: ReadonlyMap<string, number>;
	readonly tree: SessionTree;
	/** Bytes that were read. */
	readonly size: number;
	/** Oddities, by line. */
	readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a session file to show it: nothing is written, oddities become diagnostics, and the event loop runs
 * every few milliseconds.
 * Rejects with a `StoreError` when the file cannot be read, and with the signal's reason when aborted.
 */
export async function readSession(path: string, options: { signal?: AbortSignal } = {}): Promise<Session> {
	const { signal } = options;
	const timeSlice = new TimeSlice(signal);
	const diagnostics = new DiagnosticList();
	const lines: ParsedLine[] = [];
	let count = 0;
	const { size, dev, ino, end } = await readLines(
		path,
		timeSlice,
		(line, number) => {
			count = number;
			const raw = rawLine(line, number);
			const value = parseLine(raw, diagnostics) ?? sniffLine(raw);
			if (value !== undefined) lines.push({ line: number, value });
		},
		signal,
	);
	const interpretation = await timeSlice.run(interpretSteps(lines, size, diagnostics));
	const session: Session = { path, ...interpretation, size, diagnostics: diagnostics.toArray() };
	noteEnd(session, { dev, ino, lines: count, end });
	return session;
}

/** Like `readSession`, for a caller that may block its thread and reads many small files. Throws a `StoreError`. */
export function readSessionSync(path: string): Session {
	const diagnostics = new DiagnosticList();
	const lines: ParsedLine[] = [];
	const size = readLinesSync(path, (line) => {
		const value = parseLine(line, diagnostics) ?? sniffLine(line);
		if (value !== undefined) lines.push({ line: line.number, value });
	});
	const interpretation = runToEnd(interpretSteps(lines, size, diagnostics));
	return { path, ...interpretation, size, diagnostics: diagnostics.toArray() };
}
