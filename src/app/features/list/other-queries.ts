import type { SessionRow } from "../../../catalog/model/row.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import { asQuery } from "../../../catalog/query/parse-query.ts";
import { proposeQueries } from "../../../catalog/query/propose.ts";
import { searchesFor, type TypedPart, typedParts } from "../../../catalog/query/typed-parts.ts";
import type { SessionsWith } from "../../../catalog/search/search.ts";
import { memoLast, sameItems } from "../../../shared/memo.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { searchOf } from "../../world/list/list-search.ts";
import { isListAnswered, selectList } from "../../world/list/select-list.ts";
import { typedIn } from "../../world/list/select-saved.ts";
import type { State } from "../../world/state/state.ts";

/** A query that could have been asked instead. */
export interface OtherQuery {
	/** How it differs from what was asked. */
	readonly label: string;
	/** Whether that says as what a part of it was read. */
	readonly saysReading?: true | undefined;
	readonly parts: readonly TypedPart[];
	readonly text: string;
}

/** What was asked, and what may have been meant by it, whatever that finds. */
export interface ReadQuery {
	readonly parts: readonly TypedPart[];
	readonly meant: readonly OtherQuery[];
}

/** Whether all is listed and searched, and there is nothing to show. */
export function isNothingFound(state: State): boolean {
	const { catalog, list } = state;
	if (list.stage !== undefined || catalog.rows.size === 0 || selectList(state).items.length > 0) return false;
	const { error, mistake } = searchOf(state);
	return error === undefined && mistake === undefined && catalog.complete && isListAnswered(state);
}

export function readQuery(state: State): ReadQuery {
	return readingsOf(typedIn(state).query, state.catalog.rows, startOfDay(state.now));
}

const readingsOf = memoLast((text: string, rows: ReadonlyMap<string, SessionRow>, now: number): ReadQuery => {
	const meant = proposeQueries(text, rows.values(), now).map(({ query, why, saysReading }): OtherQuery => {
		return { label: why, saysReading, parts: typedParts(query), text: query };
	});
	return { parts: typedParts(text), meant };
});

/** What is searched for in the background, for the numbers of the alternatives. */
interface AskedParts {
	readonly texts: readonly string[];
	/** Number of sessions that are known: with a new one all may change. */
	readonly sessionCount: number;
}

/** For each part of the query that finds nothing the sessions that have it. */
export const PARTS = defineQuery<AskedParts, ReadonlyMap<string, SessionsWith>>({
	name: "parts of the query",
	forgets: true,
	wanted(state) {
		if (!isNothingFound(state)) return undefined;
		const texts = textsToSearch(readQuery(state));
		return texts.length === 0 ? undefined : { texts, sessionCount: state.catalog.rows.size };
	},
	isSame: (asked, wanted) => sameItems(asked.texts, wanted.texts) && asked.sessionCount === wanted.sessionCount,
	async load({ texts }, { store, signal }) {
		const queries = texts.map(asQuery);
		let answers = await store.catalog.searchEach(queries);
		// The search of what was typed before ends only now, and takes these with it.
		if (answers.length < queries.length && !signal.aborted) answers = await store.catalog.searchEach(queries);
		return new Map(answers.flatMap((answer, at): [string, SessionsWith][] => [[texts[at] ?? "", answer]]));
	},
});

export function arePartsKnown(state: State): boolean {
	const { value: answers } = PARTS.of(state);
	return textsToSearch(readQuery(state)).every((text) => answers?.has(text) === true);
}

/** Whether nothing is found, and what would be found otherwise is being counted: a key may be meant for that. */
export function areAlternativesCounted(state: State): boolean {
	return PARTS.of(state).isLoading && isNothingFound(state);
}

const textsToSearch = memoLast(({ parts, meant }: ReadQuery): readonly string[] => {
	const searched = [parts, ...parts.map((part) => without(parts, [part])), ...meant.map((one) => one.parts)];
	const searches = searched.flatMap((some) => searchesFor(some) ?? []);
	return [...new Set(searches.flatMap((one) => [...one.words.flat(), ...one.without]))];
});

export function without(parts: readonly TypedPart[], some: readonly TypedPart[]): readonly TypedPart[] {
	return parts.filter((part) => !some.includes(part));
}
