import { type ChildProcess, spawn } from "node:child_process";
import { readBytes, withFile } from "../../store/files/open-file.ts";
import { StoreError } from "../../store/files/store-error.ts";
import { PatternError, type Ripgrep, RipgrepError } from "./find-ripgrep.ts";
import type { RawPattern } from "./raw-pattern.ts";
import { type RawMatch, readMatches, unexpectedOutput } from "./read-matches.ts";

/** What ripgrep looks for, and what of it is wanted. */
interface GrepPass {
	/** A line counts if it matches any of them. All must be for the same engine. */
	readonly patterns: readonly RawPattern[];
	/** Largest number of lines per file. @default all */
	readonly limit?: number | undefined;
	/** Whether the numbers of lines are wanted: ripgrep counts the lines of all files for them. @default no */
	readonly isNumbered?: boolean | undefined;
}

/** Gets files that cannot be read, and for each the reason, in plain words. */
export type OnUnreadable = (reasons: ReadonlyMap<string, string>) => void;

export interface GrepOptions extends GrepPass {
	/** Absolute paths. */
	readonly paths: readonly string[];
	/** Kills ripgrep; the generator then throws the signal's reason. */
	readonly signal: AbortSignal;
	/** Called when the process has started, and when it has ended. */
	readonly onProcess?: ((pid: number, running: boolean) => void) | undefined;
	/** Gets the files that cannot be read, or are gone. */
	readonly onUnreadable?: OnUnreadable | undefined;
}

/**
 * The switches: the user's settings and ignore files do not apply, every byte is searched, and a line's offset is printed, with its
 * first characters. Memory-mapped files would crash ripgrep if they were truncated meanwhile.
 */
const SWITCHES =
	"--no-config --no-ignore --hidden --no-unicode --ignore-case --text --encoding=none --no-mmap --with-filename --null --no-heading --color=never --byte-offset --max-columns=160 --max-columns-preview";

/** The arguments of ripgrep for a pass, without what it searches. */
function argumentsOf({ patterns, limit, isNumbered = false }: GrepPass): readonly string[] {
	return [
		...SWITCHES.split(" "),
		isNumbered ? "--line-number" : "--no-line-number",
		patterns.map(({ engine }) => `--engine=${engine}`)[0] ?? "--engine=default",
		...(limit === undefined ? [] : [`--max-count=${limit}`]),
		...patterns.map(({ source }) => `--regexp=${source}`),
	];
}

/**
 * Runs ripgrep over the files; yields the lines of each file in no particular order. Throws a `RipgrepError`: after a
 * `PatternError`, lines that were yielded are right, but others may be missing.
 */
export async function* grep(ripgrep: Ripgrep, options: GrepOptions): AsyncGenerator<RawMatch> {
	for await (const matches of grepBatches(ripgrep, options)) {
		for (const match of matches) {
			yield match;
			options.signal.throwIfAborted();
		}
	}
}

/** Like `grep`; if ripgrep cannot use the patterns, yields what others match, which match more lines. */
export async function* grepAnyway(
	ripgrep: Ripgrep,
	options: GrepOptions,
	others: readonly RawPattern[],
): AsyncGenerator<RawMatch> {
	const done = new Set<string>();
	try {
		for await (const match of grep(ripgrep, options)) {
			done.add(match.path);
			yield match;
		}
	} catch (error) {
		if (!(error instanceof PatternError)) throw error;
		const paths = options.paths.filter((path) => !done.has(path));
		yield* grep(ripgrep, { ...options, paths, patterns: others });
	}
}

/** Like `grep`, but yields files together that were found at once: to wait for each of thousands takes a while. */
export async function* grepBatches({ command }: Ripgrep, options: GrepOptions): AsyncGenerator<readonly RawMatch[]> {
	const { paths, isNumbered = false, signal, onProcess } = options;
	signal.throwIfAborted();
	const known = new Map(paths.map((path) => [Buffer.from(path).toString("latin1"), path]));
	// What has become a directory meanwhile is no session.
	const args = [...argumentsOf(options), "--max-depth=0", "--", ...paths];
	const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
	const { pid } = child;
	if (pid !== undefined) onProcess?.(pid, true);
	const ended = endOf(child);
	const kill = () => child.kill("SIGKILL");
	signal.addEventListener("abort", kill, { once: true });
	try {
		const matches = readMatches(child.stdout, (bytes) => known.get(bytes), isNumbered);
		let next = await matches.next();
		for (; !next.done; next = await matches.next()) {
			yield next.value;
			signal.throwIfAborted();
		}
		const rest = next.value;
		const { code, killed, error, stderr } = await ended;
		signal.throwIfAborted();
		if (error) throw new RipgrepError(`Cannot start ripgrep (${command}): ${error.message}.`);
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
