import { sep } from "node:path";
import { RipgrepError } from "./find-ripgrep.ts";
import { argumentsOf, type GrepOptions, type GrepPass, runRipgrep, type StartedGrep, started } from "./grep.ts";
import { type RawMatch, textOf } from "./read-matches.ts";

/** Directories whose files ripgrep finds itself. */
interface Scope {
	readonly directory: string;
	/** 1: the files in it; 2: those in its directories. */
	readonly depth: number;
}

/**
 * A ripgrep that was started before anybody knew which files there are: it goes through a directory by itself, meanwhile the files are
 * found. A search that asks for the same pass gets its matches.
 */
export class GrepAhead {
	readonly #pass: string;
	readonly #started: StartedGrep;
	readonly #matches: AsyncIterator<readonly RawMatch[]>;
	/** Files that it searches, and that nobody has asked for. */
	#covered = new Set<string>();
	/** Matches in these. */
	readonly #kept = new Map<string, RawMatch[]>();

	/** `command`: a ripgrep, perhaps one that cannot be started. */
	constructor(command: string, pass: GrepPass, { directory, depth }: Scope, signal: AbortSignal) {
		const args = argumentsOf(pass);
		this.#pass = args.join("\0");
		const scope = [`--max-depth=${depth}`, "--glob=*.jsonl", "--", directory];
		const start = directory + sep;
		const pathOf = (bytes: string) => {
			const path = textOf(bytes);
			return path.startsWith(start) ? path : undefined;
		};
		const onFailure = () => {
			throw new RipgrepError("ripgrep could not search all files of a directory.");
		};
		this.#started = started(signal, (stopped) =>
			runRipgrep(command, [...args, ...scope], { ...pass, signal: stopped, pathOf, onFailure }),
		);
		this.#matches = this.#started.matches[Symbol.asyncIterator]();
	}

	/** Says which files it searches, once they are known. */
	covers(paths: Iterable<string>): void {
		this.#covered = new Set(paths);
	}

	/**
	 * The matches of a pass, if it is the same one, in files that it searches; returns the paths of the others. If this ripgrep fails,
	 * all files are among these, because matches may be missing. Rejects with the signal's reason.
	 */
	async *serve(options: GrepOptions): AsyncGenerator<readonly RawMatch[], readonly string[]> {
		const { paths, signal } = options;
		if (this.#covered.size === 0 || argumentsOf(options).join("\0") !== this.#pass) return paths;
		// Each file once: a query may ask for the same again.
		const wanted = new Set(paths.filter((path) => this.#covered.delete(path)));
		try {
			const kept = [...wanted].flatMap((path) => this.#kept.get(path) ?? []);
			if (kept.length > 0) yield kept;
			for (let next = await this.#matches.next(); !next.done; next = await this.#matches.next()) {
				signal.throwIfAborted();
				const { asked = [], others = [] } = Object.groupBy(next.value, ({ path }) =>
					wanted.has(path) ? "asked" : "others",
				);
				for (const match of others) {
					const { path } = match;
					if (this.#covered.has(path)) this.#kept.set(path, [...(this.#kept.get(path) ?? []), match]);
				}
				if (asked.length > 0) yield asked;
			}
		} catch (error) {
			signal.throwIfAborted();
			if (!(error instanceof RipgrepError)) throw error;
			this.#covered.clear();
			return paths;
		}
		return paths.filter((path) => !wanted.has(path));
	}

	/** Ends ripgrep; resolves when it has ended. */
	stop(): Promise<void> {
		return this.#started.stop();
	}
}
