import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { errorCode } from "../../store/files/store-error.ts";
import { PatternError, type Ripgrep, RipgrepError } from "./find-ripgrep.ts";
import type { RawPattern } from "./raw-pattern.ts";

/** A line that matches a pattern. */
export interface RawLine {
	/** 1-based. */
	readonly number: number;
	/** Offset of its first byte in the file. */
	readonly offset: number;
	/** What its first bytes show it to be, in pi's own key order. */
	readonly source: LineSource;
	/**
	 * The whole line, or something else in place of a longer one than asked for, with a character for each byte; undefined unless
	 * asked for. `textOf` is its text.
	 */
	readonly bytes?: string;
}

/** The text in UTF-8 of a string with a character for each byte. */
export function textOf(bytes: string): string {
	return BEYOND_ASCII.test(bytes) ? Buffer.from(bytes, "latin1").toString() : bytes;
}

const BEYOND_ASCII = /[\x80-\xff]/;

/** What the person said; names, labels and summaries; answers; the output of a tool; other messages. */
export type LineSource = "person" | "note" | "answer" | "output" | "message";

/** The matching lines of one file. */
export interface RawMatch {
	readonly path: string;
	/** In file order, up to the limit. */
	readonly lines: readonly RawLine[];
}

export interface GrepOptions {
	/** A line counts if it matches any of them. All must be for the same engine. */
	readonly patterns: readonly RawPattern[];
	/** Absolute paths. */
	readonly paths: readonly string[];
	/** Largest number of lines per file. @default all */
	readonly limit?: number | undefined;
	/** Lines of at most this many bytes are wanted with their texts. @default no texts */
	readonly wholeBytes?: number | undefined;
	/** Kills ripgrep; the generator then throws the signal's reason. */
	readonly signal: AbortSignal;
	/** Called when the process has started, and when it has ended. */
	readonly onProcess?: ((pid: number, running: boolean) => void) | undefined;
	/** Gets the files that exist but cannot be read. */
	readonly onUnreadable?: ((paths: readonly string[]) => void) | undefined;
}

/**
 * The switches: the user's settings and ignore files do not apply, every byte is searched, and a line's number and offset are
 * printed, with its first characters (`BEGINNINGS`) or as a whole. Memory-mapped files would crash ripgrep if they were truncated meanwhile.
 */
const SWITCHES =
	"--no-config --no-ignore --hidden --no-unicode --ignore-case --text --encoding=none --no-mmap --with-filename --null --no-heading --color=never --line-number --byte-offset";
const BEGINNINGS = ["--max-columns=160", "--max-columns-preview"];

const MESSAGE = '{"type":"message",';
const PERSON = ',"message":{"role":"user",';
const ANSWER = ',"message":{"role":"assistant",';
const OUTPUT = ',"message":{"role":"toolResult",';

/**
 * Runs ripgrep over the files; yields the lines of each file in no particular order. Throws a `RipgrepError`: after a
 * `PatternError`, lines that were yielded are right, but others may be missing.
 */
export async function* grep(ripgrep: Ripgrep, options: GrepOptions): AsyncGenerator<RawMatch> {
	const { patterns, paths, limit, wholeBytes, signal } = options;
	signal.throwIfAborted();
	const engine = patterns.map(({ engine }) => `--engine=${engine}`)[0] ?? "--engine=default";
	const limits = limit === undefined ? [] : [`--max-count=${limit}`];
	const columns = wholeBytes === undefined ? BEGINNINGS : [`--max-columns=${wholeBytes}`];
	const args = [
		...SWITCHES.split(" "),
		...columns,
		engine,
		...limits,
		...patterns.map(({ source }) => `--regexp=${source}`),
		"--",
	];
	const child = spawn(ripgrep.command, [...args, ...paths], { stdio: ["ignore", "pipe", "pipe"] });
	const { pid } = child;
	if (pid !== undefined) options.onProcess?.(pid, true);
	const ended = endOf(child);
	const kill = () => child.kill("SIGKILL");
	signal.addEventListener("abort", kill, { once: true });
	try {
		const matches = readMatches(child.stdout, pathsByBytes(paths), wholeBytes !== undefined);
		let next = await matches.next();
		for (; !next.done; next = await matches.next()) {
			yield next.value;
			signal.throwIfAborted();
		}
		const rest = next.value;
		const { code, killed, error, stderr } = await ended;
		signal.throwIfAborted();
		if (error) throw new RipgrepError(`Cannot start ripgrep (${ripgrep.command}): ${error.message}.`);
		if (killed) throw new RipgrepError(`ripgrep was killed during the search (${killed}); search again.`);
		if (code === 2) explainFailure(stderr, options);
		else if (code !== 0 && code !== 1) throw new RipgrepError(`ripgrep failed (exit ${code})${quoted(stderr)}.`);
		if (rest !== "") throw unexpectedOutput(textOf(rest));
	} finally {
		signal.removeEventListener("abort", kill);
		kill();
		child.stdout.destroy();
		// A process must never outlive its generator.
		await ended;
		if (pid !== undefined) options.onProcess?.(pid, false);
		signal.throwIfAborted();
	}
}

/** Matches of a ripgrep that runs already. */
export interface StartedGrep {
	/** All matches; throws as `grep` does. To be read once. */
	readonly matches: AsyncIterable<RawMatch>;
	/** Ends ripgrep if the matches are not needed; resolves when it has ended. */
	stop(): Promise<void>;
}

/** Like `grep`, but starts ripgrep at once and remembers the matches until they are read: for patterns that match few lines. */
export function startGrep(ripgrep: Ripgrep, options: GrepOptions): StartedGrep {
	const stopping = new AbortController();
	const signal = AbortSignal.any([options.signal, stopping.signal]);
	const ended = (async () => {
		const found: RawMatch[] = [];
		try {
			for await (const match of grep(ripgrep, { ...options, signal })) found.push(match);
			return { found, error: undefined };
		} catch (error) {
			return { found, error };
		}
	})();
	return {
		matches: (async function* () {
			const { found, error } = await ended;
			yield* found;
			if (error !== undefined) throw error;
		})(),
		async stop() {
			stopping.abort();
			await ended;
		},
	};
}

interface End {
	readonly code: number | null;
	readonly killed: NodeJS.Signals | null;
	readonly error: Error | undefined;
	readonly stderr: string;
}

/** More than is ever shown of an error message, in characters. */
const MAX_STDERR = 4096;

function endOf(child: ChildProcess): Promise<End> {
	let stderr = "";
	let error: Error | undefined;
	child.stderr?.setEncoding("utf8").on("data", (text: string) => {
		if (stderr.length < MAX_STDERR) stderr += text;
	});
	child.on("error", (failure) => {
		error = failure;
	});
	return new Promise((resolve) => {
		child.on("close", (code, killed) => resolve({ code, killed, error, stderr }));
	});
}

/**
 * Ignores deleted files and reports others that cannot be read; anything else is an error, a `PatternError` if another pattern
 * may work.
 */
function explainFailure(stderr: string, { paths, onUnreadable }: GrepOptions): void {
	const unreadable: string[] = [];
	let gone = 0;
	for (const path of paths) {
		try {
			accessSync(path, constants.R_OK);
		} catch (error) {
			if (errorCode(error) === "ENOENT") gone += 1;
			else unreadable.push(path);
		}
	}
	if (unreadable.length > 0) onUnreadable?.(unreadable);
	if (PATTERN_FAILURE.test(stderr)) throw new PatternError(`ripgrep failed${quoted(stderr)}.`);
	if (unreadable.length === 0 && gone === 0) throw new RipgrepError(`ripgrep failed${quoted(stderr)}.`);
}

/** ripgrep's message if a pattern is too large or takes too long, or an engine reached one of its limits. */
const PATTERN_FAILURE = /: PCRE2: |^(?:rg: )?(?:regex parse error|compiled regex exceeds)/m;

function quoted(stderr: string): string {
	const [first = ""] = stderr.trim().split("\n");
	return first === "" ? "" : `: ${first.replace(/^rg: /, "").slice(0, 300)}`;
}

/** Paths by their bytes in UTF-8, with a character for each byte. */
function pathsByBytes(paths: readonly string[]): ReadonlyMap<string, string> {
	return new Map(paths.map((path) => [Buffer.from(path).toString("latin1"), path]));
}

/**
 * Reads `path NUL number:offset:beginning LF …`, all lines of a file together; returns what follows the last LF. A character for each
 * byte: decoding all of it as UTF-8 would take as long as parsing it.
 */
async function* readMatches(
	stdout: AsyncIterable<Buffer>,
	known: ReadonlyMap<string, string>,
	withBytes: boolean,
): AsyncGenerator<RawMatch, string> {
	let rest = "";
	let [of, path]: [string?, string?] = [];
	let lines: RawLine[] = [];
	for await (const chunk of stdout) {
		const text = rest + chunk.toString("latin1");
		let at = 0;
		for (;;) {
			// A path may contain newlines, so a record ends at the first one after its NUL.
			const nul = text.indexOf("\0", at);
			const end = nul === -1 ? -1 : text.indexOf("\n", nul);
			if (end === -1) break;
			const [numbers, number, offset] = /^(\d+):(\d+):/.exec(text.slice(nul + 1, Math.min(end, nul + 50))) ?? [];
			const next = text.slice(at, nul);
			if (numbers === undefined || offset === undefined) throw unexpectedOutput(textOf(next));
			if (next !== of) {
				if (path !== undefined) yield { path, lines };
				[of, path] = [next, known.get(next)];
				if (path === undefined) throw unexpectedOutput(textOf(next));
				lines = [];
			}
			const line = { number: Number(number), offset: Number(offset) };
			const whole = withBytes ? { bytes: text.slice(nul + 1 + numbers.length, end) } : undefined;
			lines.push({ ...line, source: sourceOf(text.slice(nul, Math.min(end, nul + MOST_BEGINNING))), ...whole });
			at = end + 1;
		}
		rest = text.slice(at);
		if (rest.length > MAX_RECORD) throw unexpectedOutput(textOf(rest));
	}
	if (path !== undefined) yield { path, lines };
	return rest;
}

/** Enough for what `sourceOf` looks for. */
const MOST_BEGINNING = 300;

function sourceOf(beginning: string): LineSource {
	if (beginning.includes(OUTPUT)) return "output";
	if (beginning.includes(ANSWER)) return "answer";
	if (beginning.includes(PERSON)) return "person";
	return beginning.includes(MESSAGE) ? "message" : "note";
}

/** Longer than any path and what is printed after it. */
const MAX_RECORD = 100_000;

function unexpectedOutput(text: string): RipgrepError {
	return new RipgrepError(`ripgrep printed something unexpected (${JSON.stringify(text.slice(0, 60))}).`);
}
