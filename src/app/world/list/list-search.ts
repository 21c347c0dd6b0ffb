import { asksForText, lastQuery, NO_QUERY, parseQuery, type Query } from "../../../catalog/query/parse-query.ts";
import type { SearchEvent, SearchResult } from "../../../catalog/search/search.ts";
import { withEntries } from "../../../shared/maps.ts";
import { memoLast } from "../../../shared/memo.ts";
import { defineQuery } from "../effects/define-query.ts";
import { LONGEST_RECENT, MOST_RECENT } from "../state/list-state.ts";
import type { State } from "../state/state.ts";
import { typedIn, wantedQuery } from "./select-saved.ts";

interface AskedQuery {
	readonly query: Query;
	/** When it was asked for, Unix ms. */
	readonly began: number;
}

interface SearchResults extends AskedQuery {
	/** Sessions in which the query was found, by path. */
	readonly results: ReadonlyMap<string, SearchResult>;
	/** Paths of the sessions that have the words of the query only in other forms. */
	readonly others: ReadonlySet<string>;
	/** Paths of the sessions that could not be searched, or only in part, and for each the reason. */
	readonly unread: ReadonlyMap<string, string>;
	/** How many of `total` sessions have been searched for `query`. */
	readonly searched: number;
	readonly total: number;
	/** The report of visible sessions (`State.watched`) for which results are final; undefined while more may come. */
	readonly settled: number | undefined;
	/** Whether other forms of the words are still searched for, which changes nothing that was found as typed. */
	readonly inForms: boolean;
	readonly error?: string;
}

/** The full-text search, started by the list's filter. */
interface ListSearch extends SearchResults {
	/** The query of the last request: the typed text, or the last one that was a valid query. */
	readonly requested: Query;
	/** The typed text if it is not a valid query (yet), with the reason; until it is, the last results stay. */
	readonly mistake: { readonly text: string; readonly message: string } | undefined;
}

const NOTHING_FOUND: SearchResults = {
	query: NO_QUERY,
	began: 0,
	results: new Map(),
	others: new Set(),
	unread: new Map(),
	searched: 0,
	total: 0,
	settled: undefined,
	inForms: false,
};

/**
 * Searches all sessions for the typed query. The last results stay until the first event of the new search, so that the list does
 * not flicker with every character.
 */
export const LIST_SEARCH = defineQuery<AskedQuery, SearchResults, SearchEvent>({
	name: "list search",
	wanted(state, { asked }) {
		const text = wantedQuery(state);
		const lastQueryAsked = asked?.query ?? NO_QUERY;
		if (asked !== undefined && text === lastQueryAsked.text) return asked;
		const parsed = parsedQuery(text);
		// An unfinished query may not parse: the last one that did stays in use.
		return { query: "error" in parsed ? lastQuery(lastQueryAsked, text) : parsed.query, began: state.now };
	},
	isSame: (asked, wanted) => asked.query === wanted.query,
	// Without words to search for, the rows alone answer the query.
	derive: (_, searched) => (asksForText(searched.query) ? undefined : { ...NOTHING_FOUND, ...searched }),
	load: ({ query }, { store, listen }) => listen((emit) => store.catalog.search(query, emit)),
	merge: (before, event, searched) =>
		afterEvent(before?.query === searched.query ? before : { ...NOTHING_FOUND, ...searched }, event),
});

const parsedQuery = memoLast(parseQuery);

/** The search of the list; `query` is that whose results it shows. */
export function searchOf(state: State): ListSearch {
	const { value = NOTHING_FOUND, asked } = LIST_SEARCH.of(state);
	return ofText(value, asked?.query ?? NO_QUERY, wantedQuery(state));
}

const ofText = memoLast((found: SearchResults, requested: Query, text: string): ListSearch => {
	const parsed = parsedQuery(text);
	return { ...found, requested, mistake: "error" in parsed ? { text, message: parsed.error } : undefined };
});

function afterEvent(lastResults: SearchResults, event: SearchEvent): SearchResults {
	const isFinal = lastResults.inForms && (event.type === "results" || event.type === "lost");
	const search =
		isFinal || event.type === "unread" ? lastResults : { ...lastResults, settled: undefined, inForms: false };
	switch (event.type) {
		case "results": {
			const results = event.results.map((result) => [result.path, result] as const);
			return {
				...search,
				results: withEntries(search.results, results),
				others: othersAfter(search.others, event.results),
			};
		}
		case "lost": {
			const lost = new Set(event.paths);
			const otherPaths = search.others.isDisjointFrom(lost) ? search.others : search.others.difference(lost);
			return { ...search, results: withEntries(search.results, [], event.paths), others: otherPaths };
		}
		case "progress":
			return { ...search, searched: event.searched, total: event.total };
		case "unread":
			return { ...search, unread: new Map([...search.unread, ...event.reasons]) };
		case "settled":
			return { ...search, settled: event.watched, inForms: event.inForms };
		case "error":
			return { ...search, error: event.message };
	}
}

/** The sessions with other forms, after some results; the same set if none has changed. */
function othersAfter(lastOthers: ReadonlySet<string>, results: readonly SearchResult[]): ReadonlySet<string> {
	const changed = results.filter(({ path, other }) => lastOthers.has(path) !== (other !== undefined));
	if (changed.length === 0) return lastOthers;
	const next = new Set(lastOthers);
	for (const { path, other } of changed)
		if (other === undefined) next.delete(path);
		else next.add(path);
	return next;
}

/** Remembers the typed query once it has led to an action. */
export function notedQuery(state: State): State {
	const { settings } = state.list;
	const { query } = typedIn(state);
	const { recent } = settings;
	if (query === "" || query === recent[0] || query.length > LONGEST_RECENT || searchOf(state).mistake !== undefined)
		return state;
	const next = [query, ...recent.filter((text) => text !== query)].slice(0, MOST_RECENT);
	return { ...state, list: { ...state.list, settings: { ...settings, recent: next } } };
}
