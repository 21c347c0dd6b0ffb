import { ESCAPED_ACCENT, hasAccents } from "../scan/has-accents.ts";
import { PatternError } from "./find-ripgrep.ts";
import { grep } from "./grep.ts";
import type { SearchFile } from "./search.ts";
import type { SearchFilesOptions } from "./search-files.ts";

/**
 * Knows which files have no letters with accents: most, where people write English, and to look for a word with any accents
 * takes several times as long as for the word itself. Of files that have been counted the index knows it; another one is
 * looked at once, until it changes.
 */
export class AccentCensus {
	/** By path: the file as it was looked at, and whether it has accents. */
	readonly #known = new Map<string, { readonly stamp: string; readonly isPlain: boolean }>();

	/** Those of the files that may have some. Rejects with the signal's reason, or a `RipgrepError`. */
	async accented(files: readonly SearchFile[], options: CensusOptions): Promise<ReadonlySet<SearchFile>> {
		const unknown = files.filter(
			(file) => file.accents === undefined && this.#known.get(file.path)?.stamp !== stampOf(file),
		);
		if (unknown.length > 0) {
			// ripgrep reads several times as fast as we do, and most files have none of these bytes.
			const some = await filesWith(ANY_ACCENT, unknown, options);
			const [open, plain] = partition(unknown, (file) => some?.has(file.path) !== false);
			for (const file of plain) this.#known.set(file.path, { stamp: stampOf(file), isPlain: true });
			const escaped = open.length === 0 ? undefined : await filesWith(ESCAPED_ACCENT, open, options);
			for (const file of open) await this.#look(file, escaped?.has(file.path) !== false, options);
		}
		return new Set(files.filter(({ path, accents }) => accents ?? this.#known.get(path)?.isPlain !== true));
	}

	/** What was found out here: for each path, whether the file may have some. */
	*learned(): Generator<readonly [path: string, accents: boolean]> {
		for (const [path, { isPlain }] of this.#known) yield [path, !isPlain];
	}

	/** Files that are gone or were read again: one may be another, though its size and its session's time are the same. */
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

/** A byte with which a letter with accents may begin, of any script that has some, or an escape. */
const ANY_ACCENT = String.raw`[\xc3-\xd4]|\xe1[\xb8-\xbf]|\xe2\x84|${ESCAPED_ACCENT}`;

/** The paths of the files in which a pattern is; undefined where that cannot be told. */
async function filesWith(
	source: string,
	files: readonly SearchFile[],
	{ ripgrep, signal, onProcess }: CensusOptions,
): Promise<ReadonlySet<string> | undefined> {
	const patterns = [{ source, engine: "default" }] as const;
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

function partition(
	files: readonly SearchFile[],
	belongs: (file: SearchFile) => boolean,
): [yes: readonly SearchFile[], no: readonly SearchFile[]] {
	const { yes = [], no = [] } = Object.groupBy(files, (file) => (belongs(file) ? "yes" : "no"));
	return [yes, no];
}

function stampOf({ size, modified }: SearchFile): string {
	return `${size} ${modified}`;
}
