import { TIERS, type Tier } from "../query/kinds.ts";
import { inTier, type Query } from "../query/parse-query.ts";
import { type Candidate, candidatesIn, type TermHashes, termHashes } from "./candidates.ts";
import { type FoundBefore, NOWHERE, plainNeedle, type Recalled } from "./found-before.ts";
import { addPlace, type FoundPlace } from "./found-places.ts";
import type { KeptText } from "./kept-text.ts";
import { type Match, matchBlock, type Needle, needleOf, type ToolTest } from "./match-block.ts";
import { COUNTED_PER_BLOCK, SessionMatch } from "./session-match.ts";
import type { LazyBlock, SearchableSession, TextReader } from "./text-reader.ts";

export type Phase = "first" | "second" | "done";

/** What the engine tells: a session whose match is new or has changed, or the end of a phase. */
export interface EngineListener {
	onMatch(session: SearchableSession, match: SessionMatch): void;
	onPhase(phase: Phase): void;
}

/**
 * Searches all sessions, newest first: names, labels and titles in full; then each session only as far as needed to know
 * whether all terms are in it, first in what was said, then in tool output too; then the rest of those that match, for the
 * counts. Yields often; whoever runs it can stop at any yield.
 */
export function* searchSteps(
	reader: TextReader,
	kept: KeptText,
	query: Query,
	sessions: readonly SearchableSession[],
	listener: EngineListener,
): Generator<void, void, undefined> {
	const search = new Search(reader, kept, query);
	const matched: SearchableSession[] = [];
	const report = (session: SearchableSession, match: SessionMatch) => {
		match.more = true;
		matched.push(session);
		listener.onMatch(session, match);
	};
	yield* search.scanHeadlines(sessions);
	yield* kept.load(sessions);
	const open: SearchableSession[] = [];
	for (const session of sessions) {
		const match = yield* search.scanFirst(session);
		if (match?.complete) report(session, match);
		else open.push(session);
	}
	listener.onPhase("first");
	yield;
	for (const session of open) {
		const match = yield* search.scanSecond(session);
		if (match?.complete) report(session, match);
	}
	listener.onPhase("second");
	yield;
	for (const session of matched) {
		const match = search.begin(session);
		match.more = false;
		yield* search.scanFully(match);
		listener.onMatch(session, match);
	}
	listener.onPhase("done");
}

class Search {
	readonly #reader: TextReader;
	readonly #kept: KeptText;
	readonly #needles: readonly Needle[];
	readonly #tools: ToolTest;
	readonly #matches = new Map<number, SessionMatch>();
	/** For each tier what to look for in the filters. */
	readonly #hashes: readonly TermHashes[];
	readonly #all: number;
	readonly #before: FoundBefore;
	/** For each term its text, if it may be anywhere. */
	readonly #plain: readonly (string | undefined)[];
	/** For each term and tier the first block of a session that may hold it. */
	readonly #starts: readonly (readonly ((session: SearchableSession) => number)[] | undefined)[];
	/** For each term and tier the first places in a session, as far as they are known already. */
	readonly #recalls: readonly (readonly ((session: SearchableSession) => Recalled | undefined)[] | undefined)[];
	#sinceYield = 0;
	#skipped = 0;

	constructor(reader: TextReader, kept: KeptText, query: Query) {
		this.#reader = reader;
		this.#kept = kept;
		this.#needles = query.terms.map(needleOf);
		this.#tools = reader.toolTest(query);
		this.#before = kept.foundBefore;
		this.#plain = query.terms.map((term) => plainNeedle(query, term));
		this.#starts = this.#plain.map((needle) =>
			needle === undefined ? undefined : TIERS.map((tier) => this.#before.starts(tier, needle)),
		);
		this.#recalls = this.#plain.map((needle) =>
			needle === undefined ? undefined : TIERS.map((tier) => this.#before.recall(tier, needle)),
		);
		this.#hashes = TIERS.map((tier) => termHashes(this.#needles, tier));
		this.#all = 2 ** query.terms.length - 1;
	}

	/** What has been found in the session so far; undefined when nothing was looked at. */
	known(session: SearchableSession): SessionMatch | undefined {
		return this.#matches.get(session.id);
	}

	begin(session: SearchableSession): SessionMatch {
		let match = this.#matches.get(session.id);
		if (!match) {
			match = new SessionMatch(session, this.#needles.length);
			this.#matches.set(session.id, match);
		}
		return match;
	}

	#candidates(session: SearchableSession, tier: 1 | 2): readonly Candidate[] {
		const hashes = this.#hashes[tier] ?? [];
		if (hashes.every((one) => one === undefined)) return [];
		return candidatesIn(tier === 2 ? this.#kept.filters.get(session) : this.#reader.filters(session.id, 1), hashes);
	}

	/** Whether earlier searches have shown that a term is nowhere in the session. */
	#cannotMatch(session: SearchableSession): boolean {
		const match = this.known(session);
		return this.#starts.some(
			(starts, term) =>
				starts !== undefined &&
				!match?.best[term] &&
				starts[1]?.(session) === NOWHERE &&
				starts[2]?.(session) === NOWHERE,
		);
	}

	/** Whether each term has been found or may be in at least one of the blocks. */
	#coversAll(match: SessionMatch | undefined, blocks: readonly (readonly Candidate[])[]): boolean {
		let terms = match?.found ?? 0;
		for (const some of blocks) for (const block of some) terms |= block.terms;
		return terms === this.#all;
	}

	*scanHeadlines(sessions: readonly SearchableSession[]): Generator<void, void, undefined> {
		const wanted = this.#needles.filter(({ term }) => inTier(term, 0));
		if (wanted.length === 0) return;
		const byId = new Map(sessions.map((session) => [session.id, session]));
		let blocks = 0;
		for (const { session: id, seq, block } of this.#reader.headlines()) {
			const session = byId.get(id);
			if (!session) continue;
			for (const needle of wanted)
				this.#match(needle, block, false, undefined, (found) => {
					this.begin(session).take(this.#needles.indexOf(needle), 0, seq, found);
				});
			if (++blocks % 256 === 0) yield;
		}
	}

	/** The brief search of a session's first tier; undefined when nothing is known of the session. */
	*scanFirst(session: SearchableSession): Generator<void, SessionMatch | undefined, undefined> {
		if (this.#cannotMatch(session)) return undefined;
		if (this.#kept.has(session.id)) {
			const match = this.begin(session);
			this.#sinceYield += this.#scanKept(match, true);
			if (this.#sinceYield > YIELD_BYTES) {
				this.#sinceYield = 0;
				yield;
			}
			return match;
		}
		const match = this.begin(session);
		this.#recall(match, 1);
		if (match.complete) {
			this.#remember(match, 1);
			return match;
		}
		const candidates = this.#candidates(session, 1);
		if (!this.#coversAll(match, [candidates])) return match;
		yield* this.#scan(match, 1, candidates, true);
		return match;
	}

	/** The brief search of what is left, for a session in which the first tier does not have all terms. */
	*scanSecond(session: SearchableSession): Generator<void, SessionMatch | undefined, undefined> {
		if (this.#cannotMatch(session)) return undefined;
		const match = this.begin(session);
		this.#recall(match, 2);
		if (match.complete) {
			this.#remember(match, 2);
			return match;
		}
		const first = this.#kept.has(session.id) ? [] : this.#candidates(session, 1);
		const second = this.#candidates(session, 2);
		if (!this.#coversAll(match, [first, second])) {
			if (++this.#skipped % 64 === 0) yield;
			return undefined;
		}
		if (!this.#kept.has(session.id)) yield* this.#scan(match, 1, first, true);
		yield* this.#scan(match, 2, second, true);
		return match;
	}

	/** Finds all places in a session, for the counts. */
	*scanFully(match: SessionMatch): Generator<void, void, undefined> {
		const { session } = match;
		if (this.#kept.has(session.id)) this.#scanKept(match, false);
		else yield* this.#scan(match, 1, this.#candidates(session, 1), false);
		yield* this.#scan(match, 2, this.#candidates(session, 2), false);
	}

	/** Searches what is kept of a session; returns how many bytes there were. */
	#scanKept(match: SessionMatch, briefly: boolean): number {
		let bytes = 0;
		if (briefly) this.#recall(match, 1);
		for (const { seq, block } of this.#kept.get(match.session.id)) {
			if (briefly && match.complete) break;
			bytes += block.text.length;
			this.#scanBlock(match, 1, seq, this.#all, briefly, () => block);
		}
		if (briefly) this.#remember(match, 1);
		return bytes;
	}

	/** Searches the session's candidate blocks of a tier; `briefly`: for each term only as far as it takes to find it. */
	*#scan(
		match: SessionMatch,
		tier: 1 | 2,
		candidates: readonly Candidate[],
		briefly: boolean,
	): Generator<void, void, undefined> {
		if (briefly) this.#recall(match, tier);
		for (const { seq, terms } of candidates) {
			if (briefly && match.complete) break;
			if (this.#scanBlock(match, tier, seq, terms, briefly, () => this.#reader.block(match.session.id, tier, seq)))
				yield;
		}
		if (briefly) this.#remember(match, tier);
	}

	/** Takes from earlier searches what they tell of the terms that have not been found. */
	#recall(match: SessionMatch, tier: Tier): void {
		for (const [term, recalls] of this.#recalls.entries()) {
			if (match.best[term]) continue;
			const recalled = recalls?.[tier]?.(match.session);
			if (!recalled) continue;
			for (const found of recalled.matches) match.take(term, tier, recalled.seq, found);
			match.places[term] = recalled.places;
		}
	}

	/** Remembers where the terms are, for the next key, after a brief search of a tier. */
	#remember(match: SessionMatch, tier: Tier): void {
		for (const [term, needle] of this.#plain.entries()) {
			const best = match.best[term];
			// Found in an earlier tier: this one was not searched.
			if (needle === undefined || (best && best.tier !== tier) || (!best && match.complete)) continue;
			this.#before.keep(match.session, tier, needle, best?.seq ?? NOWHERE, match.places[term]);
		}
	}

	/** Searches a block for those of the terms that have not been looked for in it; false when there are none. */
	#scanBlock(
		match: SessionMatch,
		tier: Tier,
		seq: number,
		terms: number,
		briefly: boolean,
		read: () => LazyBlock | undefined,
	): boolean {
		let block: LazyBlock | undefined;
		for (const [term, needle] of this.#needles.entries()) {
			if ((terms & (1 << term)) === 0 || (briefly && match.best[term])) continue;
			if (seq < (this.#starts[term]?.[tier]?.(match.session) ?? 0)) continue;
			if (!match.begin(tier, seq, term, briefly)) continue;
			block ??= read();
			if (!block) return false;
			const places: FoundPlace[] | undefined = briefly && this.#plain[term] !== undefined ? [] : undefined;
			const left = this.#match(needle, block, briefly, places, (found) => match.take(term, tier, seq, found));
			if (left === 0) match.more = true;
			if (places && match.best[term]) match.places[term] = places;
		}
		return block !== undefined;
	}

	/** Tells the places in a block, up to a limit; briefly: the first, and the first that is a whole word. */
	#match(
		needle: Needle,
		block: LazyBlock,
		briefly: boolean,
		places: FoundPlace[] | undefined,
		onFound: (match: Match) => void,
	): number {
		let left = briefly ? LOOKED_AT_BRIEFLY : COUNTED_PER_BLOCK;
		let first = true;
		matchBlock(needle, block, this.#tools, (found) => {
			left -= 1;
			if (places) addPlace(places, block.text, found);
			if (!briefly || first || found.word) onFound(found);
			first = false;
			return left > 0 && !(briefly && found.word);
		});
		return left;
	}
}

/** A new query is let in after so many bytes: a few milliseconds. */
const YIELD_BYTES = 4 * 1024 * 1024;

/** So many places in a block are looked at for a whole word. */
const LOOKED_AT_BRIEFLY = 20;
