import { HIDDEN_BYTES, HIDDEN_ESCAPE } from "../query/hidden.ts";
import { batchesOf } from "./batches.ts";
import { PatternError, type Ripgrep } from "./find-ripgrep.ts";
import { type GrepOptions, grep } from "./grep.ts";
import type { RawPattern } from "./raw-pattern.ts";
import type { SearchFile } from "./search.ts";

/**
 * What stands before a character that does not show where a pattern would have to allow for it: ASCII, a Latin, Greek or Cyrillic
 * letter, a dash, a quote. The patterns for all other characters do (`rawNeedle`), so that emoji and joined scripts cost nothing.
 */
const BEFORE = String.raw`[\x20-\x7e]|[\xc2-\xd4][\x80-\xbf]|\xe1[\xb8-\xbf].|\xe2[\x80\x84\x88].`;

/** Each is about as fast as a word; together they would be several times slower. */
const PATTERNS: readonly string[] = [`(?:${BEFORE})(?:${HIDDEN_BYTES})`, HIDDEN_ESCAPE];

/**
 * Knows which files have characters that do not show within what may be a word or a phrase: few, where text was not copied from pages
 * of the web. Each file is searched for them once, until it changes.
 */
export class HiddenFiles {
	/** By path: the file's size and time when it was searched, and whether it has some. */
	readonly #known = new Map<string, { readonly stamp: string; readonly has: boolean }>();

	/** Those of the files that have some. Rejects with the signal's reason, or a `RipgrepError`. */
	async among(files: readonly SearchFile[], options: FilesOptions): Promise<ReadonlySet<SearchFile>> {
		const unknown = files.filter((file) => this.#known.get(file.path)?.stamp !== stampOf(file));
		if (unknown.length > 0) {
			const found = await Promise.all(
				PATTERNS.map((source) => filesWith({ source, engine: "default" }, unknown, options)),
			);
			for (const file of unknown) {
				const has = found.some((paths) => paths?.has(file.path) !== false);
				this.#known.set(file.path, { stamp: stampOf(file), has });
			}
		}
		return new Set(files.filter(({ path }) => this.#known.get(path)?.has === true));
	}

	/** Forgets files that are gone or were read again: the content may differ though size and session time are the same. */
	forget(paths: readonly string[]): void {
		for (const path of paths) this.#known.delete(path);
	}
}

interface FilesOptions extends Pick<GrepOptions, "signal" | "onProcess" | "onUnreadable"> {
	readonly ripgrep: Ripgrep;
}

function stampOf({ size, modified }: SearchFile): string {
	return `${size} ${modified}`;
}

/** The paths of the files with a line that matches; undefined if ripgrep cannot tell. */
export async function filesWith(
	pattern: RawPattern,
	files: readonly SearchFile[],
	{ ripgrep, signal, onProcess, onUnreadable }: FilesOptions,
): Promise<ReadonlySet<string> | undefined> {
	const found = new Set<string>();
	try {
		for (const batch of batchesOf(files, false)) {
			const paths = batch.map(({ path }) => path);
			const options = { patterns: [pattern], limit: 1, paths, signal, onProcess, onUnreadable };
			for await (const { path } of grep(ripgrep, options)) found.add(path);
		}
	} catch (error) {
		if (!(error instanceof PatternError)) throw error;
		return undefined;
	}
	return found;
}
