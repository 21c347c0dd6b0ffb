import { textBatches } from "../../app/world/effects/text-batches.ts";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import { explain } from "../../store/files/store-error.ts";
import { isDumb } from "../../terminal/terminal.ts";
import { type CleanText, cleanLines, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import type { Line } from "../../ui/view.ts";
import { EXIT } from "./exit-code.ts";
import { type JsonText, jsonItem, jsonLines } from "./json.ts";
import { type PaintedRow, paint, paintRow } from "./paint.ts";

/*
 * Everything that the commands print goes through here, so that no text reaches the terminal as it is in a file or in an
 * argument: lines are clean by their type, other texts are cleaned, and JSON is escaped.
 */

/** Why nothing is drawn on a dumb terminal: what follows "the browser". */
export const ON_DUMB_TERMINAL =
	"needs a terminal that takes escape sequences, and TERM=dumb says that this one does not. If it does, set TERM to its type, such as xterm-256color.";

let isEnding = false;

/**
 * Ends the program when what it prints cannot be written: quietly when the reader of a pipe has ended, because
 * `pi-grove list | head` is not an error, else with the reason.
 */
export function endWithPipe(): void {
	if (isEnding) return;
	isEnding = true;
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code === "EPIPE") process.exit(EXIT.ok);
		note(`cannot write the output: ${explain(error)}`);
		process.exit(EXIT.failed);
	});
	// There is nowhere else to say that stderr cannot be written.
	process.stderr.on("error", () => undefined);
}

/** Prints rows of a conversation, what they stand on from end to end. */
export function printRows(rows: readonly PaintedRow[], width: number): Promise<void> {
	return write(rows.map((row) => `${paintRow(row, width)}\n`).join(""));
}

/** Prints lines on stdout; resolves when they have been written, so that slow readers are waited for. */
export function printLines(lines: readonly Line[]): Promise<void> {
	return write(lines.map((line) => `${paint(line)}\n`).join(""));
}

/** Rows that are made and printed at once: the text of all may take several times the memory of what it is made from. */
const ROWS_AT_ONCE = 1000;

/** Prints a row of fields for each value on stdout, a tab between them, for other programs. */
export async function printFields<Value>(
	values: readonly Value[],
	fieldsOf: (value: Value) => readonly CleanText[],
): Promise<void> {
	for (let start = 0; start < values.length; start += ROWS_AT_ONCE) {
		const some = values.slice(start, start + ROWS_AT_ONCE);
		await write(some.map((value) => `${fieldsOf(value).join("\t")}\n`).join(""));
	}
}

/** Prints a JSON array on stdout, one value per line. */
export async function printJsonList<Value>(
	values: readonly Value[],
	jsonOf: (value: Value) => unknown = (value) => value,
): Promise<void> {
	if (values.length === 0) return printJsonText(jsonLines([]));
	for (let start = 0; start < values.length; start += ROWS_AT_ONCE) {
		const some = values.slice(start, start + ROWS_AT_ONCE);
		await printJsonText(...some.map((value, index) => jsonItem(jsonOf(value), start + index, values.length)));
	}
}

/** Prints a text of several lines on stdout. */
export function printText(text: string): Promise<void> {
	return write(cleanLines(text).join("\n"));
}

/** Prints a path on stdout for another program: every character as it is, and made safe only where a terminal shows it. */
export function printPath(path: string): Promise<void> {
	return write(`${process.stdout.isTTY ? cleanText(path) : path}\n`);
}

/** Prints a text of any length on stdout as it is made, for another program; made safe only where a terminal shows it. */
export async function printPieces(pieces: Iterable<string>): Promise<void> {
	for await (const text of textBatches(pieces)) await (process.stdout.isTTY ? printText(text) : write(text));
}

/** Prints JSON on stdout, one text behind the other. */
export function printJsonText(...json: readonly JsonText[]): Promise<void> {
	return write(json.join(""));
}

function write(text: string): Promise<void> {
	// Errors are handled by the listener above.
	return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

/** Prints problems on stderr, one per line. */
export function printProblems(problems: readonly CatalogProblem[]): void {
	for (const { message } of problems) note(message);
}

/** Prints one line on stderr, with the program's name. */
export function note(message: string): void {
	remark(`pi-grove: ${sanitizeLine(message)}`);
}

/** Prints one line on stderr. */
export function remark(text: string): void {
	process.stderr.write(`${cleanText(text)}\n`);
}

/** Prints what is asked on stderr; the answer is typed behind it. */
export function printQuestion(text: string): void {
	process.stderr.write(cleanText(text));
}

/** Sends a sequence that draws nothing, for the clipboard, to the terminal, if stderr is one that takes it. */
export function sendSequence(sequence: string): void {
	if (process.stderr.isTTY && !isDumb()) process.stderr.write(sequence);
}

/** Prints a bug on stderr: a line, and the stack below it. */
export function printBug(message: string, error: unknown): void {
	const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
	note(message);
	process.stderr.write(`${cleanLines(stack).join("\n")}\n`);
}
