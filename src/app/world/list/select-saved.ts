import { asQuery, type Query } from "../../../catalog/query/parse-query.ts";
import type { SavedQuery } from "../../../changes/noted/saved-queries.ts";
import { memoLast } from "../../../shared/memo.ts";
import { layoutFor } from "../screen/layout.ts";
import type { ChipTerm } from "../state/list-state.ts";
import type { State } from "../state/state.ts";

const NONE: readonly SavedQuery[] = [];

const typedLine = memoLast((text: string): TypedLine => parseTyped(text));

export function typedIn({ list }: State): TypedLine {
	return typedLine(list.query.text);
}

export function commandIn(state: State): TypedLine["command"] {
	return typedIn(state).command;
}

/** The saved queries to choose from once the cursor is on them, and below them the recent ones, without a name. */
export function savedChoices(state: State): readonly SavedQuery[] {
	const { queries, index } = state.saved;
	const { command, query } = typedIn(state);
	const isOnThem = index !== undefined && query === "" && command === undefined;
	return isOnThem ? withRecent(queries, state.list.settings.recent) : NONE;
}

/** The newest recent query comes last, next to the list. */
function withRecent(named: readonly SavedQuery[], recent: readonly string[]): readonly SavedQuery[] {
	const otherTexts = recent.filter((text) => !named.some((query) => query.text === text));
	return [...named, ...otherTexts.map((text) => ({ name: "", text })).reverse()];
}

/** The state with the cursor among the saved and recent queries, on the last one. */
export function enteredSaved(state: State): State {
	const entered = { ...state, saved: { ...state.saved, index: 0 } };
	return { ...entered, saved: { ...entered.saved, index: savedChoices(entered).length - 1 } };
}

/** Rows of saved queries above the sessions, while one is chosen: at most half of the list. */
export function savedHeight(state: State): number {
	return Math.min(savedChoices(state).length, Math.floor((layoutFor(state).list?.height ?? 0) / 2));
}

/** Index of the first visible saved query. */
export function firstSaved(state: State): number {
	const last = Math.max(0, savedChoices(state).length - savedHeight(state));
	return Math.max(0, Math.min((state.saved.index ?? 0) - savedHeight(state) + 1, last));
}

export function chosenSaved(state: State): SavedQuery | undefined {
	return state.saved.index === undefined ? undefined : savedChoices(state)[state.saved.index];
}

interface TypedLine {
	readonly query: string;
	/** The name behind `:save`. */
	readonly command?: { readonly name: string };
}

const SAVE = /(?:^|\s):save(?:\s+(.*))?$/u;
/** The command while it is being typed, which is not searched for either. */
const HALF_SAVE = /\s:(?:s|sa|sav)?$/u;

/**
 * Parses what is typed in the list: `parser is:branched :save flaky` is a query and a command. In quotes it is text, like
 * everything else.
 */
export function parseTyped(text: string): TypedLine {
	const line = text.trim();
	if (!line.includes(":")) return { query: line };
	const saving = SAVE.exec(line) ?? HALF_SAVE.exec(line);
	if (saving !== null && !hasOpenQuote(line.slice(0, saving.index)))
		return { query: line.slice(0, saving.index).trim(), command: { name: (saving[1] ?? "").trim() } };
	return { query: line };
}

function hasOpenQuote(text: string): boolean {
	return (text.match(/"/g)?.length ?? 0) % 2 === 1;
}

/** The query of the list: the conditions of its chips, and the text typed behind them. */
export function wantedQuery(state: State): string {
	return [...state.list.terms, typedIn(state).query].join(" ").trim();
}

export const termsQuery = memoLast((terms: readonly ChipTerm[]): Query => asQuery(terms.join(" ")));
