import { kindOf } from "../query/kinds.ts";
import { parseQuery, type Query } from "../query/parse-query.ts";
import { type Phase, searchSteps } from "./engine.ts";
import type { KeptText } from "./kept-text.ts";
import { hitOf, locate } from "./locate.ts";
import {
	compareResults,
	type Hit,
	type SearchEvent,
	type SearchOptions,
	type SearchResult,
	type Snippet,
} from "./search.ts";
import type { BestMatch, SessionMatch } from "./session-match.ts";
import type { SearchableSession, TextReader } from "./text-reader.ts";

/** Results are told together, but none is kept back for longer than this, in milliseconds. */
const MAX_WAIT_MS = 40;
/** So many of the best results are looked up in their files, for their own case and their branch. */
const LOCATED = 40;
/** So many already before the second tier is searched. */
const LOCATED_FIRST = 10;

/** Runs one search and tells of it; yields often. */
export function* searchRunSteps(
	reader: TextReader,
	kept: KeptText,
	text: string,
	locate: SearchOptions["locate"],
	tell: (event: SearchEvent) => void,
): Generator<void, void, undefined> {
	const parsed = parseQuery(text);
	if ("error" in parsed) return tell({ type: "error", message: parsed.error });
	const { sessions, stored, total } = reader.sessions();
	const progress = (phase: Phase) => tell({ type: "progress", phase, searched: stored, total });
	if (parsed.query.terms.length === 0) return progress("done");
	const results = new ResultBox(reader, parsed.query, tell);
	let ended: Phase[] = [];
	const steps = searchSteps(reader, kept, parsed.query, sessions, {
		onMatch: (session, match) => results.add(session, match),
		onPhase: (phase) => ended.push(phase),
	});
	for (;;) {
		const { done } = steps.next();
		for (const phase of ended) {
			if (phase === "done" && locate === "all") yield* results.locateBest(Number.POSITIVE_INFINITY);
			results.flush();
			progress(phase);
			yield;
			// Who wants all of them waits for the end.
			if (locate === "all") continue;
			if (phase === "first") yield* results.locateBest(LOCATED_FIRST);
			if (phase === "second") {
				yield* results.locateBest(LOCATED);
				yield* results.fillSnippets();
			}
		}
		ended = [];
		if (done) return;
		results.flushIfDue();
		yield;
	}
}

/** So many results get their snippets at once; the others follow when all have been told. */
const SNIPPETS_AT_ONCE = 100;

const NO_SNIPPET: Snippet = { text: "", ranges: [] };

function plainHit({ line, code }: BestMatch): Hit {
	return { line, entryId: "", kind: kindOf(code), active: true, snippet: NO_SNIPPET };
}

interface Known {
	result: SearchResult;
	located: boolean;
	readonly session: SearchableSession;
	readonly shown: BestMatch;
}

class ResultBox {
	readonly #reader: TextReader;
	readonly #query: Query;
	readonly #tell: (event: SearchEvent) => void;
	readonly #all = new Map<string, Known>();
	#fresh = new Set<string>();
	#since = performance.now();

	constructor(reader: TextReader, query: Query, tell: (event: SearchEvent) => void) {
		this.#reader = reader;
		this.#query = query;
		this.#tell = tell;
	}

	add(session: SearchableSession, match: SessionMatch): void {
		const { shown, rank, count, more } = match;
		if (!shown) return;
		const known = this.#all.get(session.path);
		const same = known !== undefined && known.shown.line === shown.line && known.shown.start === shown.start;
		if (same && known.result.count === count && known.result.more === more && known.result.rank === rank) return;
		// The first ones fill the screen; making a snippet for each of thousands would keep them all waiting.
		const best = same
			? known.result.best
			: this.#all.size < SNIPPETS_AT_ONCE
				? this.#hit(session, shown)
				: plainHit(shown);
		const result = { path: session.path, rank, modified: session.modified, count, more, best };
		this.#all.set(session.path, { result, session, shown, located: same ? known.located : false });
		this.#fresh.add(session.path);
	}

	#hit(session: SearchableSession, shown: BestMatch): Hit {
		const block = this.#reader.block(session.id, shown.tier, shown.seq);
		return block ? hitOf(block, shown, this.#query.terms) : plainHit(shown);
	}

	flushIfDue(): void {
		if (performance.now() - this.#since >= MAX_WAIT_MS) this.flush();
	}

	flush(): void {
		this.#since = performance.now();
		const results: SearchResult[] = [];
		for (const path of this.#fresh) {
			const known = this.#all.get(path);
			if (known) results.push(known.result);
		}
		this.#fresh = new Set();
		if (results.length > 0) this.#tell({ type: "results", results });
	}

	/** Looks the best results up in their files. */
	*locateBest(count: number): Generator<void, void, undefined> {
		const best = [...this.#all.values()].sort((a, b) => compareResults(a.result, b.result)).slice(0, count);
		for (const known of best) {
			if (known.located) continue;
			const entries = this.#reader.entries(known.session.id);
			const hit = locate(known.session.path, known.result.best, entries, entries.activePath(), this.#query.terms);
			const snippet = hit.snippet === NO_SNIPPET ? this.#hit(known.session, known.shown).snippet : hit.snippet;
			known.result = { ...known.result, best: { ...hit, snippet } };
			known.located = true;
			this.#fresh.add(known.session.path);
			yield;
		}
		this.flush();
	}

	/** Makes the snippets that were left out. */
	*fillSnippets(): Generator<void, void, undefined> {
		for (const known of this.#all.values()) {
			if (known.result.best.snippet !== NO_SNIPPET) continue;
			known.result = { ...known.result, best: this.#hit(known.session, known.shown) };
			this.#fresh.add(known.session.path);
			this.flushIfDue();
			yield;
		}
		this.flush();
	}
}
