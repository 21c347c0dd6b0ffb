import type { Query } from "../query/parse-query.ts";
import { batchesOf } from "./batches.ts";
import { PatternError } from "./find-ripgrep.ts";
import { type GrepPass, grep } from "./grep.ts";
import { accentPatterns, anyFormPattern } from "./raw-pattern.ts";
import type { SearchFile } from "./search.ts";
import type { SearchFilesOptions } from "./search-files.ts";

type NarrowOptions = Pick<SearchFilesOptions, "ripgrep" | "signal" | "onProcess"> & Partial<SearchFilesOptions>;

/** The paths of the files that match one of the patterns; undefined if ripgrep cannot tell. */
export async function filesWith(
	sources: readonly string[],
	files: readonly SearchFile[],
	{ ripgrep, signal, onUnreadable, onProcess, ahead }: NarrowOptions,
): Promise<ReadonlySet<string> | undefined> {
	const pass = passFor(sources);
	const found = new Set<string>();
	try {
		for (const batch of batchesOf(files, false)) {
			const paths = batch.map(({ path }) => path);
			const options = { ...pass, paths, signal, onUnreadable, onProcess, ahead };
			for await (const { path } of grep(ripgrep, options)) found.add(path);
		}
	} catch (error) {
		if (!(error instanceof PatternError)) throw error;
		return undefined;
	}
	return found;
}

function passFor(sources: readonly string[]): GrepPass {
	return { patterns: sources.map((source) => ({ source, engine: "default" })), limit: 1 };
}

/** The first pass of `filesWithAnyForm`. */
export function firstPassForForms({ terms }: Query): GrepPass | undefined {
	const [source] = terms.map(anyFormPattern).filter((each) => each !== undefined);
	return source === undefined ? undefined : passFor([source]);
}

/**
 * The files that may have all words of a query in some form, and perhaps a few more: one pass of ripgrep for a word, where one for
 * each kind of form would follow. `areSearched`: they were searched for the only word as typed, with accents and without, and do not
 * have it. Rejects with a `RipgrepError`, or the signal's reason.
 */
export async function filesWithAnyForm(
	{ terms }: Query,
	files: readonly SearchFile[],
	options: SearchFilesOptions,
	areSearched = false,
): Promise<readonly SearchFile[]> {
	let left = files;
	for (const term of terms) {
		const source = anyFormPattern(term);
		if (source === undefined || left.length === 0) continue;
		const plain = filesWith([source], left, options);
		// Awaited below; a failure of the index comes first.
		plain.catch(() => undefined);
		const patterns = areSearched ? [] : accentPatterns(term);
		const accented = patterns.length === 0 ? [] : [...(await options.census.accented(term, left, options))];
		const others =
			accented.length === 0 ? [] : patterns.map((pattern) => filesWith([pattern.source], accented, options));
		const found = await Promise.all([plain, ...others]);
		const known = found.filter((paths) => paths !== undefined);
		const hidden = await options.census.hidden.among(left, options);
		if (known.length === found.length)
			left = left.filter((file) => hidden.has(file) || known.some((paths) => paths.has(file.path)));
	}
	return left;
}
