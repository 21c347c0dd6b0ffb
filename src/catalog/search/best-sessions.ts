import { ACCENT_LEVEL, atLevel, levelsOf } from "../query/other-forms.ts";
import type { Query, Term } from "../query/parse-query.ts";
import { batchesOf } from "./batches.ts";
import { filesWith } from "./hidden-files.ts";
import { candidatePattern, linePattern, ownPattern, ownWordPattern, type RawPattern } from "./raw-pattern.ts";
import type { SearchFile } from "./search.ts";
import { FileSearch, type SearchFilesOptions } from "./search-files.ts";
import type { SessionMatches } from "./session-matches.ts";

/** What one search has found. */
export interface BestFound {
	/** The sessions that have all words, in no order. */
	readonly found: readonly SessionMatches[];
	/** The paths of sessions that may have them: nobody needs them to be verified. */
	readonly open: readonly string[];
}

interface BestOptions extends Omit<SearchFilesOptions, "thorough" | "onMatch"> {
	/** How many of the best sessions are wanted. @default all */
	readonly most: number | undefined;
	/** Whether the name or title of a session has the words. */
	readonly isNamed: (file: SearchFile) => boolean;
	/** Called after each batch of files, for a search of all. */
	readonly onProgress?: ((searched: number, total: number) => void) | undefined;
}

/** For each session that is wanted, so many are verified: what they say decides which of them are best. */
const VERIFIED_FOR_EACH = 3;
/** Each time so many times as many sessions are verified, if too few of the others had the words. */
const GROWTH = 4;

/**
 * Finds sessions once. ripgrep tells which files may have all words, and if only the best are wanted, in which of them the person may have
 * said them; ordered by that, by their names and by their age, they are verified from the top until there are enough. Rejects with a
 * `RipgrepError`, or the signal's reason.
 */
export async function findBest(query: Query, files: readonly SearchFile[], options: BestOptions): Promise<BestFound> {
	const { most = Number.POSITIVE_INFINITY, onProgress } = options;
	const found = new Map<string, SessionMatches>();
	const onMatch = (session: SessionMatches) => found.set(session.file.path, session);
	const search = new FileSearch(query, { ...options, thorough: true, onMatch });
	const isAll = most === Number.POSITIVE_INFINITY && !query.terms.some(({ forms }) => forms !== undefined);
	const ranked = isAll ? files : await bestFirst(query, await candidatesFor(query, files, options), options);
	let verified = 0;
	for (let next = most * VERIFIED_FOR_EACH; verified < ranked.length && found.size < most; next *= GROWTH) {
		for (const batch of batchesOf(ranked.slice(verified, verified + next), false)) {
			await search.search(batch);
			verified += batch.length;
			if (isAll) onProgress?.(verified, ranked.length);
		}
	}
	// Where each candidate was verified, the number is to be exact.
	if (!isAll && verified === ranked.length) await search.search(await hiddenAmong(files, ranked, options));
	await search.improve();
	const sessions = [...found.values()].filter(({ isFound }) => isFound);
	return { found: sessions, open: ranked.slice(verified).map(({ path }) => path) };
}

/** The files that may have all words, but for those in which they have characters that do not show. */
async function candidatesFor({ terms }: Query, files: readonly SearchFile[], options: BestOptions) {
	let left = files;
	for (const term of terms.toSorted((a, b) => (b.needle?.length ?? 0) - (a.needle?.length ?? 0))) {
		const found = await filesWith(candidatePattern(term), left, options);
		if (found === undefined) continue;
		const hasAccents = levelsOf(term).includes(ACCENT_LEVEL);
		const others = hasAccents ? left.filter(({ path }) => !found.has(path)) : [];
		const accented = await filesWith(linePattern(atLevel(term, ACCENT_LEVEL)), others, options);
		left = left.filter(({ path }) => found.has(path) || accented?.has(path) !== false);
	}
	return left;
}

/** The rest of the files in which a word may have characters that do not show: few. */
async function hiddenAmong(files: readonly SearchFile[], others: readonly SearchFile[], options: BestOptions) {
	const known = new Set(others);
	const rest = files.filter((file) => !known.has(file));
	return [...(await options.hiddenFiles.among(rest, options))];
}

/**
 * The files with the words in their names, then those in which the person may have said them, as whole words or not, then the others; newer
 * ones first.
 */
async function bestFirst({ terms }: Query, files: readonly SearchFile[], options: BestOptions) {
	const ownIn = async (some: readonly SearchFile[], patternOf: (term: Term) => RawPattern | undefined) => {
		let left = some;
		for (const pattern of terms.map(patternOf)) {
			const paths = pattern === undefined ? undefined : await filesWith(pattern, left, options);
			if (paths !== undefined) left = left.filter(({ path }) => paths.has(path));
		}
		return left;
	};
	const said = await ownIn(options.most === undefined ? [] : files, ownPattern);
	const [isSaid, isWhole] = [new Set(said), new Set(await ownIn(said, ownWordPattern))];
	const keyOf = (file: SearchFile) => (options.isNamed(file) ? 0 : isWhole.has(file) ? 1 : isSaid.has(file) ? 2 : 3);
	const ranked = files.map((file) => ({ file, key: keyOf(file) }));
	return ranked.sort((a, b) => a.key - b.key || b.file.modified - a.file.modified).map(({ file }) => file);
}
