import { type ChildProcess, spawn } from "node:child_process";
import { thisSystem } from "../../shared/system.ts";
import { readBytes, withFile } from "../../store/files/open-file.ts";
import { StoreError } from "../../store/files/store-error.ts";
import { PatternError, type Ripgrep, RipgrepError } from "./find-ripgrep.ts";
import { type GrepMatch, type PathOf, readMatches, readNames, unexpectedOutput } from "./read-matches.ts";

/** Gets files that cannot be read, and for each the reason, in plain words. */
export type OnUnreadable = (reasons: ReadonlyMap<string, string>) => void;

/** What all runs of ripgrep for one search have in common. */
export interface GrepTools {
	readonly ripgrep: Ripgrep;
	/** Kills ripgrep; the generator then throws the signal's reason. */
	readonly signal: AbortSignal;
	/** Called when a process has started, and when it has ended. */
	readonly onProcess?: ((pid: number, running: boolean) => void) | undefined;
	readonly onUnreadable?: OnUnreadable | undefined;
}

interface GrepOptions extends GrepTools {
	/** A line counts if it matches any of them. */
	readonly patterns: readonly string[];
	/** Absolute paths; any number. */
	readonly paths: readonly string[];
	/** Largest number of lines per file. @default all */
	readonly limit?: number | undefined;
}

/**
 * The switches: the user's settings and ignore files do not apply, and every byte is searched. Memory-mapped files would crash ripgrep if
 * they were truncated meanwhile. What has become a directory is no session.
 */
const SWITCHES =
	"--no-config --no-ignore --hidden --no-unicode --ignore-case --text --encoding=none --no-mmap --max-depth=0 --color=never --null";
/** The number and the offset of each line are printed, with its first characters. */
const LINES = "--with-filename --no-heading --line-number --byte-offset --max-columns=160 --max-columns-preview";

/**
 * Runs ripgrep over the files; yields the lines of each file in no particular order. Throws a `RipgrepError`: after a
 * `PatternError`, lines that were yielded are right, but others may be missing.
 */
export async function* grep(options: GrepOptions): AsyncGenerator<GrepMatch> {
	for await (const matches of grepBatches(options)) {
		for (const match of matches) {
			yield match;
			options.signal.throwIfAborted();
		}
	}
}

/** Like `grep`; if ripgrep cannot use the patterns, yields what others match, which match more lines. */
export async function* grepAnyway(options: GrepOptions, otherPatterns: readonly string[]): AsyncGenerator<GrepMatch> {
	const done = new Set<string>();
	try {
		for await (const match of grep(options)) {
			done.add(match.path);
			yield match;
		}
	} catch (error) {
		if (!(error instanceof PatternError)) throw error;
		yield* grep({ ...options, paths: options.paths.filter((path) => !done.has(path)), patterns: otherPatterns });
	}
}

/** Like `grep`, but yields files together that were found at once: to wait for each of thousands takes a while. */
export function grepBatches(options: GrepOptions): AsyncGenerator<readonly GrepMatch[]> {
	const limit = options.limit === undefined ? [] : [`--max-count=${options.limit}`];
	return run([...LINES.split(" "), ...limit], options, readMatches);
}

/** Yields the paths of the files with a matching line, those together that were found at once. */
export function grepNames(options: Omit<GrepOptions, "limit">): AsyncGenerator<readonly string[]> {
	return run(["--files-with-matches"], options, readNames);
}

/** Reads the output of ripgrep; returns what is left of it. */
type OutputReader<Read> = (stdout: AsyncIterable<Buffer>, pathOf: PathOf) => AsyncGenerator<Read, string>;

/** Runs ripgrep with these and the common switches, one process after another if there are too many files for one. */
async function* run<Read>(
	switches: readonly string[],
	options: GrepOptions,
	read: OutputReader<Read>,
): AsyncGenerator<Read, void> {
	const { patterns } = options;
	// Only a pattern for words of the syntax looks behind itself. The other engine takes time linear in the text.
	const engine = patterns.some((pattern) => pattern.includes("(?<!")) ? "--engine=pcre2" : "--engine=default";
	const args = [...SWITCHES.split(" "), ...switches, engine, ...patterns.map((pattern) => `--regexp=${pattern}`)];
	let paths: string[] = [];
	let length = 0;
	for (const path of options.paths) {
		const argument = Buffer.byteLength(path) + 3;
		if (paths.length > 0 && length + argument > thisSystem.longestCommand) {
			yield* runOnce(args, { ...options, paths }, read);
			[paths, length] = [[], 0];
		}
		paths.push(path);
		length += argument;
	}
	if (paths.length > 0) yield* runOnce(args, { ...options, paths }, read);
}

async function* runOnce<Read>(
	args: readonly string[],
	options: GrepOptions,
	read: OutputReader<Read>,
): AsyncGenerator<Read, void> {
	const { ripgrep, paths, signal, onProcess } = options;
	signal.throwIfAborted();
	const pathsByBytes = new Map(paths.map((path) => [Buffer.from(path).toString("latin1"), path]));
	const child = spawn(ripgrep.command, [...args, "--", ...paths], { stdio: ["ignore", "pipe", "pipe"] });
	const { pid } = child;
	if (pid !== undefined) onProcess?.(pid, true);
	const ended = endOf(child);
	const kill = () => child.kill("SIGKILL");
	signal.addEventListener("abort", kill, { once: true });
	try {
		const output = read(child.stdout, (bytes) => pathsByBytes.get(bytes));
		let next = await output.next();
		for (; !next.done; next = await output.next()) {
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
		if (rest !== "") throw unexpectedOutput(rest);
	} finally {
		signal.removeEventListener("abort", kill);
		kill();
		child.stdout.destroy();
		// A process must never outlive its generator.
		await ended;
		if (pid !== undefined) onProcess?.(pid, false);
		signal.throwIfAborted();
	}
}

interface End {
	readonly code: number | null;
	readonly killed: NodeJS.Signals | null;
	readonly error: Error | undefined;
	readonly stderr: string;
}

/** Of what ripgrep says: a line for each of thousands of files that cannot be read, in characters. */
const MAX_STDERR = 2 ** 20;

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

/** Reports the files that could not be read; anything else is an error, a `PatternError` if another pattern may work. */
function explainFailure(stderr: string, { paths, onUnreadable }: GrepOptions): void {
	const unreadable = new Map<string, string>();
	for (const path of paths) {
		const failure = failureToRead(path);
		if (failure !== undefined) unreadable.set(path, failure.reason);
		else if (isNamedIn(stderr, path)) unreadable.set(path, "a part of it cannot be read");
	}
	if (unreadable.size > 0) onUnreadable?.(unreadable);
	if (PATTERN_FAILURE.test(stderr)) throw new PatternError(`ripgrep failed${quoted(stderr)}.`);
	if (unreadable.size === 0) throw new RipgrepError(`ripgrep failed${quoted(stderr)}.`);
}

/** Whether ripgrep says that the system did not let it read a file: "rg: /path: I/O error (os error 5)". */
function isNamedIn(stderr: string, path: string): boolean {
	const start = `rg: ${path}: `;
	const at = stderr.indexOf(start);
	if (at < 0) return false;
	const [reason = ""] = stderr.slice(at + start.length).split("\n", 1);
	return /\(os error \d+\)$/.test(reason);
}

/** Why a file cannot be opened, or its first byte not be read; undefined if both is possible. */
function failureToRead(path: string): StoreError | undefined {
	try {
		withFile(path, (fd) => readBytes(fd, 0, 1));
		return undefined;
	} catch (error) {
		if (error instanceof StoreError) return error;
		throw error;
	}
}

/** ripgrep's message if a pattern is too large or takes too long, or an engine reached one of its limits. */
const PATTERN_FAILURE = /: PCRE2: |^(?:rg: )?(?:regex parse error|compiled regex exceeds)/m;

function quoted(stderr: string): string {
	const [first = ""] = stderr.trim().split("\n");
	return first === "" ? "" : `: ${first.replace(/^rg: /, "").slice(0, 300)}`;
}
