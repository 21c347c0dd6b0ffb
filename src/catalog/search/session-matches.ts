import { ALL_KINDS } from "../query/fields.ts";
import { ALIAS_RANK, type Kind } from "../query/kinds.ts";
import { levelIn, SearchText } from "../query/match.ts";
import type { OtherForm } from "../query/other-forms.ts";
import type { Query } from "../query/parse-query.ts";
import { LEVEL_RANK, levelOfRank, sessionRank } from "../query/relevance.ts";
import { alternativesOf, hasForms, type Term, wordsOfTerm } from "../query/term.ts";
import type { LineMatch } from "./match-line.ts";
import type { Hit, SearchFile, SearchResult, ShownTitle } from "./search.ts";

/** Stands for the best hit if nothing was found in an entry: a session that was found by its path, or by lacking a term. */
export const NO_ENTRY: Hit = {
	line: 1,
	entryId: "",
	kind: "cwd",
	active: true,
	snippet: { text: "", ranges: [] },
};

interface ResultOptions {
	/** The title in the session's row. @default that of the file */
	readonly title?: ShownTitle | undefined;
	/** A match as a hit. @default as it was found */
	readonly hitOf?: (match: LineMatch) => Hit;
}

export class SessionMatches {
	readonly file: SearchFile;
	/** Whether there may be more matching lines. */
	more = false;
	/** Whether an entry with all terms was found. */
	hasAllInOne = false;
	readonly #terms: readonly Term[];
	readonly #ranks: (number | undefined)[];
	/** For each term with other forms, what of it the best match has. */
	readonly #matched: (string | undefined)[] = [];
	/** For each term whether it is in the path or the id. */
	readonly #aliased: readonly boolean[];
	readonly #lines = new Set<number>();
	/** For each term the level of forms from which on ripgrep has printed all lines that may have it. */
	readonly #seen: (number | undefined)[] = [];
	/** The best matches of each combination of terms. */
	readonly #candidates = new Map<string, MatchCandidate[]>();

	constructor(file: SearchFile, query: Query) {
		this.file = file;
		this.#terms = query.terms;
		this.#ranks = query.terms.map(() => undefined);
		const aliases = (file.aliases ?? []).map((alias) => new SearchText("cwd", alias));
		this.#aliased = query.terms.map((term) =>
			alternativesOf(term).some((one) => mayBeAliased(one) && aliases.some((alias) => levelIn(alias, one) === 0)),
		);
	}

	add(match: LineMatch): void {
		// Passes for several patterns may find the same line.
		if (this.#lines.has(match.line.offset)) return;
		this.#lines.add(match.line.offset);
		let [words, sum, has] = [0, 0, ""];
		for (const [term, rank] of match.ranks.entries()) {
			has += rank === undefined ? "0" : "1";
			if (rank === undefined) continue;
			words += 1;
			sum += rank;
			if (rank >= (this.#ranks[term] ?? Number.POSITIVE_INFINITY)) continue;
			this.#ranks[term] = rank;
			this.#matched[term] = match.matched[term];
		}
		this.hasAllInOne ||= words === this.#ranks.length;
		const key = `${IN_ROW.has(match.hit.kind) ? match.hit.kind : ""} ${has}`;
		const some = this.#candidates.get(key) ?? [];
		some.push({ match, words, rank: Math.floor(sum) });
		this.#candidates.set(key, some.sort(compareCandidates).slice(0, KEPT));
	}

	/** Notes that ripgrep has printed all lines that may have a term in forms from this level on; undefined: that some may be missing. */
	markSeen(term: number, level: number | undefined): void {
		this.#seen[term] = level;
	}

	/** Whether the best match of a term in its form is known: all lines that may have it were printed. */
	hasSeenAll(term: number): boolean {
		return levelOfRank(this.#ranks[term] ?? 0) >= (this.#seen[term] ?? Number.POSITIVE_INFINITY);
	}

	/** Whether a term was found, in an entry or not. */
	has(term: number): boolean {
		return this.#aliased[term] === true || this.hasEntry(term);
	}

	/** Whether a term was found in an entry; as typed, unless the query is for other forms, too. */
	hasEntry(term: number): boolean {
		const termSought = this.#terms[term];
		return this.hasAt(term, termSought !== undefined && hasForms(termSought) ? Number.POSITIVE_INFINITY : 0);
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

	get isFound(): boolean {
		return this.#terms.every(({ isOptional }, term) => isOptional || this.has(term));
	}

	/** The session as a result; undefined unless it contains all terms. */
	result({ title = this.file.title, hitOf = ({ hit }) => hit }: ResultOptions = {}): SearchResult | undefined {
		if (!this.isFound) return undefined;
		const hit = this.#bestHit(title, hitOf);
		const other = this.#otherForms();
		const lacks = this.#terms.flatMap(({ isOptional }, term) => (isOptional && !this.has(term) ? [term] : []));
		return {
			path: this.file.path,
			rank: this.#rank(!hit.active),
			modified: this.file.modified,
			count: this.#lines.size,
			more: this.more,
			best: hit,
			...(other.length > 0 && { other }),
			...(lacks.length > 0 && { lacks }),
		};
	}

	#rank(isAbandoned: boolean): number {
		const ranks = this.#ranks.map((rank, term) => this.#rankWithAlias(rank, term));
		return sessionRank({ ranks, isTogether: this.hasAllInOne, isAbandoned });
	}

	#rankWithAlias(rank: number | undefined, term: number): number {
		return rank === undefined || (rank >= LEVEL_RANK && this.#aliased[term]) ? ALIAS_RANK : rank;
	}

	#otherForms(): OtherForm[] {
		return this.#terms.flatMap((asked, term) => {
			const matched = this.#matched[term];
			return matched === undefined || this.hasTyped(term) ? [] : [{ word: wordsOfTerm(asked), matched }];
		});
	}

	#bestHit(title: ShownTitle | undefined, hitOf: (match: LineMatch) => Hit): Hit {
		const inTitle = this.#inTitle(title);
		const judged = [...this.#candidates.values()].flat().map((candidate): JudgedCandidate => {
			const { match } = candidate;
			const fresh = match.ranks.filter((rank, term) => rank !== undefined && inTitle[term] !== true).length;
			return { ...candidate, repeats: repeatsTitle(match, title, inTitle), fresh };
		});
		judged.sort((a, b) => compareJudged(a, b) || compareCandidates(a, b));
		const [best] = judged;
		if (best === undefined) return NO_ENTRY;
		const hit = hitOf(best.match);
		if (hit.active) return hit;
		// Of equal ones, one on the active path.
		const peers = judged.filter((one) => one !== best && one.rank === best.rank && compareJudged(one, best) === 0);
		return peers.map(({ match }) => hitOf(match)).find(({ active }) => active) ?? hit;
	}

	/** For each term whether the title shows it. */
	#inTitle(title: ShownTitle | undefined): readonly boolean[] {
		if (title === undefined) return [];
		const text = new SearchText(title.isFirstMessage ? "title" : "name", title.text);
		return this.#terms.map((term) =>
			alternativesOf(term).some((one) => levelIn(text, { ...one, kinds: ALL_KINDS }) !== undefined),
		);
	}
}

/** Only words without a field: a term for a kind of text or a tool cannot match a path. */
function mayBeAliased({ kinds, tool }: Term): boolean {
	return kinds === ALL_KINDS && tool === undefined;
}

/** Matches with the same terms of which one is shown in the end; more are not remembered. */
const KEPT = 3;

interface MatchCandidate {
	readonly match: LineMatch;
	/** Number of terms on the line. */
	readonly words: number;
	/** Sum of their ranks. */
	readonly rank: number;
}

/** A candidate for a session with a certain title. */
interface JudgedCandidate extends MatchCandidate {
	/** Whether it says nothing that the title does not. */
	readonly repeats: boolean;
	/** Number of terms that the title does not have. */
	readonly fresh: number;
}

/** The better one first, of two with the same terms: active ones before abandoned ones, then in file order. */
function compareCandidates(a: MatchCandidate, b: MatchCandidate): number {
	return (
		a.rank - b.rank ||
		Number(b.match.hit.active) - Number(a.match.hit.active) ||
		a.match.line.offset - b.match.line.offset
	);
}

/** What says something that the title does not, and then most of the words, first. */
function compareJudged(a: JudgedCandidate, b: JudgedCandidate): number {
	return Number(a.repeats) - Number(b.repeats) || b.words - a.words || b.fresh - a.fresh;
}

/** Kinds that a session's row shows anyway. */
const IN_ROW: ReadonlySet<Kind> = new Set<Kind>(["title", "name", "cwd"]);

/** Whether a hit says nothing that the row does not show anyway: its title, its project. */
function repeatsTitle(
	{ hit: { kind }, ranks }: LineMatch,
	title: ShownTitle | undefined,
	inTitle: readonly boolean[],
): boolean {
	if (kind !== "title" || title === undefined) return IN_ROW.has(kind);
	return title.isFirstMessage && ranks.every((rank, term) => rank === undefined || inTitle[term] === true);
}
