import { fold } from "../../catalog/query/fold.ts";
import { holdsTerm, type SearchedText } from "../../catalog/query/holds-term.ts";
import { type Kind, maskOf } from "../../catalog/query/kinds.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import type { SessionRow } from "../../catalog/row.ts";

/** What the list itself knows of a session, by the kind that it has for the search. */
interface RowText extends SearchedText {
	/** Rank of a match here, in the search's numbers: 0 best. */
	readonly rank: number;
}

/** Behind every place that the search ranks: the file's path and the session's id. */
const LAST_RANK = 5;

const rowTexts = new WeakMap<SessionRow, readonly RowText[]>();

/**
 * Rank of a session by what the list knows of it (name, first message, project, path, id), lower is better; undefined
 * when that does not hold all terms. Answers before the search in the whole text does.
 */
export function rankRow(row: SessionRow, query: Query): number | undefined {
	if (query.tool !== undefined) return undefined;
	let worst = 0;
	for (const term of query.terms) {
		const best = textsOf(row).reduce<number | undefined>(
			(rank, text) => (holdsTerm(text, term) ? Math.min(rank ?? text.rank, text.rank) : rank),
			undefined,
		);
		if (best === undefined) return undefined;
		worst = Math.max(worst, best);
	}
	return worst;
}

function textsOf(row: SessionRow): readonly RowText[] {
	let texts = rowTexts.get(row);
	if (texts === undefined) {
		const text = (kinds: readonly Kind[], raw: string, rank: number) => ({
			kinds: maskOf(kinds),
			folded: fold(raw),
			rank,
		});
		texts = [
			text(["name"], row.name ?? "", 0),
			text(["title"], row.firstMessage, 1),
			text(["cwd"], row.cwd, 3),
			// A place or an id is typed without any field; the search does not know these two.
			text(["cwd"], row.path, LAST_RANK),
			text(["cwd"], row.id, LAST_RANK),
		];
		rowTexts.set(row, texts);
	}
	return texts;
}
