import { ALL_KINDS } from "../query/fields.ts";
import { holdsTerm } from "../query/match.ts";
import type { Query, Term } from "../query/parse-query.ts";
import { SearchText } from "../query/search-text.ts";
import { isPreferred, type LineMatch } from "./match-line.ts";
import type { Hit, SearchFile, SearchResult } from "./search.ts";

/** Rank of a match only in the file's path or the session's id: behind all matches in entries. */
export const ALIAS_RANK = 6;

/** Stands for the best hit if nothing was found in an entry: a session that was found by its path, or by lacking a term. */
export const NO_ENTRY: Hit = {
	line: 1,
	entryId: "",
	kind: "cwd",
	active: true,
	snippet: { text: "", ranges: [] },
};

/** What was found in one session so far. */
export class SessionMatches {
	readonly file: SearchFile;
	/** Whether there may be more matching lines. */
	more = false;
	readonly #ranks: (number | undefined)[];
	/** For each term whether it is in the path or the id. */
	readonly #aliased: readonly boolean[];
	readonly #lines = new Set<number>();
	#best: { readonly match: LineMatch; readonly words: number; readonly rank: number } | undefined;

	constructor(file: SearchFile, query: Query) {
		this.file = file;
		this.#ranks = query.terms.map(() => undefined);
		const aliases = (file.aliases ?? []).map((alias) => new SearchText("cwd", alias));
		this.#aliased = query.terms.map((term) => mayBeAliased(term) && aliases.some((alias) => holdsTerm(alias, term)));
	}

	/** Adds a line that contains some of the terms. */
	add(match: LineMatch): void {
		this.#lines.add(match.line.offset);
		for (const [term, rank] of match.ranks.entries()) {
			if (rank !== undefined && rank < (this.#ranks[term] ?? Number.POSITIVE_INFINITY)) this.#ranks[term] = rank;
		}
		const found = match.ranks.filter((rank) => rank !== undefined);
		const one = { match, words: found.length, rank: Math.min(...found) };
		const best = this.#best;
		if (!best || one.words > best.words) this.#best = one;
		else if (one.words === best.words && isBetter(one, best)) this.#best = one;
	}

	/** Whether a term was found, in an entry or not. */
	has(term: number): boolean {
		return this.#ranks[term] !== undefined || this.#aliased[term] === true;
	}

	/** The rank of a term's best match in an entry; undefined without one. */
	rankOf(term: number): number | undefined {
		return this.#ranks[term];
	}

	/** Whether an entry with all terms was found. */
	get hasAllInOne(): boolean {
		return this.#best?.words === this.#ranks.length;
	}

	/** The session as a result; undefined unless it contains all terms. */
	result(hitOf: (best: LineMatch) => Hit = ({ hit }) => hit): SearchResult | undefined {
		if (this.#ranks.some((_, term) => !this.has(term))) return undefined;
		return {
			path: this.file.path,
			// Two good matches rank before one good and one bad match.
			rank: Math.max(0, ...this.#ranks.map((rank) => rank ?? ALIAS_RANK)),
			modified: this.file.modified,
			count: this.#lines.size,
			more: this.more,
			best: this.#best === undefined ? NO_ENTRY : hitOf(this.#best.match),
		};
	}
}

/** Only words without a field: a term for a kind of text or a tool cannot match a path. */
function mayBeAliased({ kinds, tool }: Term): boolean {
	return kinds === ALL_KINDS && tool === undefined;
}

interface Candidate {
	readonly match: LineMatch;
	readonly rank: number;
}

function isBetter(a: Candidate, b: Candidate): boolean {
	const [ours, theirs] = [a.match.hit, b.match.hit];
	if (isPreferred(ours.kind, theirs.kind)) return true;
	if (isPreferred(theirs.kind, ours.kind)) return false;
	return a.rank < b.rank || (a.rank === b.rank && a.match.line.offset < b.match.line.offset);
}
