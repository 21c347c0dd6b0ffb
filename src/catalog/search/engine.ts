import type { Tier } from "./kinds.ts";
import { type Match, matchBlock, type Needle, needleOf, type ToolTest } from "./match-block.ts";
import { inTier, type Query } from "./query.ts";
import { COUNTED_PER_BLOCK, SessionMatch } from "./session-match.ts";
import type { Candidates, LazyBlock, SearchableSession, TextReader } from "./text-reader.ts";
import { needleHashes } from "./trigram-filter.ts";

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
	query: Query,
	sessions: readonly SearchableSession[],
	listener: EngineListener,
): Generator<void, void, undefined> {
	const search = new Search(reader, query);
	const matched: SearchableSession[] = [];
	const report = (session: SearchableSession, match: SessionMatch) => {
		match.more = true;
		matched.push(session);
		listener.onMatch(session, match);
	};
	yield* search.scanHeadlines();
	const first = yield* search.candidates(1);
	if (search.isDense(1, first)) yield* search.sweepBriefly(1, first);
	const open: SearchableSession[] = [];
	for (const session of sessions) {
		const match = search.known(session);
		if (!search.coversAll(match, [first.get(session.id)])) {
			open.push(session);
			continue;
		}
		const started = match ?? search.begin(session);
		yield* search.scan(started, 1, first, true);
		if (started.complete) report(session, started);
		else open.push(session);
	}
	listener.onPhase("first");
	yield;
	const second = open.length > 0 ? yield* search.candidates(2) : new Map();
	for (const session of open) {
		const match = search.known(session);
		if (!search.coversAll(match, [first.get(session.id), second.get(session.id)])) continue;
		const started = match ?? search.begin(session);
		yield* search.scan(started, 1, first, true);
		yield* search.scan(started, 2, second, true);
		if (started.complete) report(session, started);
	}
	listener.onPhase("second");
	yield;
	const all = open.length > 0 || matched.length === 0 ? second : yield* search.candidates(2);
	for (const session of matched) {
		const match = search.begin(session);
		match.more = false;
		yield* search.scan(match, 1, first, false);
		yield* search.scan(match, 2, all, false);
		listener.onMatch(session, match);
	}
	listener.onPhase("done");
}

class Search {
	readonly #reader: TextReader;
	readonly #needles: readonly Needle[];
	readonly #tools: ToolTest;
	readonly #matches = new Map<number, SessionMatch>();
	readonly #all: number;

	constructor(reader: TextReader, query: Query) {
		this.#reader = reader;
		this.#needles = query.terms.map(needleOf);
		this.#tools = reader.toolTest(query);
		this.#all = 2 ** query.terms.length - 1;
	}

	/** What has been found in the session so far; undefined when nothing was looked at. */
	known(session: SearchableSession): SessionMatch | undefined {
		return this.#matches.get(session.id);
	}

	begin({ id }: { readonly id: number }): SessionMatch {
		let match = this.#matches.get(id);
		if (!match) {
			match = new SessionMatch(id, this.#needles.length);
			this.#matches.set(id, match);
		}
		return match;
	}

	candidates(tier: Tier): Generator<void, Candidates, undefined> {
		const hashes = this.#needles.map(({ term, bytes }) =>
			inTier(term, tier) ? needleHashes(bytes ?? new Uint8Array()) : undefined,
		);
		return this.#reader.candidates(tier, hashes);
	}

	/** Whether each term has been found or may be in at least one of the blocks. */
	coversAll(
		match: SessionMatch | undefined,
		blocks: readonly (readonly { readonly terms: number }[] | undefined)[],
	): boolean {
		let terms = match?.found ?? 0;
		for (const some of blocks) for (const block of some ?? []) terms |= block.terms;
		return terms === this.#all;
	}

	*scanHeadlines(): Generator<void, void, undefined> {
		const wanted = this.#needles.filter(({ term }) => inTier(term, 0));
		if (wanted.length === 0) return;
		let blocks = 0;
		for (const { session, seq, block } of this.#reader.sweep(0)) {
			for (const needle of wanted)
				this.#match(needle, block, false, (found) => {
					this.begin({ id: session }).take(this.#needles.indexOf(needle), 0, seq, found);
				});
			if (++blocks % 256 === 0) yield;
		}
	}

	/** Whether so many blocks are candidates that reading all of them in their order is faster. */
	isDense(tier: Tier, candidates: Candidates): boolean {
		let count = 0;
		for (const blocks of candidates.values()) count += blocks.length;
		return count * 3 > this.#reader.blocks(tier);
	}

	/** The brief search of all candidate blocks of a tier, in the order in which they are stored. */
	*sweepBriefly(tier: Tier, candidates: Candidates): Generator<void, void, undefined> {
		let blocks = 0;
		for (const { session, seq, block } of this.#reader.sweep(tier)) {
			if (++blocks % 64 === 0) yield;
			const terms = candidates.get(session)?.find((candidate) => candidate.seq === seq)?.terms;
			if (terms === undefined) continue;
			const match = this.begin({ id: session });
			this.#scanBlock(match, tier, seq, terms, true, () => block);
		}
	}

	/** Searches the session's candidate blocks of a tier; `briefly`: for each term only as far as it takes to find it. */
	*scan(match: SessionMatch, tier: Tier, candidates: Candidates, briefly: boolean): Generator<void, void, undefined> {
		for (const { seq, terms } of candidates.get(match.session) ?? []) {
			if (this.#scanBlock(match, tier, seq, terms, briefly, () => this.#reader.block(match.session, tier, seq))) yield;
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
			if (!match.begin(tier, seq, term, briefly)) continue;
			block ??= read();
			if (!block) return false;
			const left = this.#match(needle, block, briefly, (found) => match.take(term, tier, seq, found));
			if (left === 0) match.more = true;
		}
		return block !== undefined;
	}

	/** Tells the places in a block, up to a limit; briefly: the first, and the first that is a whole word. */
	#match(needle: Needle, block: LazyBlock, briefly: boolean, onFound: (match: Match) => void): number {
		let left = briefly ? LOOKED_AT_BRIEFLY : COUNTED_PER_BLOCK;
		let first = true;
		matchBlock(needle, block, this.#tools, (found) => {
			left -= 1;
			if (!briefly || first || found.word) onFound(found);
			first = false;
			return left > 0 && !(briefly && found.word);
		});
		return left;
	}
}

/** So many places in a block are looked at for a whole word. */
const LOOKED_AT_BRIEFLY = 20;
