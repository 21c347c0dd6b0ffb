import { PatternError } from "./find-ripgrep.ts";
import { grep } from "./grep.ts";
import { ANY_ACCENT } from "./raw-accents.ts";
import type { SearchFile } from "./search.ts";
import type { SearchFilesOptions } from "./search-files.ts";

/**
 * Knows which files have no letters with accents: most, where people write English, and to look for a word with any accents
 * takes several times as long as for the word itself. A file is looked at once, until it changes; nothing is stored.
 */
export class AccentCensus {
	/** By path: the file as it was looked at, and whether it has accents. */
	readonly #known = new Map<string, { readonly stamp: string; readonly isPlain: boolean }>();

	/** The paths of those files that have none. */
	async plainOf(files: readonly SearchFile[], options: CensusOptions): Promise<ReadonlySet<string>> {
		const unknown = files.filter((file) => this.#known.get(file.path)?.stamp !== stampOf(file));
		if (unknown.length > 0) await this.#look(unknown, options);
		return new Set(files.filter(({ path }) => this.#known.get(path)?.isPlain === true).map(({ path }) => path));
	}

	/** Files that are gone: one that comes back may be another. */
	forget(paths: readonly string[]): void {
		for (const path of paths) this.#known.delete(path);
	}

	async #look(files: readonly SearchFile[], { ripgrep, signal, onProcess }: CensusOptions): Promise<void> {
		const unreadable = new Set<string>();
		const onUnreadable = (paths: readonly string[]) => {
			for (const path of paths) unreadable.add(path);
		};
		const patterns = [{ source: ANY_ACCENT, engine: "default" }] as const;
		const accented = new Set<string>();
		const paths = files.map(({ path }) => path);
		try {
			for await (const { path } of grep(ripgrep, { patterns, paths, limit: 1, signal, onProcess, onUnreadable }))
				accented.add(path);
		} catch (error) {
			// Then each file is searched.
			if (error instanceof PatternError) return;
			throw error;
		}
		for (const file of files)
			if (!unreadable.has(file.path))
				this.#known.set(file.path, { stamp: stampOf(file), isPlain: !accented.has(file.path) });
	}
}

type CensusOptions = Pick<SearchFilesOptions, "ripgrep" | "signal" | "onProcess">;

function stampOf({ size, modified }: SearchFile): string {
	return `${size} ${modified}`;
}
