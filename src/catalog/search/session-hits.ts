import { TIERS } from "../query/kinds.ts";
import { inTier, type Query } from "../query/parse-query.ts";
import type { EntryList } from "../texts/entry-list.ts";
import { candidatesIn, termHashes } from "./candidates.ts";
import { hitOf, locate } from "./locate.ts";
import { type Match, matchBlock, needleOf } from "./match-block.ts";
import type { Hit } from "./search.ts";
import type { SearchableSession, TextReader } from "./text-reader.ts";

/** More entries than this are not told: nobody steps through them. */
const MAX_HITS = 5000;

/** All entries of one session in which a term was found, in file order, one hit for each; yields now and then. */
export function* sessionHitsSteps(
	reader: TextReader,
	query: Query,
	session: SearchableSession,
): Generator<void, Hit[], undefined> {
	const byLine = new Map<number, Hit>();
	const tools = reader.toolTest(query);
	for (const needle of query.terms.map(needleOf)) {
		for (const tier of TIERS) {
			if (!inTier(needle.term, tier)) continue;
			const candidates = candidatesIn(reader.filters(session.id, tier), termHashes([needle], tier));
			for (const { seq } of candidates) {
				const block = reader.block(session.id, tier, seq);
				if (!block) continue;
				matchBlock(needle, block, tools, (match: Match) => {
					if (!byLine.has(match.line)) byLine.set(match.line, hitOf(block, match, query.terms));
					return byLine.size < MAX_HITS;
				});
				yield;
			}
		}
	}
	const entries: EntryList = reader.entries(session.id);
	const active = entries.activePath();
	const hits: Hit[] = [];
	for (const hit of [...byLine.values()].sort((a, b) => a.line - b.line)) {
		hits.push(locate(session.path, hit, entries, active, query.terms));
		yield;
	}
	return hits;
}
