import { searchSteps } from "./engine.ts";
import { hitOf, locate } from "./locate.ts";
import { parseQuery, type Query } from "./query.ts";
import { compareResults, type SearchEvent, type SearchResult } from "./search.ts";
import type { SessionMatch } from "./session-match.ts";
import type { SearchableSession, TextReader } from "./text-reader.ts";

/** Results are told together, but none is kept back for longer than this, in milliseconds. */
const MAX_WAIT_MS = 40;
/** So many of the best results are looked up in their files, for their own case and their branch. */
const LOCATED = 40;

/** Runs one search and tells of it; yields often. */
export function* searchRunSteps(
	reader: TextReader,
	text: string,
	tell: (event: SearchEvent) => void,
): Generator<void, void, undefined> {
	const parsed = parseQuery(text);
	if ("error" in parsed) return tell({ type: "error", message: parsed.error });
	const { sessions, stored, total } = reader.sessions();
	const progress = (phase: "first" | "second" | "done") => tell({ type: "progress", phase, searched: stored, total });
	if (parsed.query.terms.length === 0) return progress("done");
	const results = new ResultBox(reader, parsed.query, tell);
	let ended: ("first" | "second" | "done")[] = [];
	const steps = searchSteps(reader, parsed.query, sessions, {
		onMatch: (session, match) => results.add(session, match),
		onPhase: (phase) => ended.push(phase),
	});
	for (;;) {
		const { done } = steps.next();
		for (const phase of ended) {
			results.flush();
			progress(phase);
			if (phase !== "done") yield* results.locateBest();
		}
		ended = [];
		if (done) return;
		results.flushIfDue();
		yield;
	}
}

class ResultBox {
	readonly #reader: TextReader;
	readonly #query: Query;
	readonly #tell: (event: SearchEvent) => void;
	readonly #all = new Map<string, { result: SearchResult; session: SearchableSession; located: boolean }>();
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
		const same = known && known.result.best.line === shown.line;
		const block = same ? undefined : this.#reader.block(session.id, shown.tier, shown.seq);
		const best = same ? known.result.best : block && hitOf(block, shown, this.#query.terms);
		if (!best) return;
		const result = { path: session.path, rank, modified: session.modified, count, more, best };
		this.#all.set(session.path, { result, session, located: same ? known.located : false });
		this.#fresh.add(session.path);
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
	*locateBest(): Generator<void, void, undefined> {
		const best = [...this.#all.values()].sort((a, b) => compareResults(a.result, b.result)).slice(0, LOCATED);
		for (const known of best) {
			if (known.located) continue;
			const entries = this.#reader.entries(known.session.id);
			const hit = locate(known.session.path, known.result.best, entries, entries.activePath(), this.#query.terms);
			known.result = { ...known.result, best: hit };
			known.located = true;
			this.#fresh.add(known.session.path);
			yield;
		}
		this.flush();
	}
}
