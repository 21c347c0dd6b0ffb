import type { Query } from "../query/parse-query.ts";
import { isPreferred, type LineMatch } from "./match-line.ts";
import type { Hit, SearchFile, SearchResult } from "./search.ts";

/** What has been found in one session so far. */
export class SessionMatches {
	readonly file: SearchFile;
	/** Whether there may be more matching lines. */
	more = false;
	readonly #ranks: (number | undefined)[];
	readonly #lines = new Set<number>();
	#best: { readonly match: LineMatch; readonly words: number; readonly rank: number } | undefined;

	constructor(file: SearchFile, query: Query) {
		this.file = file;
		this.#ranks = query.terms.map(() => undefined);
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

	/** The rank of a term's best match; undefined where it has not been found. */
	rankOf(term: number): number | undefined {
		return this.#ranks[term];
	}

	/** Whether one entry with all terms has been found. */
	get hasAllInOne(): boolean {
		return this.#best?.words === this.#ranks.length;
	}

	/** The session as a result; undefined unless it contains all terms. */
	result(hitOf: (best: LineMatch) => Hit = ({ hit }) => hit): SearchResult | undefined {
		if (!this.#best || this.#ranks.includes(undefined)) return undefined;
		return {
			path: this.file.path,
			// Two good matches rank before one good and one bad match.
			rank: Math.max(...this.#ranks.map((rank) => rank ?? 0)),
			modified: this.file.modified,
			count: this.#lines.size,
			more: this.more,
			best: hitOf(this.#best.match),
		};
	}
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
