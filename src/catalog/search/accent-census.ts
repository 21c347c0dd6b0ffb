import { PatternError } from "./find-ripgrep.ts";
import { grep } from "./grep.ts";
import { hasAccents } from "./has-accents.ts";
import { ESCAPED_ACCENT } from "./raw-accents.ts";
import type { SearchFile } from "./search.ts";
import type { SearchFilesOptions } from "./search-files.ts";

/**
 * Knows which files have no letters with accents: most, where people write English, and to look for a word with any accents
 * takes several times as long as for the word itself. A file is looked at once, until it changes; nothing is stored.
 */
export class AccentCensus {
	/** By path: the file as it was looked at, and whether it has accents. */
	readonly #known = new Map<string, { readonly stamp: string; readonly isPlain: boolean }>();

	/** Those of the files that may have some. Rejects with the signal's reason, or a `RipgrepError`. */
	async accented(files: readonly SearchFile[], options: CensusOptions): Promise<ReadonlySet<SearchFile>> {
		const unknown = files.filter((file) => this.#known.get(file.path)?.stamp !== stampOf(file));
		if (unknown.length > 0) {
			const escaped = await escapedIn(unknown, options);
			for (const file of unknown) await this.#look(file, escaped?.has(file.path) !== false, options);
		}
		return new Set(files.filter(({ path }) => this.#known.get(path)?.isPlain !== true));
	}

	/** Files that are gone: one that comes back may be another. */
	forget(paths: readonly string[]): void {
		for (const path of paths) this.#known.delete(path);
	}

	async #look(file: SearchFile, isEscaped: boolean, { timeSlice, signal }: CensusOptions): Promise<void> {
		this.#known.delete(file.path);
		try {
			const isPlain = !isEscaped && !(await timeSlice.run(hasAccents(file.path), signal));
			this.#known.set(file.path, { stamp: stampOf(file), isPlain });
		} catch {
			// Gone or unreadable, which ripgrep tells; or this search is over.
			signal.throwIfAborted();
		}
	}
}

type CensusOptions = Pick<SearchFilesOptions, "ripgrep" | "signal" | "timeSlice" | "onProcess">;

/** The paths of the files with such letters as escapes, as some programs write JSON; undefined where that cannot be told. */
async function escapedIn(
	files: readonly SearchFile[],
	{ ripgrep, signal, onProcess }: CensusOptions,
): Promise<ReadonlySet<string> | undefined> {
	const patterns = [{ source: ESCAPED_ACCENT, engine: "default" }] as const;
	const found = new Set<string>();
	const paths = files.map(({ path }) => path);
	try {
		for await (const { path } of grep(ripgrep, { patterns, paths, limit: 1, signal, onProcess })) found.add(path);
	} catch (error) {
		if (!(error instanceof PatternError)) throw error;
		return undefined;
	}
	return found;
}

function stampOf({ size, modified }: SearchFile): string {
	return `${size} ${modified}`;
}
