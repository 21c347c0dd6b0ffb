import { ALL_KINDS } from "../query/fields.ts";
import { levelIn } from "../query/match.ts";
import type { OtherForm } from "../query/other-forms.ts";
import type { Query, Term } from "../query/parse-query.ts";
import { SearchText } from "../query/search-text.ts";
import { LEVEL_RANK, levelOfRank, sessionRank } from "./form-ranks.ts";
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
	readonly #terms: readonly Term[];
	readonly #ranks: (number | undefined)[];
	/** For each term with other forms, what of it the best match has. */
	readonly #matched: (string | undefined)[] = [];
	/** For each term whether it is in the path or the id. */
	readonly #aliased: readonly boolean[];
	readonly #lines = new Set<number>();
	#best: { readonly match: LineMatch; readonly words: number; readonly rank: number } | undefined;

	constructor(file: SearchFile, query: Query) {
		this.file = file;
		this.#terms = query.terms;
		this.#ranks = query.terms.map(() => undefined);
		const aliases = (file.aliases ?? []).map((alias) => new SearchText("cwd", alias));
		this.#aliased = query.terms.map(
			(term) => mayBeAliased(term) && aliases.some((alias) => levelIn(alias, term) === 0),
		);
	}

	/** Adds a line that contains some of the terms. */
	add(match: LineMatch): void {
		this.#lines.add(match.line.offset);
		for (const [term, rank] of match.ranks.entries()) {
			if (rank === undefined || rank >= (this.#ranks[term] ?? Number.POSITIVE_INFINITY)) continue;
			this.#ranks[term] = rank;
			this.#matched[term] = match.matched[term];
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

	/** Whether a term was found in an entry in a form of this level, or a nearer one. */
	hasAt(term: number, level: number): boolean {
		const rank = this.#ranks[term];
		return rank !== undefined && levelOfRank(rank) <= level;
	}

	/** Whether a term is there as typed, in an entry or not. */
	hasTyped(term: number): boolean {
		return this.#aliased[term] === true || this.hasAt(term, 0);
	}

	/** Whether all terms but one are there as typed. */
	hasOthersTyped(term: number): boolean {
		return this.#ranks.every((_, other) => other === term || this.hasTyped(other));
	}

	/** Whether an entry with all terms was found. */
	get hasAllInOne(): boolean {
		return this.#best?.words === this.#ranks.length;
	}

	/** The session as a result; undefined unless it contains all terms. */
	result(hitOf: (best: LineMatch) => Hit = ({ hit }) => hit): SearchResult | undefined {
		if (this.#ranks.some((_, term) => !this.has(term))) return undefined;
		const other = this.#otherForms();
		return {
			path: this.file.path,
			rank: sessionRank(this.#ranks.map((rank, term) => this.#rankWithAlias(rank, term))),
			modified: this.file.modified,
			count: this.#lines.size,
			more: this.more,
			best: this.#best === undefined ? NO_ENTRY : hitOf(this.#best.match),
			...(other.length > 0 && { other }),
		};
	}

	#rankWithAlias(rank: number | undefined, term: number): number {
		return rank === undefined || (rank >= LEVEL_RANK && this.#aliased[term]) ? ALIAS_RANK : rank;
	}

	#otherForms(): OtherForm[] {
		return this.#terms.flatMap(({ typed = "" }, term) => {
			const matched = this.#matched[term];
			return matched === undefined || this.hasTyped(term) ? [] : [{ word: typed, matched }];
		});
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
