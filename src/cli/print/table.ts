import { existsSync } from "node:fs";
import type { SessionRow } from "../../catalog/model/row.ts";
import { originalOf } from "../../store/files/conflict-copy.ts";
import { outputColumns } from "../../terminal/terminal.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { enumerate, printFields, printLines } from "./output.ts";

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

/** Prints values on stdout: as lines of a terminal's width, or as a table for other programs. */
export function printListing<Value>(
	values: readonly Value[],
	table: Table<Value>,
	header: boolean | undefined,
	linesOf: (columns: number) => readonly Line[],
): Promise<void> {
	const columns = outputColumns();
	return columns === undefined ? printTable(values, table, header) : printLines(linesOf(columns));
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

/** The characters of one of pi's ids that encode its creation time in milliseconds. */
const SHORT_ID = 13;

/** As much of these ids as distinguishes them, for a terminal: of sessions that were begun in the same millisecond more than of others. */
export function shortIds(ids: Iterable<string>): (id: string) => CleanText {
	const all = [...new Set(ids)].sort();
	// In the order of the alphabet, those that have most in common are beside each other.
	const common = all.reduce((most, id, at) => Math.max(most, commonLength(id, all[at - 1] ?? "")), 0);
	const length = common < SHORT_ID ? SHORT_ID : common + 1;
	return (id) => cleanText(idOf(id).slice(0, length));
}

function commonLength(one: string, other: string): number {
	let length = 0;
	while (length < one.length && one[length] === other[length]) length += 1;
	return length;
}

/** As much of an id as distinguishes sessions, for a terminal. */
export function shortId(id: string): CleanText {
	return cleanText(idOf(id).slice(0, SHORT_ID));
}

/** A path as a field of a line: safe to print, and otherwise unchanged, so that it can be copied. */
export function onOneLine(path: string): CleanText {
	return cleanText(path.replaceAll("\n", "\u240a"));
}
