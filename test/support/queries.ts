import type { AnyQuery, DataQuery } from "../../src/app/world/effects/define-query.ts";
import { LIST_SEARCH } from "../../src/app/world/list/list-search.ts";
import type { Action } from "../../src/app/world/state/action.ts";
import type { Effect } from "../../src/app/world/state/effect.ts";
import type { State } from "../../src/app/world/state/state.ts";
import type { SearchEvent } from "../../src/catalog/search/search.ts";

type Loaded = Extract<Action, { type: "loaded" }>;

/** What tests need of a query. */
type Asked<Key, Value> = Pick<DataQuery<Key, Value>, "name" | "of">;

/** The answer to what a query has asked for last. */
export function answerTo<Value>(query: Asked<unknown, Value>, state: State, part: Value): Loaded {
	return { type: "loaded", query: query.name, request: query.of(state).request, outcome: { part }, isLast: true };
}

/** Why what a query has asked for last cannot be read. */
export function failureOf(query: Asked<unknown, unknown>, state: State, error: string): Loaded {
	return { type: "loaded", query: query.name, request: query.of(state).request, outcome: { error }, isLast: true };
}

/** Whether a query has read what it is to read, and nothing has changed since. */
export function isCurrent(query: Asked<unknown, unknown>, state: State): boolean {
	const { value, isLoading, isStale } = query.of(state);
	return value !== undefined && !isLoading && !isStale;
}

/** The requests of a query among effects. */
export function requestsOf({ name }: AnyQuery, effects: readonly Effect[]): readonly Effect[] {
	return effects.filter((effect) => effect.type === "load" && effect.query === name);
}

/** What a query is reading now; undefined for nothing. */
export function askedOf<Key>(query: Asked<Key, unknown>, state: State): Key | undefined {
	const { asked, isLoading } = query.of(state);
	return isLoading ? asked : undefined;
}

/** An event of the search of the list, for what was asked last. */
export function searchEvent(state: State, event: SearchEvent): Loaded {
	return { ...answerTo<unknown>(LIST_SEARCH, state, event), isLast: false };
}
