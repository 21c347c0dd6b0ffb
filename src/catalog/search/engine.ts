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
		for (const { session, seq, block } of this.#reader.headlines()) {
			for (const needle of wanted)
				this.#match(needle, block, false, (found) => {
					this.begin({ id: session }).take(this.#needles.indexOf(needle), 0, seq, found);
				});
			if (++blocks % 256 === 0) yield;
		}
	}

	/** Searches the session's candidate blocks of a tier; `briefly`: for each term only as far as it takes to find it. */
	*scan(match: SessionMatch, tier: Tier, candidates: Candidates, briefly: boolean): Generator<void, void, undefined> {
		for (const { seq, terms } of candidates.get(match.session) ?? []) {
			const wanted = this.#needles.filter(
				(_needle, index) => (terms & (1 << index)) !== 0 && !(briefly && match.best[index]),
			);
			const fresh = wanted.filter((needle) => match.begin(tier, seq, this.#needles.indexOf(needle), briefly));
			const block = fresh.length > 0 ? this.#reader.block(match.session, tier, seq) : undefined;
			if (!block) continue;
			for (const needle of fresh) {
				const term = this.#needles.indexOf(needle);
				const left = this.#match(needle, block, briefly, (found) => match.take(term, tier, seq, found));
				if (left === 0) match.more = true;
			}
			yield;
		}
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
