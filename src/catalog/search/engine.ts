import type { Tier } from "./kinds.ts";
import { matchBlock, type Needle, needleOf, type ToolTest } from "./match-block.ts";
import { type Query, tiersOf } from "./query.ts";
import { COUNTED_PER_BLOCK, SessionMatch } from "./session-match.ts";
import type { Candidates, SearchableSession, TextReader } from "./text-reader.ts";
import { needleHashes } from "./trigram-filter.ts";

/** What the engine tells: a session whose match is new or has changed, or the end of a phase. */
export interface EngineListener {
	onMatch(session: SearchableSession, match: SessionMatch): void;
	onPhase(phase: "first" | "second" | "done"): void;
}

/**
 * Searches all sessions, newest first, in three passes: the first tier in full; the second tier of the sessions that
 * have not matched yet, each only as far as needed to know; then the rest of the second tier of those that match, for
 * the counts. Yields often; whoever runs it can stop at any yield.
 */
export function* searchSteps(
	reader: TextReader,
	query: Query,
	sessions: readonly SearchableSession[],
	listener: EngineListener,
): Generator<void, void, undefined> {
	const search = new Search(reader, query);
	const first = yield* search.candidates(1);
	const open: SearchableSession[] = [];
	const matched: SearchableSession[] = [];
	for (const session of sessions) {
		if (!search.coversAll([first.get(session.id)])) {
			open.push(session);
			continue;
		}
		const match = search.matchOf(session);
		yield* search.scan(match, 1, first, false);
		if (match.complete) {
			matched.push(session);
			listener.onMatch(session, match);
		} else open.push(session);
	}
	listener.onPhase("first");
	const second = yield* search.candidates(2);
	for (const session of open) {
		if (!search.coversAll([first.get(session.id), second.get(session.id)])) continue;
		const match = search.matchOf(session);
		yield* search.scan(match, 1, first, false);
		yield* search.scan(match, 2, second, true);
		if (!match.complete) continue;
		match.more = second.has(session.id);
		matched.push(session);
		listener.onMatch(session, match);
	}
	listener.onPhase("second");
	for (const session of matched) {
		if (!second.has(session.id)) continue;
		const match = search.matchOf(session);
		const before = match.count;
		const { more } = match;
		match.more = false;
		yield* search.scan(match, 2, second, false);
		if (match.count !== before || match.more !== more) listener.onMatch(session, match);
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

	candidates(tier: Tier): Generator<void, Candidates, undefined> {
		const hashes = this.#needles.map(({ term, bytes }) =>
			tiersOf(term)[tier] ? needleHashes(bytes ?? new Uint8Array()) : undefined,
		);
		return this.#reader.candidates(tier, hashes);
	}

	/** Whether each term may be in at least one of the blocks. */
	coversAll(blocks: readonly (readonly { readonly terms: number }[] | undefined)[]): boolean {
		let terms = 0;
		for (const some of blocks) for (const block of some ?? []) terms |= block.terms;
		return terms === this.#all;
	}

	matchOf(session: SearchableSession): SessionMatch {
		let match = this.#matches.get(session.id);
		if (!match) {
			match = new SessionMatch(session.id, this.#needles.length);
			this.#matches.set(session.id, match);
		}
		return match;
	}

	/** Searches the session's candidate blocks of a tier; `briefly`: only until all terms have been found. */
	*scan(match: SessionMatch, tier: Tier, candidates: Candidates, briefly: boolean): Generator<void, void, undefined> {
		for (const { seq, terms } of candidates.get(match.session) ?? []) {
			if (briefly && match.complete) return;
			// A term that is known to be there needs no further look for now.
			const wanted = this.#needles.filter(
				(_needle, index) => (terms & (1 << index)) !== 0 && !(briefly && match.best[index]),
			);
			if (wanted.length === 0) continue;
			const fresh = wanted.filter((needle) => match.begin(tier, seq, this.#needles.indexOf(needle)));
			const block = fresh.length > 0 ? this.#reader.block(match.session, tier, seq) : undefined;
			if (!block) continue;
			for (const needle of fresh) {
				const term = this.#needles.indexOf(needle);
				let left = COUNTED_PER_BLOCK;
				matchBlock(needle, block, this.#tools, (found) => {
					match.take(term, tier, seq, found);
					left -= 1;
					if (left === 0) match.more = true;
					return left > 0;
				});
			}
			yield;
		}
	}
}
