import { writeSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import { isIndexPath } from "../../catalog/model/session-roots.ts";
import { textBatches } from "../../shared/steps.ts";
import { thisSystem } from "../../shared/system.ts";
import { explain, isFileError, StoreError, storeError } from "../../store/files/store-error.ts";
import { BUG_CODE } from "../../terminal/exit-signals.ts";
import { isDevice, isDumb } from "../../terminal/terminal.ts";
import { formatCount } from "../../ui/text/format.ts";
import type { Line } from "../../ui/text/line.ts";
import { type CleanText, cleanLines, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { type JsonText, jsonItem, jsonText } from "./json.ts";
import { type PaintedRow, paint, paintRow } from "./paint.ts";

/*
 * All output of the commands goes through here, so that no text from a file or an argument reaches the terminal unsanitized:
 * lines are clean by their type, other texts are cleaned, and JSON is escaped.
 */

/** Exit codes: the same as grep's, and one of `sysexits.h`. */
export const EXIT = {
	ok: 0,
	/** Everything was read, and nothing was found. */
	nothing: 1,
	/** The command line is wrong, or the command failed. */
	failed: 2,
	bug: BUG_CODE,
} as const;

/**
 * The exit code of a search with this number of results. Without a result, it has failed if something could not be read (`unread`,
 * `problems`): the result may be there. A problem with the index hides nothing.
 */
export function exitCode(count: number, unread: readonly unknown[], problems: readonly CatalogProblem[]): number {
	if (count > 0) return EXIT.ok;
	return unread.length > 0 || problems.some(({ path }) => !isIndexPath(path)) ? EXIT.failed : EXIT.nothing;
}

/**
 * How stdout is written, once `endWithPipe` was called: "directly", as long as that works, or by a stream. Common to all of the
 * program, which has a copy of this module in each group of commands.
 */
const HOW = Symbol.for("pi-grove.output");

function howToWrite(): unknown {
	return Reflect.get(globalThis, HOW);
}

/**
 * Makes the program end when its output cannot be written: silently if the reader of a pipe has ended, because
 * `pi-grove list | head` is not an error, otherwise with the reason.
 */
export function endWithPipe(): void {
	// To load Node's streams takes longer than to print a page of help. A console of Windows takes only what they write,
	// and the output of a thread is not that of the process.
	if (howToWrite() === undefined)
		Reflect.set(globalThis, HOW, !thisSystem.isUnix || !isMainThread ? "by a stream" : "directly");
}

/** The stream, with this listener for its errors once `endWithPipe` was called. */
function listening(stream: NodeJS.WriteStream, onError: (error: NodeJS.ErrnoException) => void): NodeJS.WriteStream {
	if (howToWrite() === undefined || stream.listeners("error").includes(onError)) return stream;
	return stream.on("error", onError);
}

function failOnOutput(error: NodeJS.ErrnoException): void {
	if (error.code === "EPIPE") process.exit(EXIT.ok);
	note(`cannot write the output: ${explain(error)}`);
	process.exit(EXIT.failed);
}

function errorStream(): NodeJS.WriteStream {
	return listening(process.stderr, ignore);
}

function ignore(): void {
	// There is nowhere else to say that stderr cannot be written.
}

/**
 * Writes to stdout at once, as Node's stream does, too, for files and pipes; returns what could not be written, which a stream
 * must wait for or report.
 */
function writeDirectly(text: string | Uint8Array): Uint8Array | undefined {
	const bytes = Buffer.from(text);
	let written = 0;
	try {
		while (written < bytes.length) written += writeSync(1, bytes, written);
		return undefined;
	} catch {
		Reflect.set(globalThis, HOW, "by a stream");
		return bytes.subarray(written);
	}
}

/** Prints rows of a conversation, with their backgrounds at full width. */
export function printRows(rows: readonly PaintedRow[], width: number): Promise<void> {
	return write(rows.map((row) => `${paintRow(row, width)}\n`).join(""));
}

/** Prints lines on stdout; resolves when they have been written, so that slow readers are waited for. */
export function printLines(lines: readonly Line[]): Promise<void> {
	return write(lines.map((line) => `${paint(line)}\n`).join(""));
}

/** Rows that are formatted and printed at once: the text of all might take several times the memory of the values. */
const ROWS_AT_ONCE = 1000;

/** Prints a line of tab-separated fields for each value on stdout. */
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
	if (values.length === 0) return printJsonText(jsonText([]));
	for (let start = 0; start < values.length; start += ROWS_AT_ONCE) {
		const some = values.slice(start, start + ROWS_AT_ONCE);
		await printJsonText(...some.map((value, index) => jsonItem(jsonOf(value), start + index, values.length)));
	}
}

export function printText(text: string): Promise<void> {
	return write(cleanLines(text).join("\n"));
}

/** Prints a path on stdout: unchanged for another program, sanitized on a terminal. */
export function printPath(path: string): Promise<void> {
	return write(`${process.stdout.isTTY ? cleanText(path) : path}\n`);
}

/** Prints a text of any length on stdout as it is produced: unchanged for another program, sanitized on a terminal. */
export async function printPieces(pieces: Iterable<string>): Promise<void> {
	for await (const text of textBatches(pieces)) await (process.stdout.isTTY ? printText(text) : write(text));
}

export function printBytes(bytes: Uint8Array): Promise<void> {
	return write(bytes);
}

/** Prints JSON texts on stdout, one after the other. */
export function printJsonText(...json: readonly JsonText[]): Promise<void> {
	return write(json.join(""));
}

/** Takes the output while it is open: a pager. */
interface Redirection {
	write(text: string): Promise<void>;
	/** Takes a line for stderr; false if it is to be printed now. */
	hold(line: string): boolean;
}

let redirection: Redirection | undefined;

/** Sends all further output elsewhere, or with undefined again to stdout and stderr. */
export function redirect(to: Redirection | undefined): void {
	redirection = to;
}

function write(text: string | Uint8Array): Promise<void> {
	if (redirection !== undefined && typeof text === "string" && text !== "") return redirection.write(text);
	const rest = howToWrite() === "directly" ? writeDirectly(text) : text;
	if (rest === undefined) return Promise.resolve();
	// Errors are handled by the listener above.
	return new Promise((resolve) => listening(process.stdout, failOnOutput).write(rest, () => resolve()));
}

/** Keeps the problems of a listing, which reports all present ones each time; `printProblems` prints them in the end. */
export function keepProblems() {
	let problems: readonly CatalogProblem[] = [];
	const onProblems = (now: readonly CatalogProblem[]): void => {
		problems = now;
	};
	return { onProblems, lastProblems: () => problems };
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
	const line = cleanText(text);
	if (redirection?.hold(line) !== true) errorStream().write(`${line}\n`);
}

/**
 * Prints a line on stderr if a person reads it there, such as a count or a hint; other programs have the output itself.
 * `isNeeded`: always, because it says that something was cut off.
 */
export function remarkToPerson(text: string, isNeeded = false): void {
	if (isNeeded || (isDevice(2) && process.stderr.isTTY)) remark(text);
}

/** Prints how many there are on stderr, for a person; with `--json` only if some were cut off. */
export function remarkCount(text: string, isCut: boolean, json = false): void {
	if (!json || isCut) remarkToPerson(text, isCut);
}

/** Whether an agent runs this, and no person is at the keyboard. */
export function isRunByAgent(): boolean {
	const { PI_CODING_AGENT, AI_AGENT } = process.env;
	return !process.stdin.isTTY && Boolean(PI_CODING_AGENT || AI_AGENT);
}

/** Prints a question on stderr, without a line end. */
export function printQuestion(text: string): void {
	errorStream().write(cleanText(text));
}

/** Sends an escape sequence that draws nothing, such as for the clipboard, if stderr is a terminal that supports it. */
export function sendSequence(sequence: string): void {
	if (process.stderr.isTTY && !isDumb()) process.stderr.write(sequence);
}

/** Reports a bug on stderr: a line, and the stack below it. */
export function printBug(message: string, error: unknown): void {
	const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
	note(message);
	errorStream().write(`${cleanLines(stack).join("\n")}\n`);
}

/**
 * Reports in one line what ended a command, and ends the program: a file that is gone, locked or broken with the code of a failure, any
 * other error with one that is no answer, and with `PI_GROVE_LOG` with its stack. `what`: the command line up to its words.
 */
export function endWithError(what: string, error: unknown): never {
	if (isFileError(error)) {
		note(`${what} failed: ${error instanceof StoreError ? error.message : fileErrorText(error)}`);
		process.exit(EXIT.failed);
	}
	const message = `an unexpected error ended ${what}: ${String(error)}. This is a bug:`;
	if (process.env.PI_GROVE_LOG) printBug(`${message} please report it, with these lines:`, error);
	else note(`${message} please run it again with PI_GROVE_LOG set, and send what it prints`);
	process.exit(EXIT.bug);
}

/** "Cannot scandir: permission was denied (EACCES). Path: /x". */
function fileErrorText(error: Error & NodeJS.ErrnoException): string {
	const { syscall = "use a file", path = "unknown" } = error;
	return storeError(path, syscall, error).message;
}

/**
 * Why a command cannot do what was requested, in one line for stderr: a word names nothing or is ambiguous, options contradict each
 * other, something cannot be read. Ends the command (`main.ts`).
 */
export class Mistake extends Error {
	/** Of an ambiguous word: what it may mean, one line each. Called only when they are printed. */
	readonly candidates: () => readonly string[];

	constructor(message: string, candidates: () => readonly string[] = () => []) {
		super(message);
		this.name = "Mistake";
		this.candidates = candidates;
	}
}

/** By its name, since each group of commands in the bundle has a copy of the class. */
export function isMistake(error: unknown): error is Mistake {
	return error instanceof Error && error.name === "Mistake";
}

/** The result of work. An error of this kind becomes a mistake: its message alone ends the command. */
export async function orMistake<Result>(
	work: Promise<Result>,
	kind: new (...details: never[]) => Error,
): Promise<Result> {
	try {
		return await work;
	} catch (error) {
		throw error instanceof kind && !isMistake(error) ? new Mistake(error.message) : error;
	}
}

const MOST_CANDIDATES = 10;

/** Candidates, one line each; behind the first ones only how many more there are. */
export function candidateLines<Value>(matches: readonly Value[], lineOf: (one: Value) => string): string[] {
	const lines = matches.slice(0, MOST_CANDIDATES).map(lineOf);
	const more = matches.length - lines.length;
	return more === 0 ? lines : [...lines, `and ${formatCount(more)} more`];
}

/** Prints a mistake on stderr, with its candidates below; throws any other error. Returns the exit code. */
export function failWith(error: unknown): number {
	if (!isMistake(error)) throw error;
	note(error.message);
	for (const candidate of error.candidates()) remark(`  ${candidate}`);
	return EXIT.failed;
}

/** Joins names for a sentence: "list, search and stats". The formatter is created only here: it takes 10 ms. */
export function enumerate(names: readonly string[]): string {
	return new Intl.ListFormat("en-GB").format(names);
}

/** Where the note is printed, e.g. `process.stderr`. */
interface Screen {
	readonly isTTY?: boolean;
	write(text: string): unknown;
}

/** How often the text is updated. */
const INTERVAL_MS = 500;

/** Awaits a promise; on a terminal that can erase it, shows a note after `delayMs` and removes it at the end. */
export async function withProgressNote<Result>(
	promise: Promise<Result>,
	text: () => string,
	screen: Screen = process.stderr,
	delayMs = 1000,
): Promise<Result> {
	if (!screen.isTTY || isDumb()) return promise;
	let isShown = false;
	const show = (): void => {
		screen.write(`\r\x1b[K${cleanText(text())}`);
		isShown = true;
		timer = setTimeout(show, INTERVAL_MS);
	};
	let timer = setTimeout(show, delayMs);
	try {
		return await promise;
	} finally {
		clearTimeout(timer);
		if (isShown) screen.write("\r\x1b[K");
	}
}
