import { NOTHING_LIVE } from "../../../catalog/model/live.ts";
import { NO_MARKS } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import {
	fileNames,
	flatConditions,
	needsCounts,
	type RowFacts,
	WAITING_STATES,
} from "../../../catalog/query/conditions.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import { ALL_KINDS } from "../../../catalog/query/fields.ts";
import { beginningOf } from "../../../catalog/query/fold.ts";
import { ALIAS_RANK, type Kind, OWN_PROJECT_RANK, rankOf } from "../../../catalog/query/kinds.ts";
import { holdsTerm, isOwnProject, SearchText, spanOf } from "../../../catalog/query/match.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import { relevanceOf } from "../../../catalog/query/relevance.ts";
import { alternativesOf, type Term } from "../../../catalog/query/term.ts";
import { dollarsOfFamilies } from "../../../catalog/stats/family-cost.ts";
import { memoEach, memoFields, memoLast } from "../../../shared/memo.ts";
import type { State } from "../state/state.ts";
import { familiesOf, NO_FAMILIES } from "./families.ts";
import { goneDirectories } from "./gone-directories.ts";

/** Characters of a text that are compared between two frames; the rest is left to the search in the files. */
const MAX_COMPARED = 1000;

interface Compared {
	readonly texts: readonly RowText[];
	query: Query | undefined;
	rank: number | undefined;
}

interface RowText {
	/** Only its beginning if it is long. */
	readonly text: SearchText;
	readonly isCut: boolean;
	readonly isLocation: boolean;
}

/**
 * Rank of a session by the texts of its row (name, first message, project, path, id), on the scale of the search, lower is
 * better; undefined unless they contain all terms. It is known before the search in the files has answered; excluded and optional
 * terms need that search.
 */
export function rankRow(row: SessionRow, query: Query): number | undefined {
	const compared = comparedOf(row);
	// While a search runs, the list is computed many times for the same query.
	if (compared.query === query) return compared.rank;
	compared.query = query;
	const isDecided = query.without.length === 0 && !query.terms.some(({ isOptional }) => isOptional);
	compared.rank = isDecided ? rankOfTexts(compared.texts, query) : undefined;
	return compared.rank;
}

export function isExcluded(row: SessionRow, { without }: Query): boolean {
	return without.length > 0 && without.some((term) => bestRank(comparedOf(row).texts, term) !== undefined);
}

function rankOfTexts(texts: readonly RowText[], { terms }: Query): number | undefined {
	const ranks: number[] = [];
	for (const term of terms) {
		const best = bestRank(texts, term);
		if (best === undefined) return undefined;
		ranks.push(best);
	}
	const isTogether = texts.some(({ text }) => terms.every((term) => holdsTerm(text, term)));
	return relevanceOf({ ranks, isTogether });
}

function bestRank(texts: readonly RowText[], term: Term): number | undefined {
	let best: number | undefined;
	for (const one of alternativesOf(term))
		for (const { text, isCut, isLocation } of texts) {
			// A pattern may match at the cut although it does not match the whole text.
			if ((isCut && one.regex !== undefined) || !holdsTerm(text, one)) continue;
			// `cwd:` asks for the directory of the session, not of its file.
			if (isLocation && one.kinds !== ALL_KINDS) continue;
			const rank = isLocation
				? ALIAS_RANK
				: isOwnProject(text, one)
					? OWN_PROJECT_RANK
					: rankOf(text.kind, one, isWord(text, one));
			best = Math.min(best ?? rank, rank);
		}
	return best;
}

/** Not for patterns: finding whole words among their matches takes many times as long as testing them. */
function isWord(text: SearchText, term: Term): boolean {
	return term.regex === undefined && spanOf(text, term).word;
}

const comparedOf = memoEach(
	(row: SessionRow): Compared => ({ texts: textsOf(row), query: undefined, rank: undefined }),
);

function textsOf(row: SessionRow): readonly RowText[] {
	// People type a path or an id without a field.
	const all: readonly (readonly [Kind, string, isLocation: boolean])[] = [
		["name", row.name ?? "", false],
		["title", row.firstMessage, false],
		["cwd", row.cwd, false],
		["cwd", row.path, true],
		["cwd", row.id, true],
	];
	return all
		.filter(([, text]) => text !== "")
		.map(([kind, text, isLocation]) => {
			const isCut = text.length > MAX_COMPARED;
			return { text: new SearchText(kind, beginningOf(text, MAX_COMPARED)), isCut, isLocation };
		});
}

/**
 * What the conditions of a query depend on besides the rows; the same object as long as none of that changes, so that the
 * list is not computed again for changes that its query does not depend on.
 */
export const rowFacts = newRowFacts();

/** A separate cache of facts, for one of several queries. */
export function newRowFacts(): (state: State, query: Query) => RowFacts {
	const factsOf = memoFields(({ rows, ...facts }: Omit<RowFacts, "fileNames"> & Pick<State["catalog"], "rows">) => ({
		...facts,
		fileNames: fileNames(rows.keys()),
	}));
	return (state, query) => {
		const { catalog, marks, now, git } = state;
		const conditions = flatConditions(query.conditions);
		const asksFor = (name: string) => conditions.some(({ field, value }) => field === "is" && value === name);
		const asksForWaiting = conditions.some(({ field, value }) => field === "is" && WAITING_STATES.has(value));
		const asksForMarks =
			conditions.some(({ field }) => field === "tag") ||
			["pinned", "tagged", "reviewed"].some(asksFor) ||
			asksForWaiting;
		return factsOf({
			rows: asksFor("orphan") || asksFor("copy") ? catalog.rows : NO_ROWS,
			runs:
				asksForWaiting || conditions.some(({ field }) => field === "agent" || field === "runs")
					? familiesOf(catalog.rows).runs
					: NO_FAMILIES.runs,
			familyCosts: conditions.some(({ field }) => field === "cost")
				? costsIn(catalog.counts, familiesOf(catalog.rows).runs)
				: NO_COSTS,
			live: asksFor("running") || asksForWaiting ? catalog.live.sessions : NOTHING_LIVE.sessions,
			marks: asksForMarks ? marks : NO_MARKS,
			gone: asksFor("gone") ? goneDirectories(state) : NOTHING_GONE,
			branches: conditions.some(({ field }) => field === "branch") ? git.branches : NO_BRANCHES,
			counts: needsCounts(conditions) ? catalog.counts : NO_COUNTS,
			now: conditions.length === 0 ? 0 : startOfDay(now),
		});
	};
}

const costsIn = memoLast(dollarsOfFamilies);
const NO_COSTS: ReadonlyMap<string, number> = new Map();
const NOTHING_GONE: ReadonlySet<string> = new Set();
const NO_BRANCHES: ReadonlyMap<string, string> = new Map();
const NO_ROWS: State["catalog"]["rows"] = new Map();
const NO_COUNTS: State["catalog"]["counts"] = new Map();
