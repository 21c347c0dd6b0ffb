import { HIDDEN_BYTES } from "../query/hidden.ts";
import type { Term } from "../query/parse-query.ts";
import { ESCAPED_ACCENT, hasAccents } from "../scan/has-accents.ts";
import { HiddenFiles } from "./hidden-files.ts";
import { filesWith } from "./narrow-files.ts";
import { hasSlowAccents } from "./raw-pattern.ts";
import type { SearchFile } from "./search.ts";
import type { SearchFilesOptions } from "./search-files.ts";

/**
 * Knows which files have no letters with accents: many, where people write English. For counted files the index knows. For a word
 * whose patterns with accents are slow (Greek, Cyrillic), any other file is examined once, until it changes.
 */
export class AccentCensus {
	/** What is known of characters that do not show. */
	readonly hidden = new HiddenFiles();
	/** By path: the file's stamp when it was examined, and whether it has no accents. */
	readonly #known = new Map<string, { readonly stamp: string; readonly isPlain: boolean }>();

	/** The files that may have the term with accents. Rejects with the signal's reason, or a `RipgrepError`. */
	async accented(term: Term, files: readonly SearchFile[], options: CensusOptions): Promise<ReadonlySet<SearchFile>> {
		const isUnknown = (file: SearchFile): boolean =>
			file.accents === undefined && this.#known.get(file.path)?.stamp !== stampOf(file);
		const unknown = hasSlowAccents(term) ? files.filter(isUnknown) : [];
		if (unknown.length > 0) {
			// ripgrep reads several times as fast as we do, and most files have none of these bytes.
			const some = await filesWith([ANY_ACCENT], unknown, options);
			const [open, plain] = partition(unknown, (file) => some?.has(file.path) !== false);
			for (const file of plain) this.#known.set(file.path, { stamp: stampOf(file), isPlain: true });
			const escaped = open.length === 0 ? undefined : await filesWith([ESCAPED_ACCENT], open, options);
			for (const file of open) await this.#examine(file, escaped?.has(file.path) !== false, options);
		}
		return new Set(files.filter((file) => file.accents ?? !this.#isPlain(file)));
	}

	/** The results of this census: by path, whether the file may have accents. */
	*learned(): Generator<readonly [path: string, accents: boolean]> {
		for (const [path, { isPlain }] of this.#known) yield [path, !isPlain];
	}

	/** Forgets files that are gone or were read again: the content may differ though size and session time are the same. */
	forget(paths: readonly string[]): void {
		for (const path of paths) this.#known.delete(path);
		this.hidden.forget(paths);
	}

	/** Whether a file had no accents when it was examined, and has not changed since. */
	#isPlain(file: SearchFile): boolean {
		const known = this.#known.get(file.path);
		return known?.isPlain === true && known.stamp === stampOf(file);
	}

	async #examine(file: SearchFile, isEscaped: boolean, { timeSlice, signal }: CensusOptions): Promise<void> {
		this.#known.delete(file.path);
		try {
			const isPlain = !isEscaped && !(await timeSlice.run(hasAccents(file.path), signal));
			this.#known.set(file.path, { stamp: stampOf(file), isPlain });
		} catch {
			// Deleted or unreadable, which ripgrep reports; or this search has ended.
			signal.throwIfAborted();
		}
	}
}

type CensusOptions = Pick<SearchFilesOptions, "ripgrep" | "signal" | "timeSlice" | "onProcess">;

/** A byte that may begin an accented letter, of any script that has some, what does not show, or an escape. */
const ANY_ACCENT = String.raw`[\xc3-\xd4]|\xe1[\xb8-\xbf]|\xe2\x84|${HIDDEN_BYTES}|${ESCAPED_ACCENT}`;

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
