import type { Query, Term } from "../query/parse-query.ts";
import { BestFirst, type KnownOfSessions } from "./best-first.ts";
import { sessionsWith, sightWord } from "./first-sessions.ts";
import type { SearchFile } from "./search.ts";
import type { SearchFilesOptions } from "./search-files.ts";

/** Sessions with a word, for each that is wanted, of which it is worth while to search only some. */
const MANY = 2;
/** Sessions that are searched at once, beside those that are wanted: some of them are less good than they may be. */
const MORE = 4;

/** A search of which only the first results are wanted. */
interface FirstResults<Result> {
	readonly query: Query;
	/** Its only word. */
	readonly word: Term;
	readonly files: readonly SearchFile[];
	readonly limit: number;
	readonly options: SearchFilesOptions;
	/** Whether each line of a session is known to be readable. */
	readonly isSound: (path: string) => boolean;
	/** Called for each session that has the word. */
	readonly onFound: () => void;
	/** What is known without reading files. */
	readonly known: () => KnownOfSessions;
	/** Searches sessions to their ends. */
	readonly search: (files: readonly SearchFile[]) => Promise<readonly Result[]>;
	/** The best of the results, in order, at most as many as wanted. */
	readonly bestOf: (results: readonly Result[]) => Result[];
	readonly keyOf: (result: Result) => number;
}

/** What became of it. */
type Outcome<Result> =
	/** The word is in few sessions: all that may have it, and those of them that do not have it as typed. */
	| { readonly few: readonly SearchFile[]; readonly notTyped: ReadonlySet<SearchFile> }
	/** The first results, and all sessions that have the word. */
	| { readonly results: readonly Result[]; readonly all: readonly SearchFile[] };

/**
 * Finds the first results for a word that is in many sessions. All sessions that have it are counted by one line of each; as soon as
 * these are many, those that can be among the first are searched, beside the counting. Rejects with a `RipgrepError`, or the signal's
 * reason.
 */
export async function findFirst<Result>(asked: FirstResults<Result>): Promise<Outcome<Result>> {
	const { query, word, files, limit, onFound, isSound } = asked;
	const stopping = new AbortController();
	const options = { ...asked.options, signal: AbortSignal.any([asked.options.signal, stopping.signal]) };
	const many = Promise.withResolvers<undefined>();
	let sighted = 0;
	const isMany = () => sighted >= MANY * limit;
	const onSight = () => {
		onFound();
		sighted += 1;
		if (isMany()) many.resolve(undefined);
	};
	let notTyped: ReadonlySet<SearchFile> = new Set();
	const counting = (async (): Promise<readonly SearchFile[]> => {
		const { found, unsure, accented } = await sightWord(word, files, { ...options, isSound, onFound: onSight });
		notTyped = accented;
		const open = [...unsure, ...accented];
		return isMany() ? [...found, ...(await sessionsWith(query, open, { ...options, notTyped }))] : [...found, ...open];
	})();
	// Awaited below.
	counting.catch(() => undefined);
	try {
		const few = await Promise.race([many.promise, counting]);
		if (few !== undefined && !isMany()) return { few, notTyped };
		const queue = new BestFirst(word, files, options, asked.known());
		let results: Result[] = [];
		const worst = () => {
			const last = results[limit - 1];
			return last === undefined ? Number.POSITIVE_INFINITY : asked.keyOf(last);
		};
		const add = async (some: readonly SearchFile[]) => {
			results = asked.bestOf([...results, ...(await asked.search(some))]);
		};
		for (let next = await queue.next(limit + MORE, worst()); next.length > 0; ) {
			await add(next);
			next = await queue.next(limit + MORE, worst());
		}
		const all = await counting;
		const silent = new Set(queue.silent(worst()));
		const others = all.filter((file) => silent.has(file));
		if (others.length > 0) await add(others);
		return { results, all };
	} finally {
		// No ripgrep may go on if this search fails.
		stopping.abort();
		await counting.catch(() => undefined);
	}
}
