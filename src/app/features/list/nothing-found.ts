import { shortDate, typedTokens } from "../../../catalog/query/parse-query.ts";
import { readingNote, unknownFields } from "../../../catalog/query/propose.ts";
import { spokenStateAt } from "../../../catalog/query/spoken-conditions.ts";
import { printTokens } from "../../../catalog/query/tokens.ts";
import { isPlain, type TypedPart, typedParts } from "../../../catalog/query/typed-parts.ts";
import { formatCount, shortenHome } from "../../../ui/text/format.ts";
import { isEverywhere } from "../../world/list/catalog-rows.ts";
import { searchOf } from "../../world/list/list-search.ts";
import { isListAnswered, isSearched } from "../../world/list/select-list.ts";
import { askedText } from "../../world/list/select-places.ts";
import { typedIn } from "../../world/list/select-saved.ts";
import { keyLabel } from "../../world/state/binding.ts";
import { CHIP_TERMS, type Scope } from "../../world/state/list-state.ts";
import type { State } from "../../world/state/state.ts";
import { inWords, selectAlternatives } from "./alternatives.ts";
import { areAlternativesCounted } from "./other-queries.ts";

/** Why the list is empty. `total`: how many sessions there are. */
export function whyListIsEmpty(state: State, total: number): string {
	const { catalog, list } = state;
	const isReading = !catalog.complete;
	if (total === 0 && list.scope === "archived" && !isReading)
		return "Nothing is archived; “Archive” in the commands puts sessions away";
	if (total === 0) return isReading ? "Reading sessions …" : whyNoSessions(state);
	if (list.stage !== undefined && isSearched(state)) return "No marked session matches: esc clears the query";
	if (typedIn(state).query === "") {
		if (isReading) return `Reading ${progress(catalog.read, catalog.total)} sessions …`;
		const terms = list.terms.map((term) => CHIP_TERMS[term].label).join(" and ");
		return `No session${list.terms.length === 0 ? " is" : ""}${WHERE[list.scope]}${terms && ` is ${terms}`}`;
	}
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

/** "No session here has both words: none has “spec”", and what was read as text although it looks like a field. */
function whyNothingMatches(state: State): string {
	const { scope, terms } = state.list;
	const { query: text } = typedIn(state);
	const { alternatives, absent } = selectAlternatives(state);
	const parts = typedParts(text);
	const chips = terms.length === 0 ? "" : ` with ${terms.map((term) => `[${CHIP_TERMS[term].label}]`).join(" ")}`;
	const subject = `No session${WHERE[scope]}${chips}`;
	const lost = parts.length < 2 || absent === undefined ? "" : lostNote(parts, absent);
	const note = alternatives.some((one) => one.saysReading) ? "" : fieldNote(text, absent !== undefined);
	const sign = SIGN.test(text) && alternatives.length === 0 ? spokenStateAt(typedTokens(text), 0) : undefined;
	const signNote = sign && `; in a row it stands for ${printTokens([sign.token])}, which finds nothing either`;
	const isSearching = areAlternativesCounted(state) || !isListAnswered(state);
	const more = isSearching ? "; looking for what comes near …" : "";
	return `${subject} ${whatIsAsked(parts, shortDate(text) ?? text)}${lost}${signNote ?? note}${more}`;
}

/** A sign of a row, perhaps with its number. */
const SIGN = /^[^\p{L}\p{N}\s]\d*$/u;

const WHERE: Readonly<Record<Scope, string>> = {
	all: "",
	everywhere: " in any place",
	here: " here",
	repo: " in this repository",
	project: " in this project",
	archived: " in the archive",
};

/** What was read as text although it looks like a field or a sign. `isKnown`: whether it is known that what may have been meant finds nothing. */
function fieldNote(text: string, isKnown: boolean): string {
	const note = readingNote(text);
	const meant = unknownFields(text).find(({ query }) => query !== undefined);
	// What is said does not change once the alternatives are there.
	if (note === undefined || !isKnown) return "";
	if (meant === undefined) return `; ${note}`;
	return `; ${meant.name}: is not a field, and “${meant.query}” finds nothing either`;
}

function whatIsAsked(parts: readonly TypedPart[], text: string): string {
	const isWords = parts.every(isPlain);
	const count = parts.length === 2 ? "both" : `all ${parts.length}`;
	if (parts.length === 0) return "has all that was typed";
	if (parts.length === 1) return isWords ? `has ${inWords(parts)}` : `matches ${text}`;
	return isWords ? `has ${count} words` : `matches ${count} parts`;
}

/** ": none has “spec”, none matches since:7d" */
function lostNote(parts: readonly TypedPart[], absent: readonly TypedPart[]): string {
	const words = absent.filter(isPlain);
	const otherParts = absent.filter((part) => !isPlain(part));
	const notes = [
		...(words.length === 0 ? [] : [`none has ${inWords(words, "or")}`]),
		...(otherParts.length === 0 ? [] : [`none matches ${inWords(otherParts, "or")}`]),
	];
	if (notes.length > 0) return `: ${notes.join(", ")}`;
	return parts.every(isPlain) ? ": each is found, but not together" : "";
}

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
