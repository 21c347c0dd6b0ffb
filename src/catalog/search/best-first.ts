import { KIND_STEP, KINDS } from "../query/kinds.ts";
import type { Term } from "../query/parse-query.ts";
import { grepAll } from "./first-sessions.ts";
import { sessionRank } from "./form-ranks.ts";
import { mayBeSince } from "./later-times.ts";
import { isSaid, rankInSaid } from "./match-line.ts";
import { personPattern } from "./raw-pattern.ts";
import type { RawLine } from "./read-matches.ts";
import type { SearchFile } from "./search.ts";
import type { SearchFilesOptions } from "./search-files.ts";
import { withLines } from "./session-lines.ts";

/** What is known of sessions without reading them, which bounds their sort keys. */
export interface KnownOfSessions {
	/** Sort key of a session of this rank, and this time of modification in Unix ms. */
	keyOf(session: { readonly rank: number; readonly modified: number }): number;
	/** Time of modification in Unix ms; undefined if the file must be read for it. */
	knownModified(file: SearchFile): number | undefined;
	/** The same; reads the file if necessary. */
	modified(file: SearchFile): number;
	/** Whether the title of a session whose time is known may have the word. */
	mayBeTitled(file: SearchFile): boolean;
	/** Whether the person may have said the word in it as a whole word. */
	maySay(file: SearchFile): boolean;
}

/** A session in which a person may have said the word. */
interface Candidate {
	readonly file: SearchFile;
	/** The best rank of a match of the word; where `first` is there, unless that is the title. */
	readonly rank: number;
	/** The first line with the word, and its rank if it is the title; undefined once that is known. */
	readonly first?: { readonly offset: number; readonly rank: number } | undefined;
	/** Its time of modification, or one that is not earlier, in Unix ms; undefined if that is unknown. */
	readonly upTo: number | undefined;
}

/** A session with the least sort key that it may have. */
interface Bounded<Of> {
	readonly of: Of;
	readonly key: number;
}

/** A session that was not looked at yet, and the best rank of a match in it. */
interface Unseen {
	readonly file: SearchFile;
	readonly best: number;
}

/**
 * Sessions that have a word, those first that can be among the best: what a person said is the best that can be found. It is looked
 * for in the sessions that may have the lowest keys, and in others only while these may be among the best.
 */
export class BestFirst {
	readonly #term: Term;
	readonly #options: SearchFilesOptions;
	readonly #known: KnownOfSessions;
	/** Sessions that were not looked at yet, in ascending order of the keys. */
	readonly #ahead: Bounded<Unseen>[];
	#open: Bounded<Candidate>[] = [];
	/** Sessions in which the person did not say the word. */
	readonly #silent: SearchFile[] = [];
	#atOnce = FIRST_FILES;
	/** The ranks of sessions by those of their best matches, of which there are few. */
	readonly #sessionRanks = new Map<number, number>();

	/** `files`: all sessions that may have the word. */
	constructor(term: Term, files: readonly SearchFile[], options: SearchFilesOptions, known: KnownOfSessions) {
		this.#term = term;
		this.#options = options;
		this.#known = known;
		this.#ahead = files.map((file) => {
			const modified = known.knownModified(file);
			const isTitled = modified === undefined || known.mayBeTitled(file);
			const best = (isTitled ? TITLE_RANK : SAID_RANK) + (known.maySay(file) ? 0 : PART);
			return { of: { file, best }, key: this.#keyOf(best, modified) };
		});
		this.#ahead.sort(byKey);
	}

	/**
	 * The next sessions to search, at most so many, of those in which a person may have said the word: none if all others have sort
	 * keys above `worst`. Rejects with a `RipgrepError`, or the signal's reason.
	 */
	async next(count: number, worst: number): Promise<readonly SearchFile[]> {
		if (worst === Number.POSITIVE_INFINITY) {
			while (this.#open.length < count && this.#ahead.length > 0) await this.#lookAhead(count);
			return this.#likely(count);
		}
		for (;;) {
			await this.#settle(worst);
			const [next] = this.#ahead;
			const most = Math.min(worst, next?.key ?? worst);
			const some = this.#open.filter(({ key }) => key <= most).slice(0, count);
			if (some.length > 0) return this.#taken(some);
			if (next === undefined || next.key > worst) return [];
			await this.#lookAhead(count);
		}
	}

	/** All sessions in which no person said the word, if one of them may have a sort key up to `worst`; after all others. */
	silent(worst: number): readonly SearchFile[] {
		return this.#keyOf(NOT_SAID_RANK, undefined) > worst ? [] : this.#silent;
	}

	/**
	 * Looks for what a person said in the sessions that may have the lowest keys; in more of them each time, and in all the others if
	 * so few have what they may have that the next ones would not be the `wanted` number.
	 */
	async #lookAhead(wanted: number): Promise<void> {
		// Those of unknown age come first: each may be the newest.
		const firstKnown = this.#ahead.findIndex(({ of }) => this.#known.knownModified(of.file) !== undefined);
		const count = Math.max(this.#atOnce, firstKnown === -1 ? this.#ahead.length : firstKnown);
		this.#atOnce *= GROWTH;
		let asGood = 0;
		const looked = this.#ahead.splice(0, count).map(({ of }) => of);
		const files = looked.map(({ file }) => file);
		const byPath = new Map(looked.map((one) => [one.file.path, one]));
		const { timeSlice } = this.#options;
		const pass = { patterns: [personPattern(this.#term)], limit: MOST_LINES };
		for await (const matches of grepAll(files, { ...this.#options, ...pass }))
			for (const { path, lines } of matches) {
				const one = byPath.get(path);
				const candidate = one && candidateOf(one.file, lines, this.#term, this.#known.knownModified(one.file));
				if (one === undefined || candidate === undefined) continue;
				this.#open.push(this.#bounded(candidate));
				if (candidate.rank <= one.best + SAID_RANK - TITLE_RANK) asGood += 1;
				byPath.delete(path);
				if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
			}
		this.#open.sort(byKey);
		for (const { file } of byPath.values()) this.#silent.push(file);
		const expected = (asGood / looked.length) * this.#atOnce;
		if (expected < wanted) this.#atOnce = Number.POSITIVE_INFINITY;
	}

	/** The sessions that are likely to be the best, if each was last changed when its file was. */
	#likely(count: number): readonly SearchFile[] {
		const guess = (candidate: Candidate) => {
			const upTo = candidate.upTo ?? candidate.file.modified;
			return { of: candidate, key: this.#bounded({ ...candidate, upTo }).key };
		};
		const guessed = this.#open.map(({ of }) => guess(of)).sort(byKey);
		const likely: Bounded<Candidate>[] = [];
		for (let best = guessed.shift(); best !== undefined && likely.length < count; best = guessed.shift()) {
			if (best.of.first === undefined) likely.push(best);
			else insert(guessed, guess(titled(best.of)));
		}
		const taken = new Set(likely.map(({ of }) => of.file));
		return this.#taken(this.#open.filter(({ of }) => taken.has(of.file)));
	}

	#taken(some: readonly Bounded<Candidate>[]): readonly SearchFile[] {
		const taken = new Set(some.map(({ of }) => of.file));
		this.#open = this.#open.filter(({ of }) => !taken.has(of.file));
		return [...taken];
	}

	/** Finds out all that decides the keys of the candidates that may have one up to `worst`. */
	async #settle(worst: number): Promise<void> {
		const { timeSlice } = this.#options;
		const some: Bounded<Candidate>[] = [];
		for (const open of this.#open) {
			if (open.key <= worst && open.of.first !== undefined) {
				some.push(this.#bounded(titled(open.of)));
				if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
			} else some.push(open);
		}
		const isOpen = ({ of, key }: Bounded<Candidate>) => key <= worst && of.upTo === undefined;
		const { yes = [], no = [] } = Object.groupBy(some, (one) => (isOpen(one) ? "yes" : "no"));
		for (const [rank, same] of Map.groupBy(yes, ({ of }) => of.rank)) {
			const from = this.#firstTime(rank, worst);
			const files = same.map(({ of }) => of.file);
			const since = await mayBeSince(from, files, this.#options);
			for (const { of } of same) {
				const upTo = since.has(of.file) ? this.#known.modified(of.file) : from - 1;
				no.push(this.#bounded({ ...of, upTo }));
				if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
			}
		}
		this.#open = no.sort(byKey);
	}

	/** The first time of modification with which a session of this rank has a key up to `worst`, in Unix ms. */
	#firstTime(rank: number, worst: number): number {
		let [before, from] = [-1, Date.now()];
		while (from - before > 1) {
			const middle = Math.floor((before + from) / 2);
			if (this.#keyOf(rank, middle) <= worst) from = middle;
			else before = middle;
		}
		return from;
	}

	#bounded(candidate: Candidate): Bounded<Candidate> {
		const { rank, first, upTo } = candidate;
		return { of: candidate, key: this.#keyOf(Math.min(rank, first?.rank ?? rank), upTo) };
	}

	/** A session of unknown age may be the newest. */
	#keyOf(rank: number, modified = Number.POSITIVE_INFINITY): number {
		const known = this.#sessionRanks.get(rank) ?? sessionRank({ ranks: [rank], isTogether: true });
		this.#sessionRanks.set(rank, known);
		return this.#known.keyOf({ rank: known, modified });
	}
}

/** Sessions that are looked at first, and how many times as many each time after that. */
const [FIRST_FILES, GROWTH] = [128, 4];
/** Lines of a file that are looked at. */
const MOST_LINES = 8;
/** Rank of a match in the title, and in another message of the person, as a whole word. */
const [TITLE_RANK, SAID_RANK] = [KINDS.title.rank * KIND_STEP, KINDS.user.rank * KIND_STEP];
/** What the rank of a part of a word is behind that of a whole one. */
const PART = 1;
/** The best rank of a match in what else there is. */
const NOT_SAID_RANK = KIND_STEP;

function byKey(a: { readonly key: number }, b: { readonly key: number }): number {
	return a.key - b.key;
}

/** Inserts into an array in ascending order of the keys. */
function insert<Of>(into: Bounded<Of>[], one: Bounded<Of>): void {
	const at = into.findIndex(({ key }) => key >= one.key);
	into.splice(at === -1 ? into.length : at, 0, one);
}

/** What the lines say in which a person may have said the word, in file order; undefined if none does. */
function candidateOf(
	file: SearchFile,
	lines: readonly RawLine[],
	term: Term,
	upTo: number | undefined,
): Candidate | undefined {
	return withLines(file.path, (session) => {
		let rank = Number.POSITIVE_INFINITY;
		let first: Candidate["first"];
		for (const { offset } of lines) {
			const entry = session.entryAt(offset);
			// What cannot be judged may be anything.
			if (entry === undefined) return { file, rank: TITLE_RANK, upTo };
			const found = rankInSaid(entry, term);
			if (found === undefined) continue;
			first ??= { offset, rank: found - SAID_RANK + TITLE_RANK };
			rank = Math.min(rank, found);
		}
		// Behind the last of these lines it may be a whole word.
		if (lines.length === MOST_LINES) rank = Math.min(rank, SAID_RANK);
		return rank === Number.POSITIVE_INFINITY ? undefined : { file, rank, first, upTo };
	});
}

/** The candidate once it is known whether the word is in the title. */
function titled({ first, ...candidate }: Candidate): Candidate {
	if (first === undefined || first.rank >= candidate.rank || !isTitle(candidate.file, first.offset)) return candidate;
	return { ...candidate, rank: first.rank };
}

/** Whether the line at `offset` is the title of the session. */
function isTitle({ path }: SearchFile, offset: number): boolean {
	return withLines(path, (session) => session.isTitle(offset, isSaid));
}
