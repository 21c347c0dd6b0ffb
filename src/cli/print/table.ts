import { existsSync } from "node:fs";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { originalOf } from "../../store/files/conflict-copy.ts";
import { outputColumns } from "../../terminal/terminal.ts";
import { formatCount } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { enumerate, exitCode, note, printFields, printLines, printProblems, remarkCount } from "./output.ts";

export interface Table<Value> {
	readonly names: readonly string[];
	readonly fieldsOf: (value: Value) => readonly CleanText[];
}

/** Prints a line of tab-separated fields for each value on stdout, for other programs, with `header` below their names. */
export async function printTable<Value>(
	values: readonly Value[],
	{ names, fieldsOf }: Table<Value>,
	header: boolean | undefined,
): Promise<void> {
	if (header) await printFields([names], (all) => all.map((name) => cleanText(name)));
	await printFields(values, fieldsOf);
}

/** Values in the three forms that a command prints them in. */
interface Listing<Value> {
	readonly values: readonly Value[];
	/** For other programs. */
	readonly table: Table<Value>;
	/** For a terminal of that width. */
	readonly linesOf: (columns: number) => readonly Line[];
	/** Prints what `--json` prints. */
	readonly printJson: () => Promise<void>;
}

interface ListingOptions {
	readonly json?: boolean;
	readonly header?: boolean;
}

/** Prints values on stdout: as JSON with `--json`, else as lines of a terminal's width, or as a table for other programs. */
export function printListing<Value>(
	{ values, table, linesOf, printJson }: Listing<Value>,
	{ json, header }: ListingOptions,
): Promise<void> {
	if (json) return printJson();
	const columns = outputColumns();
	return columns === undefined ? printTable(values, table, header) : printLines(linesOf(columns));
}

/** A listing of what a command found, of which `values` are the first. */
interface CountedListing<Value> extends Listing<Value> {
	readonly total: number;
	/** The sum, for a person. `few`: ", 20 shown" if only some are, else "". */
	readonly sum: (few: string) => string;
	readonly problems?: readonly CatalogProblem[];
	/** What could not be read, in one sentence each. */
	readonly unread?: readonly string[];
	/** Further sentences for stderr. */
	readonly notes?: readonly string[];
}

/** Prints such a listing, and on stderr what it lacks and the sum; returns the exit code. */
export async function printCounted<Value>(listing: CountedListing<Value>, options: ListingOptions): Promise<number> {
	const { values, total, sum, problems = [], unread = [], notes = [] } = listing;
	await printListing(listing, options);
	printProblems(problems);
	for (const sentence of [...unread, ...notes]) note(sentence);
	const few = values.length < total ? `, ${formatCount(values.length)} shown` : "";
	remarkCount(sum(few), few !== "", options.json);
	return exitCode(total, unread, problems);
}

/**
 * "(also in mini) (a conflict copy) " before what follows on a terminal, for a session that is in several places, or whose file is a copy of
 * another session's.
 */
export function copiesSpans(row: SessionRow): Line {
	const { path, alsoIn } = row;
	const notes = [
		...(alsoIn === undefined ? [] : [`also in ${enumerate(alsoIn)}`]),
		...(originalOf(path, existsSync) === undefined ? [] : ["a conflict copy"]),
	];
	return notes.map((text) => span(cleanText(`(${text}) `), "muted"));
}

/** An id as a field of a line; "-" for none. */
export function idOf(id: string): CleanText {
	return sanitizeLine(id) || cleanText("-");
}

/** Characters of a short id, at least: those of one of pi's ids that say within a minute when it was created. */
const SHORT_ID = 8;

/** As much of each of these ids as distinguishes it from the others, for a terminal. */
export function shortIds(ids: Iterable<string>): (id: string) => CleanText {
	const all = [...new Set(ids)].sort();
	// In the order of the alphabet, those that have most in common are beside each other.
	const common = all.map((id, at) =>
		Math.max(...[at - 1, at + 1].map((beside) => commonLength(id, all[beside] ?? ""))),
	);
	const lengths = new Map(all.map((id, at) => [id, Math.max(SHORT_ID, (common[at] ?? 0) + 1)]));
	return (id) => cleanText(idOf(id).slice(0, lengths.get(id) ?? SHORT_ID));
}

function commonLength(one: string, other: string): number {
	let length = 0;
	while (length < one.length && one[length] === other[length]) length += 1;
	return length;
}

/** A path as a field of a line: safe to print, and otherwise unchanged, so that it can be copied. */
export function onOneLine(path: string): CleanText {
	return cleanText(path.replaceAll("\n", "\u240a"));
}
