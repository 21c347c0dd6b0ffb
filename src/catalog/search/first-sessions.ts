import { ALL_KINDS } from "../query/fields.ts";
import type { Query, Term } from "../query/parse-query.ts";
import { batchesOf } from "./batches.ts";
import { beginningProof } from "./beginning-proof.ts";
import { type GrepPass, grepBatches } from "./grep.ts";
import { holdsTermIn, provesPlainly, provesTerm } from "./match-line.ts";
import { objectIn } from "./parse-object.ts";
import { likelyPattern, linePattern, mayHaveAccents } from "./raw-pattern.ts";
import type { RawLine, RawMatch } from "./read-matches.ts";
import type { SearchFile } from "./search.ts";
import { FileSearch, type SearchFilesOptions } from "./search-files.ts";
import { type SessionLines, withLines } from "./session-lines.ts";

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
	/** Sessions that may have it. */
	readonly unsure: readonly SearchFile[];
	/** Sessions that can only have it with accents that were not typed, or with what does not show. All others do not have it. */
	readonly accented: ReadonlySet<SearchFile>;
}

interface SightingOptions {
	/** Called for each session that has the word. */
	readonly onFound: () => void;
	/** Whether each line of a session is known to be readable. */
	readonly isSound: (path: string) => boolean;
}

/** The pass for that line. */
export function sightPass(term: Term): GrepPass {
	return { patterns: [likelyPattern(term).pattern], limit: 1 };
}

/**
 * Looks for a line of each file that shows that its session has the word. ripgrep says where it is, and it is read from the file: to
 * print thousands of lines would keep ripgrep waiting for us. Rejects with a `RipgrepError`, or the signal's reason.
 */
export async function sightWord(
	term: Term,
	files: readonly SearchFile[],
	options: SearchFilesOptions & SightingOptions,
): Promise<Sightings> {
	const { onFound, isSound, timeSlice } = options;
	const proves = beginningProof(term);
	const [proven, matched] = [new Set<string>(), new Set<string>()];
	for await (const matches of grepAll(files, { ...options, ...sightPass(term) })) {
		for (const { path, lines } of matches) {
			matched.add(path);
			const isJson = isSound(path);
			if (withLines(path, (session) => lines.some((line) => isProof(session, line, term, proves, isJson)))) {
				proven.add(path);
				onFound();
			}
			if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
		}
	}
	const { found = [], others = [] } = Object.groupBy(files, ({ path }) => (proven.has(path) ? "found" : "others"));
	const closer = await lookCloser(term, others, matched, options);
	return { ...closer, found: [...found, ...closer.found] };
}

/**
 * Looks at more lines of the sessions of which one was not enough. Most of those have the word only in a line or two, in something that
 * is no text: the type of the first line of each is "session". `matched`: the paths of those with a line that was not enough.
 */
async function lookCloser(
	term: Term,
	files: readonly SearchFile[],
	matched: ReadonlySet<string>,
	options: SearchFilesOptions & SightingOptions,
): Promise<Sightings> {
	const { onFound, timeSlice, census } = options;
	const { isComplete } = likelyPattern(term);
	if (!isComplete && !LETTERS.test(term.needle ?? "")) return { found: [], unsure: files, accented: new Set() };
	const open = isComplete ? files.filter(({ path }) => matched.has(path)) : files;
	const verdicts = new Map<string, "found" | "unsure">();
	const pass = { patterns: [linePattern(term)], limit: MOST_LINES };
	for await (const matches of grepAll(open, { ...options, ...pass })) {
		for (const { path, lines } of matches) {
			const isAll = lines.length < MOST_LINES;
			const isFound =
				(isAll || matched.has(path)) && withLines(path, (session) => lines.some((line) => holds(session, line, term)));
			if (isFound) onFound();
			if (isFound || !isAll) verdicts.set(path, isFound ? "found" : "unsure");
			if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
		}
	}
	const { found = [], unsure = [], none = [] } = Object.groupBy(files, ({ path }) => verdicts.get(path) ?? "none");
	const accented = new Set(mayHaveAccents(term) ? await census.accented(term, none, options) : []);
	for (const file of await census.hidden.among(none, options)) accented.add(file);
	return { found, unsure, accented };
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

/** A word that is syntax in a line or two of each file; digits are in every line, in ids and times. */
const LETTERS = /^[a-z_]+$/;
/** Lines of a file that are looked at if the first one was not enough. */
const MOST_LINES = 8;

/** The matches of a pattern in any number of files. */
export async function* grepAll(
	files: readonly SearchFile[],
	options: SearchFilesOptions & GrepPass,
): AsyncGenerator<readonly RawMatch[]> {
	for (const batch of batchesOf(files, false))
		yield* grepBatches(options.ripgrep, { ...options, paths: batch.map(({ path }) => path) });
}

/**
 * Whether a line shows that its session has the term. `proves`: whether its first bytes do, if it is JSON; `isJson`: whether it is known
 * to be.
 */
function isProof(
	session: SessionLines,
	{ offset }: RawLine,
	term: Term,
	proves: (bytes: string) => boolean,
	isJson: boolean,
): boolean {
	const { bytes, whole } = session.bytesAt(offset);
	const begins = proves(bytes);
	if (begins && isJson) return true;
	// A character for each byte changes nothing in the structure of JSON, nor in words of ASCII.
	const raw = whole ? objectIn(bytes, offset) : undefined;
	if (raw !== undefined && (begins || provesPlainly(raw, term))) return true;
	const entry = session.entryAt(offset);
	return entry !== undefined && (begins || provesTerm(entry, term));
}

/** Whether a line has the term in a text that the session still has. */
function holds(session: SessionLines, { offset }: RawLine, term: Term): boolean {
	const entry = session.entryAt(offset);
	return entry !== undefined && holdsTermIn(entry, term) && session.isPresent(offset, entry);
}
