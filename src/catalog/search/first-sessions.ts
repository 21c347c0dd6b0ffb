import { ALL_KINDS } from "../query/fields.ts";
import type { Query, Term } from "../query/parse-query.ts";
import { batchesOf } from "./batches.ts";
import { beginningProof } from "./beginning-proof.ts";
import { type GrepPass, grepBatches } from "./grep.ts";
import { holdsTermIn, provesPlainly, provesTerm } from "./match-line.ts";
import { objectIn } from "./parse-object.ts";
import { likelyPattern, mayHaveAccents, quotedPattern } from "./raw-pattern.ts";
import { type RawLine, type RawMatch, textOf } from "./read-matches.ts";
import type { SearchFile } from "./search.ts";
import { FileSearch, type SearchFilesOptions } from "./search-files.ts";

/*
 * A search of which only the first results are wanted, for a word that is in many sessions: the sessions are counted by one line of
 * each that has the word, and beside that ordered by what a person said (best-first.ts). Only those that can be among the first are
 * searched as others are.
 */

/** The term of a query that consists of one word in any kind of text; undefined for other queries. */
export function onlyWord({ terms, without }: Query): Term | undefined {
	const [term] = terms;
	if (term === undefined || terms.length > 1 || without.length > 0) return undefined;
	const { needle, kinds, tool, forms } = term;
	return needle !== undefined && kinds === ALL_KINDS && tool === undefined && forms === undefined ? term : undefined;
}

/** What one line of each file says about a word. */
export interface Sightings {
	/** Sessions that have the word. */
	readonly found: readonly SearchFile[];
	/** Sessions that may have it. All others do not. */
	readonly unsure: readonly SearchFile[];
}

interface SightingOptions {
	/** Called for each session that has the word. */
	readonly onFound: () => void;
	/** Tells, once that can be asked, whether each line of a session is known to be readable. */
	readonly isSound: () => Promise<(path: string) => boolean>;
}

/** The pass for that line. */
export function sightPass(term: Term): GrepPass {
	return { patterns: [likelyPattern(term).pattern], limit: 1, wholeBytes: LINE_BYTES };
}

/**
 * Looks for one line of each file that shows that its session has the word. Rejects with a `RipgrepError`, or the signal's reason.
 */
export async function sightWord(
	term: Term,
	files: readonly SearchFile[],
	{ onFound, isSound, ...options }: SearchFilesOptions & SightingOptions,
): Promise<Sightings> {
	const { isComplete } = likelyPattern(term);
	const proves = beginningProof(term);
	const isSoundFile = await isSound();
	const [proven, matched] = [new Set<string>(), new Set<string>()];
	for await (const matches of grepAll(files, { ...options, ...sightPass(term) })) {
		for (const { path, lines } of matches) {
			matched.add(path);
			const isProven = (line: RawLine) => (isSoundFile(path) && proves(line)) || isProof(line, term);
			if (lines.some(isProven)) {
				proven.add(path);
				onFound();
			}
			const { timeSlice } = options;
			if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
		}
	}
	const { found = [], others = [] } = Object.groupBy(files, ({ path }) => (proven.has(path) ? "found" : "others"));
	const unmatched = others.filter(({ path }) => !matched.has(path));
	const left = isComplete ? new Set<string>() : await quotedIn(term, unmatched, options);
	if (left === undefined) return { found, unsure: others };
	const silent = mayHaveAccents(term) ? unmatched.filter(({ path }) => !left.has(path)) : [];
	const accented = await options.census.accented(term, silent, options);
	const isUnsure = (file: SearchFile) => matched.has(file.path) || left.has(file.path) || accented.has(file);
	return { found, unsure: others.filter(isUnsure) };
}

/**
 * The paths of the files that may have the word where `likelyPattern` does not look for it; undefined if any may. Most have it there
 * only in a line or two, in something that is no text: the type of the first line of each is "session".
 */
async function quotedIn(
	term: Term,
	files: readonly SearchFile[],
	options: SearchFilesOptions,
): Promise<ReadonlySet<string> | undefined> {
	const pattern = quotedPattern(term);
	if (pattern === undefined) return undefined;
	const found = new Set<string>();
	const pass = { patterns: [pattern], limit: MOST_QUOTED, wholeBytes: QUOTED_BYTES };
	for await (const matches of grepAll(files, { ...options, ...pass })) {
		for (const { path, lines } of matches)
			if (lines.length === MOST_QUOTED || lines.some((line) => mayHold(line, term))) found.add(path);
	}
	return found;
}

/** Whether a line has the term in a text, or cannot be judged. */
function mayHold({ bytes = "", offset }: RawLine, term: Term): boolean {
	const entry = objectIn(textOf(bytes), offset);
	return entry === undefined || holdsTermIn(entry, term);
}

/** The files whose sessions have the query, without looking for the best matches. Rejects as `FileSearch.search` does. */
export async function sessionsWith(
	query: Query,
	files: readonly SearchFile[],
	options: SearchFilesOptions,
): Promise<readonly SearchFile[]> {
	const paths = new Set<string>();
	const onMatch = ({ file }: { readonly file: SearchFile }) => paths.add(file.path);
	const search = new FileSearch(query, { ...options, thorough: false, beside: false, defer: false, onMatch });
	for (const batch of batchesOf(files, false)) await search.search(batch);
	return files.filter(({ path }) => paths.has(path));
}

/** Longer lines are not printed, but their sessions searched. */
const LINE_BYTES = 32_000;
/** Lines of a file that are looked at for a word behind a quote, and their length at most. */
const [MOST_QUOTED, QUOTED_BYTES] = [8, 4000];

/** The matches of a pattern in any number of files. */
export async function* grepAll(
	files: readonly SearchFile[],
	options: SearchFilesOptions & GrepPass,
): AsyncGenerator<readonly RawMatch[]> {
	for (const batch of batchesOf(files, false))
		yield* grepBatches(options.ripgrep, { ...options, paths: batch.map(({ path }) => path) });
}

/** A line that is longer than asked for proves nothing. */
function isProof({ bytes = "", offset }: RawLine, term: Term): boolean {
	// A character for each byte changes nothing in the structure of JSON, nor in words of ASCII.
	const raw = objectIn(bytes, offset);
	if (raw !== undefined && provesPlainly(raw, term)) return true;
	const entry = objectIn(textOf(bytes), offset);
	return entry !== undefined && provesTerm(entry, term);
}
