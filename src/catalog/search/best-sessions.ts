import type { Query } from "../query/parse-query.ts";
import { hasForms, type Term } from "../query/term.ts";
import { PatternError } from "./find-ripgrep.ts";
import { type GrepTools, grepNames } from "./grep.ts";
import { ownPattern, ownWordPattern, passesOf } from "./raw-pattern.ts";
import type { SearchFile } from "./search.ts";
import { FileSearch, type SearchTools } from "./search-files.ts";
import type { SessionMatches } from "./session-matches.ts";

interface BestFound {
	/** The sessions that have all words, in no order. */
	readonly matches: readonly SessionMatches[];
	/** The paths of sessions that may have them: nobody needs them to be verified. */
	readonly open: readonly string[];
}

interface BestOptions extends SearchTools {
	/** How many of the best sessions are wanted. @default all */
	readonly most: number | undefined;
	/** Whether the name or title of a session has the words. */
	readonly isNamed: (file: SearchFile) => boolean;
	/** The files that have lines with characters that do not show. */
	readonly hiddenFiles: () => Promise<readonly SearchFile[]>;
}

/** For each session that is wanted, so many are verified: what they say decides which of them are best. */
const VERIFIED_FOR_EACH = 3;
/** Each time so many times as many sessions are verified, if too few of the others had the words. */
const GROWTH = 4;

/**
 * Finds sessions once. If only the best are wanted, the files that may have all words are verified, the best ones first, until as many have
 * them as are wanted. Rejects with a `RipgrepError`, or the signal's reason.
 */
export async function findBest(query: Query, files: readonly SearchFile[], options: BestOptions): Promise<BestFound> {
	const { most = Number.POSITIVE_INFINITY, hiddenFiles } = options;
	const matches = new Map<string, SessionMatches>();
	const onMatch = (session: SessionMatches) => matches.set(session.file.path, session);
	const search = new FileSearch(query, { ...options, thorough: true, onMatch });
	const isLimited = options.most !== undefined;
	const candidates = new Set(isLimited ? await candidatesFor(query, files, options) : files);
	const open = new Set(candidates);
	const ranked = isLimited ? bestFirst(query, [...candidates], options) : candidates.values();
	for (let next = most * VERIFIED_FOR_EACH; open.size > 0 && matches.size < most; next *= GROWTH) {
		const some: SearchFile[] = [];
		while (some.length < Math.min(next, open.size)) {
			const { value } = await ranked.next();
			if (value !== undefined) some.push(value);
		}
		for (const file of some) open.delete(file);
		await search.search(some);
	}
	// Where each candidate was verified, the number is to be exact.
	if (isLimited && open.size === 0) {
		const otherFiles = new Set(files).difference(candidates);
		await search.search((await hiddenFiles()).filter((file) => otherFiles.has(file)));
	}
	await search.improve();
	return {
		matches: [...matches.values()].filter(({ isFound }) => isFound),
		open: [...open].map(({ path }) => path),
	};
}

/** The files that may have all words, but for those in which they have characters that do not show. */
async function candidatesFor({ terms }: Query, files: readonly SearchFile[], tools: GrepTools) {
	let candidates = files;
	for (const term of terms.toSorted((a, b) => (b.needle?.length ?? 0) - (a.needle?.length ?? 0))) {
		const named = new Set<SearchFile>();
		for (const { pattern, level } of passesOf(term)) {
			// Sessions that have the only word as typed were found before.
			if (level === 0 && hasForms(term) && terms.length === 1) continue;
			const otherFiles = candidates.filter((file) => !named.has(file));
			for (const file of await filesWith(pattern, otherFiles, tools)) named.add(file);
		}
		candidates = candidates.filter((file) => named.has(file));
	}
	return candidates;
}

/**
 * The files with the words in their names, then those in which the person may have said them, as whole words or not, then the others; newer
 * ones first. They are looked for only when they are asked for.
 */
async function* bestFirst({ terms }: Query, files: readonly SearchFile[], options: BestOptions) {
	let openFiles: readonly SearchFile[] = files.toSorted((a, b) => b.modified - a.modified);
	const withAll = async (patternOf: (term: Term) => string): Promise<readonly SearchFile[]> => {
		let some = openFiles;
		for (const term of terms) some = await filesWith(patternOf(term), some, options);
		return some;
	};
	const groups = [
		async () => openFiles.filter(options.isNamed),
		() => withAll((term) => ownWordPattern(term) ?? ownPattern(term)),
		() => withAll(ownPattern),
		async () => openFiles,
	];
	for (const find of groups) {
		const some = new Set(await find());
		yield* some;
		openFiles = openFiles.filter((file) => !some.has(file));
	}
}

/** Those of the files that have a line that matches, in the same order; all if ripgrep cannot tell. */
export async function filesWith(
	pattern: string,
	files: readonly SearchFile[],
	tools: GrepTools,
): Promise<readonly SearchFile[]> {
	const paths = new Set<string>();
	try {
		for await (const some of grepNames({ ...tools, patterns: [pattern], paths: files.map(({ path }) => path) }))
			for (const path of some) paths.add(path);
	} catch (error) {
		if (!(error instanceof PatternError)) throw error;
		return files;
	}
	return files.filter(({ path }) => paths.has(path));
}
