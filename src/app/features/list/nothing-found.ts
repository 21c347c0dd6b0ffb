import { NO_QUERY, parseQuery, type Query, shortDate } from "../../../catalog/query/parse-query.ts";
import { type Proposal, proposeQuery, unknownFieldNote } from "../../../catalog/query/propose.ts";
import { tokenize } from "../../../catalog/query/tokens.ts";
import { memoLast } from "../../../shared/memo.ts";
import { replaceText } from "../../../ui/field/edit.ts";
import { formatCount, formatCounted, shortenHome } from "../../../ui/text/format.ts";
import { keyLabel } from "../../world/keys/key.ts";
import { isEverywhere } from "../../world/list/catalog-rows.ts";
import { searchOf } from "../../world/list/list-search.ts";
import { isWide } from "../../world/list/scope.ts";
import { countMatches, isSearched, selectList } from "../../world/list/select-list.ts";
import { askedText } from "../../world/list/select-places.ts";
import { typedIn } from "../../world/list/select-saved.ts";
import { CHIP_TERMS, type ChipTerm } from "../../world/state/list-state.ts";
import type { State } from "../../world/state/state.ts";

/** Why the list is empty, and which key changes that. `total`: how many sessions there are. */
export function whyListIsEmpty(state: State, total: number): string {
	const { catalog, list } = state;
	const isReading = !catalog.complete;
	if (total === 0 && list.scope === "archived" && !isReading)
		return `Nothing is archived: ${keyOf(state, "archive")} archives sessions, ${keyOf(state, "scope")} goes back`;
	if (total === 0) return isReading ? "Reading sessions …" : whyNoSessions(state);
	if (list.stage !== undefined && isSearched(state)) return "No marked session matches: esc clears the query";
	const elsewhere = foundElsewhere(state);
	if (typedIn(state).query === "") {
		if (isReading) return `Reading ${progress(catalog.read, catalog.total)} sessions …${elsewhere && ` ${elsewhere}`}`;
		return `No session is ${list.terms.length === 0 ? "in this scope" : termsText(list.terms)}. ${elsewhere}`.trim();
	}
	if (elsewhere !== "") return isSearched(state) ? elsewhere : `${elsewhere} (so far)`;
	const { error, mistake, query } = searchOf(state);
	if (error !== undefined) return "Nothing in names and titles; what was said could not be searched, see above";
	if (!isSearched(state)) return `Nothing found yet; ${remainingWork(state)}`;
	if (mistake !== undefined) return `No session matches ${query.text}, the last valid query`;
	return whyNothingMatches(state);
}

/** Which places are being asked; the problem of the session directory; else its path, and the key that leads to other places. */
function whyNoSessions(state: State): string {
	const { catalog, environment } = state;
	const { root, home } = environment;
	const placeNames = askedText(state);
	if (placeNames !== "") return `Asking ${placeNames} …`;
	const mistake = catalog.problems.find(({ path }) => path === root)?.message;
	if (mistake !== undefined) return mistake;
	const none = `No sessions ${root === undefined ? "yet" : `in ${shortenHome(root, home)}`}`;
	const placeCount = catalog.places.length;
	if (placeCount === 0) return `${none}: run pi, and they appear here`;
	const places = placeCount === 1 ? "the other place" : `the ${formatCount(placeCount)} other places`;
	if (isEverywhere(catalog)) return `${none}, nor in ${places}`;
	return `${none}: ${keyOf(state, "scope")} switches to ${places}`;
}

function whyNothingMatches(state: State): string {
	const { query } = searchOf(state);
	const date = shortDate(query.text);
	if (date !== undefined) return `No session matches ${date.toLowerCase()}: put it in quotes to search for the word`;
	const note = unknownFieldNote(query.text);
	if (note !== undefined) return `No session matches: ${note}`;
	const meant = meantQuery(query.text, state.catalog.rows, state.now);
	if (meant !== undefined) return `No session matches. ${meantText(state, meant)}`;
	if (query.conditions.some(({ field, value, not }) => field === "is" && value === "running" && !not))
		return "No matching session is in use by a running pi";
	const fields = new Set([...tokenize(query.text)].map(({ field }) => field));
	if (fields.has("tool")) return "No session matches: with tool: all words must be in that tool's calls or output";
	if (fields.has("role") || fields.has("in"))
		return "No session matches: role: and in: restrict where all words are searched";
	return "No session matches: esc clears the query";
}

/** "Perhaps on:monday was meant (2 sessions): enter searches for it" */
function meantText(state: State, { part, sessions }: Proposal): string {
	return `Perhaps ${part} was meant (${formatCounted(sessions, "session")}): ${keyOf(state, "nearest")} searches for it`;
}

const meantQuery = memoLast((text: string, rows: State["catalog"]["rows"], now: number) =>
	proposeQuery(text, rows.values(), now),
);

/** "running and named": the conditions of the chips. */
function termsText(terms: readonly ChipTerm[]): string {
	return terms.map((term) => CHIP_TERMS[term].label).join(" and ");
}

/** How many sessions a wider scope, or fewer conditions, would add, with the key for it; "" for none. */
function foundElsewhere(state: State): string {
	const { scope, terms, stage, query } = state.list;
	if (stage !== undefined) return "";
	const what = (count: number): string => {
		const sessions = formatCounted(count, "session");
		if (typedIn(state).query === "") return sessions;
		return `${sessions} ${count === 1 ? "matches" : "match"}`;
	};
	const inArchive = scope === "archived" ? 0 : countMatches(state, "archived");
	const archived =
		inArchive === 0 || typedIn(state).query === ""
			? ""
			: `${what(inArchive)} in the archive: ${keyOf(state, "scope")} goes there`;
	const inAll = isWide(scope) ? 0 : countMatches(state, "all");
	if (inAll > 0) return `${what(inAll)} in all projects: ${keyOf(state, "scope")} changes the scope`;
	if (terms.length === 0) return archived;
	const typed = typedQuery(typedIn(state).query);
	const away = query.text === "" ? "esc shows them" : "backspace at the beginning of the text shows them";
	const otherCount = countMatches(state, scope, typed);
	if (otherCount > 0) return `${what(otherCount)} without “${termsText(terms)}”: ${away}`;
	const both = isWide(scope) ? 0 : countMatches(state, "all", typed);
	if (both === 0) return archived;
	return `${what(both)} in all projects, without “${termsText(terms)}”: ${keyOf(state, "scope")} changes the scope, ${away}`;
}

/** The typed text, without the conditions of the chips. */
const typedQuery = memoLast((text: string): Query => {
	const parsed = parseQuery(text);
	return "query" in parsed ? parsed.query : NO_QUERY;
});

function remainingWork(state: State): string {
	const { catalog } = state;
	const search = searchOf(state);
	if (!catalog.complete) return `reading sessions, ${progress(catalog.read, catalog.total)}`;
	const isCurrent = search.query === search.requested && search.searched > 0;
	return isCurrent ? `searched ${progress(search.searched, Math.max(search.total, catalog.total))}` : "searching …";
}

function progress(done: number, total: number): string {
	return total === 0 ? "…" : `${formatCount(done)} of ${formatCount(total)}`;
}

/** The key of a command, otherwise its name among the commands. */
function keyOf({ environment }: State, id: string): string {
	const same = environment.keymap.filter((binding) => binding.id === id);
	const key = same.flatMap(({ keys }) => keys)[0];
	return key === undefined ? `ctrl+k “${same.find(({ name }) => name !== undefined)?.name ?? id}”` : keyLabel(key);
}

/** Proposals for a query without matches. */
export function proposalFor(state: State): Proposal | undefined {
	const { query, requested } = searchOf(state);
	if (query.text === "" || query !== requested || !isSearched(state) || selectList(state).rows.length > 0)
		return undefined;
	return meantQuery(query.text, state.catalog.rows, state.now);
}

export function takeProposal(state: State): State {
	const text = proposalFor(state)?.query;
	if (text === undefined || "error" in parseQuery(text)) return state;
	const query = replaceText(state.list.query, text, text.length);
	return { ...state, list: { ...state.list, query, cursorSet: false } };
}
