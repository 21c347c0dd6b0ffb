import type { SessionRow } from "../../catalog/model/row.ts";
import { type Kind, rankOf } from "../../catalog/query/kinds.ts";
import { holdsTerm, spanOf } from "../../catalog/query/match.ts";
import type { Query, Term } from "../../catalog/query/parse-query.ts";
import { SearchText } from "../../catalog/query/search-text.ts";

/** Rank of a hit in the file's path or the session's id: behind everything that the search finds. */
const LAST_RANK = 6;

interface Ranked {
	readonly query: Query;
	readonly rank: number | undefined;
}

const rowTexts = new WeakMap<SessionRow, readonly SearchText[]>();
/** While a search runs, the list is computed many times for the same query. */
const ranks = new WeakMap<SessionRow, Ranked>();

/**
 * Rank of a session by what the list has of it (name, first message, project, path, id), on the scale of the search, lower
 * is better; undefined unless all terms are in that. It is known before the search in the files has answered.
 */
export function rankRow(row: SessionRow, query: Query): number | undefined {
	const known = ranks.get(row);
	if (known?.query === query) return known.rank;
	const rank = query.tool === undefined ? worstRank(row, query) : undefined;
	ranks.set(row, { query, rank });
	return rank;
}

function worstRank(row: SessionRow, query: Query): number | undefined {
	let worst = 0;
	for (const term of query.terms) {
		const best = bestRank(row, term);
		if (best === undefined) return undefined;
		worst = Math.max(worst, best);
	}
	return worst;
}

function bestRank(row: SessionRow, term: Term): number | undefined {
	let best: number | undefined;
	for (const text of textsOf(row)) {
		if (!holdsTerm(text, term)) continue;
		const isLocation = text.text === row.path || text.text === row.id;
		const rank = isLocation ? LAST_RANK : rankOf(text.kind, spanOf(text, term).word);
		best = Math.min(best ?? rank, rank);
	}
	return best;
}

function textsOf(row: SessionRow): readonly SearchText[] {
	let texts = rowTexts.get(row);
	if (texts === undefined) {
		// People type a path or an id without a field; the search in the files does not look at these two.
		const all: readonly (readonly [Kind, string])[] = [
			["name", row.name ?? ""],
			["title", row.firstMessage],
			["cwd", row.cwd],
			["cwd", row.path],
			["cwd", row.id],
		];
		texts = all.map(([kind, text]) => new SearchText(kind, text));
		rowTexts.set(row, texts);
	}
	return texts;
}
