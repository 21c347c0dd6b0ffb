import { Breather, runStepsPolitely } from "../../shared/steps.ts";
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
	/** The file's version, 1 when it has none; the entries are always those of version 3. */
	readonly version: number;
	/** In file order; every field that their type promises is present, even where the file lacks it. */
	readonly entries: readonly SessionEntry[];
	/** 1-based line by entry id. */
	readonly lines: ReadonlyMap<string, number>;
	readonly tree: SessionTree;
	/** Bytes that were read. */
	readonly size: number;
	/** What was odd, in the order of the lines. */
	readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a session file to show it: nothing is written, whatever is odd becomes a diagnostic, and the event loop runs
 * every few milliseconds.
 * Rejects with a `StoreError` when the file cannot be read, and with the signal's reason when aborted.
 */
export async function readSession(path: string, options: { signal?: AbortSignal } = {}): Promise<Session> {
	const { signal } = options;
	const breather = new Breather(signal);
	const diagnostics = new DiagnosticList();
	const lines: ParsedLine[] = [];
	const { size } = await readLines(
		path,
		breather,
		(line) => {
			const value = parseLine(line, diagnostics);
			if (value !== undefined) lines.push({ line: line.number, value });
		},
		signal,
	);
	const interpretation = await runStepsPolitely(interpretSteps(lines, size, diagnostics), breather);
	return { path, ...interpretation, size, diagnostics: diagnostics.toArray() };
}
