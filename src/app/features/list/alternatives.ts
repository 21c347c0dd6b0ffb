import type { SessionRow } from "../../../catalog/model/row.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import { NO_QUERY, parseQuery, type Query } from "../../../catalog/query/parse-query.ts";
import { proposeQueries } from "../../../catalog/query/propose.ts";
import {
	anyPart,
	isPlain,
	type PartSearches,
	searchesFor,
	type TypedPart,
	typedParts,
} from "../../../catalog/query/typed-parts.ts";
import type { SessionsWith } from "../../../catalog/search/search.ts";
import { memoFields, memoLast, sameItems } from "../../../shared/memo.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { isEverywhere } from "../../world/list/catalog-rows.ts";
import { goneDirectories } from "../../world/list/gone-directories.ts";
import { typeQuery } from "../../world/list/list-actions.ts";
import { searchOf } from "../../world/list/list-search.ts";
import { isWide, scopesOf } from "../../world/list/scope.ts";
import { countSessions, isListAnswered, selectList } from "../../world/list/select-list.ts";
import { typedIn } from "../../world/list/select-saved.ts";
import { CHIP_TERMS, type ChipTerm, type Scope } from "../../world/state/list-state.ts";
import type { State } from "../../world/state/state.ts";

/** What to search for instead, where nothing is found. */
export interface Alternative {
	/** How it differs from what was asked. */
	readonly label: string;
	readonly text: string;
	readonly scope: Scope;
	readonly terms: readonly ChipTerm[];
	/** Number of sessions that it finds; undefined if that is not known before it is asked. */
	readonly count: number | undefined;
	/** Whether these have the words only in other forms. */
	readonly inForms: boolean;
}

interface Alternatives {
	readonly alternatives: readonly Alternative[];
	/** The parts of the query that no session has by itself; undefined until that is known. */
	readonly absent: readonly TypedPart[] | undefined;
}

const NO_ALTERNATIVES: Alternatives = { alternatives: [], absent: undefined };

/** Whether all is listed and searched, and there is nothing to show. */
function isNothingFound(state: State): boolean {
	const { catalog, list } = state;
	if (list.stage !== undefined || catalog.rows.size === 0 || selectList(state).items.length > 0) return false;
	const { error, mistake } = searchOf(state);
	return error === undefined && mistake === undefined && catalog.complete && isListAnswered(state);
}

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
		const texts = textsToSearch(candidatesOf(typedIn(state).query, state.catalog.rows, endOfDay(state.now)));
		return texts.length === 0 ? undefined : { texts, sessionCount: state.catalog.rows.size };
	},
	isSame: (asked, wanted) => sameItems(asked.texts, wanted.texts) && asked.sessionCount === wanted.sessionCount,
	async load({ texts }, { store }) {
		const answers = await store.catalog.searchEach(texts.map(queryOf));
		return new Map(answers.flatMap((answer, at): [string, SessionsWith][] => [[texts[at] ?? "", answer]]));
	},
});

/** Until then nothing changes that depends on the time; Unix ms. */
function endOfDay(now: number): number {
	return startOfDay(now) + DAY_MS - 1;
}

const DAY_MS = 86_400_000;

function queryOf(text: string): Query {
	const parsed = parseQuery(text);
	return "query" in parsed ? parsed.query : NO_QUERY;
}

/** Another query, and what it differs in. */
interface Candidate {
	readonly label: string;
	readonly parts: readonly TypedPart[];
	readonly text: string;
}

/** What may be searched for instead of a query, whatever it finds. */
interface Candidates {
	readonly parts: readonly TypedPart[];
	readonly meant: readonly Candidate[];
}

const candidatesOf = memoLast((text: string, rows: ReadonlyMap<string, SessionRow>, now: number): Candidates => {
	const meant = proposeQueries(text, rows.values(), now).map(({ query, why }): Candidate => {
		return { label: why, parts: typedParts(query), text: query };
	});
	return { parts: typedParts(text), meant };
});

const textsToSearch = memoLast(({ parts, meant }: Candidates): readonly string[] => {
	const searched = [parts, ...parts.map((part) => without(parts, [part])), ...meant.map((one) => one.parts)];
	const searches = searched.flatMap((some) => searchesFor(some) ?? []);
	return [...new Set(searches.flatMap((one) => [...one.words.flat(), ...one.without]))];
});

function without(parts: readonly TypedPart[], some: readonly TypedPart[]): readonly TypedPart[] {
	return parts.filter((part) => !some.includes(part));
}

/** What to search for where nothing is found: the same elsewhere, then what may have been meant, then less than was asked. */
export function selectAlternatives(state: State): Alternatives {
	if (!isNothingFound(state)) return NO_ALTERNATIVES;
	const { catalog, marks, git, list, now } = state;
	const { results, others } = searchOf(state);
	const { value: answered } = PARTS.of(state);
	const goneDirs = goneDirectories(state);
	const cached = cacheFor({ catalog, marks, git, list, now: endOfDay(now), results, others, answered, goneDirs });
	cached.alternatives ??= alternativesIn({ state, text: typedIn(state).query, results, others, answered });
	return cached.alternatives;
}

/** What was computed, until something changes that it depends on. */
const cacheFor = memoFields((_: object): { alternatives: Alternatives | undefined } => ({ alternatives: undefined }));

interface AlternativeFacts extends Pick<ReturnType<typeof searchOf>, "results" | "others"> {
	readonly state: State;
	readonly text: string;
	readonly answered: ReadonlyMap<string, SessionsWith> | undefined;
}

function alternativesIn(facts: AlternativeFacts): Alternatives {
	const { state, text, answered } = facts;
	const elsewhere = alternativesElsewhere(facts);
	const candidates = candidatesOf(text, state.catalog.rows, endOfDay(state.now));
	const isKnown = textsToSearch(candidates).every((one) => answered?.has(one) === true);
	// They come together, so that none moves another one away.
	if (!isKnown) return { alternatives: elsewhere, absent: undefined };
	const { scope, terms } = state.list;
	const here = { facts, scope, terms, where: "" };
	const wide = { facts, scope: isWide(scope) ? scope : ("all" as const), terms: [], where: ", in all projects" };
	const otherWords = alternativesFor(candidates, here);
	// Without the scope and a part less, only if neither alone finds anything.
	const isBoth = !(isWide(scope) && terms.length === 0) && otherWords.length === 0 && elsewhere.length === 0;
	const wideWords = isBoth ? alternativesFor(candidates, wide) : otherWords;
	const absent = candidates.parts.filter((part) => countParts([part], here)?.count === 0);
	return { alternatives: [...elsewhere, ...wideWords, ...alternativeOfPlaces(facts)], absent };
}

/** The same query in wider scopes, without the chips, and in the archive. */
function alternativesElsewhere(facts: AlternativeFacts): readonly Alternative[] {
	const { state, text, results, others } = facts;
	const { scope, terms } = state.list;
	const alternative = (label: string, inScope: Scope, withTerms: readonly ChipTerm[]): readonly Alternative[] => {
		const query = queryOf([...withTerms, text].join(" ").trim());
		const hasWords = ({ path }: SessionRow): boolean => results.has(path) && !others.has(path);
		const isAnyText = query.terms.length + query.without.length === 0;
		const count = countSessions(state, inScope, query, isAnyText ? () => true : hasWords);
		return count === 0 ? [] : [{ label, text, scope: inScope, terms: withTerms, count, inForms: false }];
	};
	const isNarrow = !isWide(scope);
	const chips = `without ${terms.map((term) => `[${CHIP_TERMS[term].label}]`).join(" ")}`;
	const one = [
		...(isNarrow ? alternative("in all projects", "all", terms) : []),
		...(terms.length > 0 ? alternative(chips, scope, []) : []),
	];
	const both =
		isNarrow && terms.length > 0 && one.length === 0 ? alternative(`in all projects, ${chips}`, "all", []) : [];
	const isInArchive = scope === "archived" || text === "" || !scopesOf(state).includes("archived");
	return [...one, ...both, ...(isInArchive ? [] : alternative("in the archive", "archived", terms))];
}

/** The other places, in which nothing is searched before somebody wants that. */
function alternativeOfPlaces({ state: { catalog, list }, text }: AlternativeFacts): readonly Alternative[] {
	const { terms } = list;
	if (catalog.places.length === 0 || isEverywhere(catalog)) return [];
	return [{ label: "in all places", text, scope: "everywhere", terms, count: undefined, inForms: false }];
}

/** Where alternatives are counted. */
interface Frame {
	readonly facts: AlternativeFacts;
	readonly scope: Scope;
	readonly terms: readonly ChipTerm[];
	/** What their labels end with. */
	readonly where: string;
}

/** At most so many queries that may have been meant: each is counted with words that it shares with the one that was typed. */
const MOST_MEANT = 3;

/** What finds something of other words: what may have been meant, then what leaves out as little as possible, the fewest sessions first. */
function alternativesFor({ parts, meant }: Candidates, frame: Frame): readonly Alternative[] {
	const countedOf = (some: readonly Candidate[]): readonly Alternative[] =>
		some.flatMap((one) => alternativeOf(one, frame));
	const less = (lostParts: readonly TypedPart[]): Candidate => {
		return { label: `without ${inWords(lostParts)}`, ...candidate(without(parts, lostParts)) };
	};
	const isLost = (part: TypedPart): boolean => countParts([part], frame)?.count === 0;
	const wholly = countedOf(meant);
	const partly = meant.map((one): Candidate => {
		const lostParts = one.parts.filter(isLost);
		return { label: `${one.label}, without ${inWords(lostParts)}`, ...candidate(without(one.parts, lostParts)) };
	});
	const meantAlternatives = (wholly.length > 0 ? wholly : countedOf(partly)).slice(0, MOST_MEANT);
	const removable = parts.filter((part) => isQuery(without(parts, [part])));
	const lessByOne = countedOf(removable.map((part) => less([part])));
	const lostParts = parts.filter(isLost);
	const lessLost = lessByOne.length > 0 || lostParts.length < 2 ? [] : countedOf([less(lostParts)]);
	const hasLess = parts.length < 3 || lessByOne.length + lessLost.length > 0;
	const single = hasLess ? [] : countedOf(parts.filter((part) => isQuery([part])).map(alone));
	const words = parts.filter(({ kind, not }) => kind === "words" && !not);
	const joined = words.filter((part) => !lostParts.includes(part));
	const any = { label: "any of them", ...candidate([anyPart(joined), ...without(parts, words)]) };
	const fewer = [...lessByOne, ...lessLost, ...single].toSorted((a, b) => (a.count ?? 0) - (b.count ?? 0));
	return [...meantAlternatives, ...fewer, ...(joined.length > 1 ? countedOf([any]) : [])].filter(
		({ text }, at, all) => all.findIndex((one) => one.text === text) === at,
	);
}

function candidate(parts: readonly TypedPart[]): Omit<Candidate, "label"> {
	return { parts, text: parts.map(({ text }) => text).join(" ") };
}

function alone(part: TypedPart): Candidate {
	return { label: `only ${inWords([part])}`, ...candidate([part]) };
}

/** Whether something is asked for: a query that only excludes, or limits words that it does not have, finds nearly everything. */
function isQuery(parts: readonly TypedPart[]): boolean {
	return parts.some(({ kind, not }) => !not && kind !== "narrowing");
}

/** "“spec” and since:7d": parts of a query in a sentence. */
export function inWords(parts: readonly TypedPart[], joint = "and"): string {
	const names = parts.map((part) => (isPlain(part) ? `“${part.text.replaceAll('"', "")}”` : part.text));
	const last = names.pop() ?? "";
	return names.length === 0 ? last : `${names.join(", ")} ${joint} ${last}`;
}

function alternativeOf({ label, parts, text }: Candidate, frame: Frame): readonly Alternative[] {
	const { scope, terms, where } = frame;
	const counted = countParts(parts, frame);
	if (counted === undefined || counted.count === 0 || parts.length === 0) return [];
	return [{ label: `${label}${where}`, text, scope, terms, ...counted }];
}

/** How many sessions have all of some parts; undefined if that cannot be told from what was searched for. */
function countParts(
	parts: readonly TypedPart[],
	{ facts, scope, terms }: Frame,
): Pick<Alternative, "count" | "inForms"> | undefined {
	const searches = searchesFor(parts);
	const answers = searches && answersTo(searches, facts.answered);
	if (searches === undefined || answers === undefined) return undefined;
	const { words, excluded } = answers;
	// Several words are searched for in other forms together.
	const inForms = words.length === 1 && words.flat().length === 1 && words.flat().every((one) => one.inForms);
	const isIn = (one: SessionsWith, path: string): boolean => (inForms || !one.inForms) && one.paths.has(path);
	const conditions = queryOf([...terms, searches.conditions].join(" ").trim());
	const query = { ...conditions, text: "parts" };
	const hasWords = ({ path }: SessionRow): boolean =>
		words.every((some) => some.some((one) => isIn(one, path))) &&
		!excluded.some((one) => !one.inForms && one.paths.has(path));
	return { count: countSessions(facts.state, scope, query, hasWords), inForms };
}

/** What was found by searches; undefined if some have not been made. */
function answersTo(searches: PartSearches, answered: AlternativeFacts["answered"]) {
	const answersFor = (texts: readonly string[]) => texts.flatMap((text) => answered?.get(text) ?? []);
	const answers = { words: searches.words.map(answersFor), excluded: answersFor(searches.without) };
	const isWhole =
		answers.excluded.length === searches.without.length &&
		answers.words.every((some, at) => some.length === searches.words[at]?.length);
	return isWhole ? answers : undefined;
}

/** Searches for an alternative, in its scope and with its chips. */
export function takeAlternative(state: State, { text, scope, terms }: Alternative): State {
	const scopeBefore = scope === "project" ? state.list.scopeBefore : scope;
	const typed = typeQuery({ ...state, list: { ...state.list, scope, scopeBefore, terms } }, text);
	// A second click at the same place is not about the session that appears there.
	return { ...typed, list: { ...typed.list, cursorSet: false }, mouse: { ...typed.mouse, pressed: undefined } };
}
