import { startOfDay } from "../../../catalog/query/dates.ts";
import { asksForText, asQuery } from "../../../catalog/query/parse-query.ts";
import { anyPart, isPlain, searchesFor, type TypedPart } from "../../../catalog/query/typed-parts.ts";
import type { SessionsWith } from "../../../catalog/search/search.ts";
import { memoFields } from "../../../shared/memo.ts";
import { isEverywhere } from "../../world/list/catalog-rows.ts";
import { goneDirectories } from "../../world/list/gone-directories.ts";
import { typeQuery } from "../../world/list/list-actions.ts";
import { searchOf } from "../../world/list/list-search.ts";
import { isWide, scopesOf } from "../../world/list/scope.ts";
import { countSessions } from "../../world/list/select-list.ts";
import { offersOf } from "../../world/list/select-offers.ts";
import { typedIn } from "../../world/list/select-saved.ts";
import { CHIP_TERMS, type ChipTerm, type Scope } from "../../world/state/list-state.ts";
import type { State } from "../../world/state/state.ts";
import {
	arePartsKnown,
	isNothingFound,
	type OtherQuery,
	PARTS,
	type ReadQuery,
	readQuery,
	without,
} from "./other-queries.ts";

/** What to search for instead, where nothing is found. */
export interface Alternative extends Pick<OtherQuery, "saysReading"> {
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

/** What to search for where nothing is found: the same elsewhere, then what may have been meant, then less than was asked. */
export function selectAlternatives(state: State): Alternatives {
	if (!isNothingFound(state)) return NO_ALTERNATIVES;
	const { catalog, marks, git, list, now } = state;
	const { results, others } = searchOf(state);
	const { value: answers } = PARTS.of(state);
	const goneDirs = goneDirectories(state);
	const cached = cacheFor({ catalog, marks, git, list, now: startOfDay(now), results, others, answers, goneDirs });
	cached.alternatives ??= alternativesIn(state);
	return cached.alternatives;
}

/** What was computed, until something changes that it depends on. */
const cacheFor = memoFields((_: object): { alternatives: Alternatives | undefined } => ({ alternatives: undefined }));

function alternativesIn(state: State): Alternatives {
	const elsewhere = [...alternativesNamed(state), ...alternativesElsewhere(state)];
	// They come together, so that none moves another one away.
	if (!arePartsKnown(state)) return { alternatives: elsewhere, absent: undefined };
	const { scope, terms } = state.list;
	const query = readQuery(state);
	const here = alternativesFor(query, { state, scope, terms, where: [] });
	const where = [...(isWide(scope) ? [] : [IN_ALL]), ...(terms.length === 0 ? [] : [withoutChips(terms)])];
	// Without the scope and a part less, only if neither alone finds anything.
	const isBoth = where.length > 0 && here.alternatives.length + elsewhere.length === 0;
	const wide = { state, scope: isWide(scope) ? scope : "all", terms: [], where } as const;
	const { alternatives } = isBoth ? alternativesFor(query, wide) : here;
	return { alternatives: [...elsewhere, ...alternatives, ...alternativeOfPlaces(state)], absent: here.absent };
}

const IN_ALL = "in all projects";

function withoutChips(terms: readonly ChipTerm[]): string {
	return `without ${terms.map((term) => `[${CHIP_TERMS[term].label}]`).join(" ")}`;
}

/** The tag that is called like the last word, if nothing else is typed that would have to be searched for. */
function alternativesNamed(state: State): readonly Alternative[] {
	const { scope, terms, query } = state.list;
	return offersOf(state).flatMap(({ label, text: part, start, end }): readonly Alternative[] => {
		const text = `${query.text.slice(0, start)}${part}${query.text.slice(end)}`.trim();
		const tagQuery = asQuery([...terms, text].join(" "));
		if (!label.startsWith("#") || asksForText(tagQuery)) return [];
		const count = countSessions(state, scope, tagQuery);
		return count === 0 ? [] : [{ label: "as a tag", text, scope, terms, count, inForms: false }];
	});
}

/** The same query in wider scopes, without the chips, and in the archive. */
function alternativesElsewhere(state: State): readonly Alternative[] {
	const { scope, terms } = state.list;
	const { results, others } = searchOf(state);
	const text = typedIn(state).query;
	const paths = new Set(results.keys()).difference(others);
	const alternative = (label: string, inScope: Scope, withTerms: readonly ChipTerm[]): readonly Alternative[] => {
		const query = asQuery([...withTerms, text].join(" ").trim());
		const count = countSessions(state, inScope, query, asksForText(query) ? paths : undefined);
		return count === 0 ? [] : [{ label, text, scope: inScope, terms: withTerms, count, inForms: false }];
	};
	const isNarrow = !isWide(scope);
	const chips = withoutChips(terms);
	const one = [
		...(isNarrow ? alternative(IN_ALL, "all", terms) : []),
		...(terms.length > 0 ? alternative(chips, scope, []) : []),
	];
	const isBoth = isNarrow && terms.length > 0 && one.length === 0;
	const both = isBoth ? alternative(`${IN_ALL}, ${chips}`, "all", []) : [];
	const isInArchive = scope === "archived" || text === "" || !scopesOf(state).includes("archived");
	return [...one, ...both, ...(isInArchive ? [] : alternative("in the archive", "archived", terms))];
}

/** The other places, in which nothing is searched before somebody wants that. */
function alternativeOfPlaces(state: State): readonly Alternative[] {
	const { catalog, list } = state;
	if (catalog.places.length === 0 || isEverywhere(catalog)) return [];
	const text = typedIn(state).query;
	return [{ label: "in all places", text, scope: "everywhere", terms: list.terms, count: undefined, inForms: false }];
}

/** Where alternatives are counted. */
interface Frame {
	readonly state: State;
	readonly scope: Scope;
	readonly terms: readonly ChipTerm[];
	/** What their labels say of that. */
	readonly where: readonly string[];
}

/** At most so many queries that may have been meant: each is counted with words that it shares with the one that was typed. */
const MOST_MEANT = 3;

/** What finds something of other words: what may have been meant, then what leaves out as little as possible, the fewest sessions first. */
function alternativesFor({ parts, meant }: ReadQuery, frame: Frame): Alternatives {
	const withCounts = (some: readonly OtherQuery[]): readonly Alternative[] =>
		some.flatMap((one) => counted(one, frame));
	const absentIn = (some: readonly TypedPart[]) => some.filter((part) => countParts([part], frame)?.count === 0);
	const lessOf = (some: readonly OtherQuery[]) => withCounts(some.filter((one) => one.parts.some(asks)));
	const less = (some: readonly TypedPart[]) => madeOf(without(parts, some), `without ${inWords(some)}`);
	const notIn = (some: readonly TypedPart[], others: readonly TypedPart[]) =>
		some.filter(({ text }) => !others.some((other) => other.text === text));
	// Without the part that it means in another way it is the query without the words of that part.
	const meantIn = (some: readonly OtherQuery[]) =>
		withCounts(some.map((one) => (notIn(one.parts, parts).length > 0 ? one : less(notIn(parts, one.parts)))));
	const wholly = withCounts(meant);
	const partly = (one: OtherQuery): OtherQuery => lessThan(one, absentIn(one.parts));
	const partlyFound = wholly.length > 0 ? wholly : meantIn(meant.map(partly));
	const [firstMeant] = meant;
	// Each part of it is found, but not together.
	const meantByOne = (one: OtherQuery): readonly OtherQuery[] =>
		one.parts.length < 2 ? [] : one.parts.map((part) => lessThan(one, [part]));
	const meantAlternatives =
		partlyFound.length > 0 || firstMeant === undefined
			? partlyFound
			: meantIn(meantByOne(firstMeant).filter((one) => one.parts.some(asks)));
	const absent = absentIn(parts);
	const lessByOne = lessOf(parts.map((part) => less([part])));
	const lessAbsent = lessByOne.length > 0 || absent.length < 2 ? [] : lessOf([less(absent)]);
	const hasLess = parts.length < 3 || lessByOne.length + lessAbsent.length > 0;
	const single = hasLess ? [] : lessOf(parts.map((part) => madeOf([part], `only ${inWords([part])}`)));
	const fewer = [...lessByOne, ...lessAbsent, ...single].toSorted((a, b) => (a.count ?? 0) - (b.count ?? 0));
	const words = parts.filter(({ kind, not }) => kind === "words" && !not);
	const joined = without(words, absent);
	const any = joined.length < 2 ? [] : withCounts([madeOf([anyPart(joined), ...without(parts, words)], "any of them")]);
	const alternatives = [...meantAlternatives.slice(0, MOST_MEANT), ...fewer, ...any].filter(
		({ text }, at, all) => all.findIndex((one) => one.text === text) === at,
	);
	return { alternatives, absent };
}

function madeOf(parts: readonly TypedPart[], label: string): OtherQuery {
	return { label, parts, text: parts.map(({ text }) => text).join(" ") };
}

/** One without some parts. */
function lessThan(one: OtherQuery, some: readonly TypedPart[]): OtherQuery {
	return { ...one, ...madeOf(without(one.parts, some), `${one.label}, without ${inWords(some)}`) };
}

/** Whether a part asks for something: a query that only excludes, or limits words that it does not have, finds nearly everything. */
function asks({ kind, not }: TypedPart): boolean {
	return !not && kind !== "narrowing";
}

/** "“spec” and since:7d": parts of a query in a sentence. */
export function inWords(parts: readonly TypedPart[], joint = "and"): string {
	const names = parts.map((part) => (isPlain(part) ? `“${part.text.replaceAll('"', "")}”` : part.text));
	const last = names.pop() ?? "";
	return names.length === 0 ? last : `${names.join(", ")} ${joint} ${last}`;
}

/** An alternative with its count, if it finds anything. */
function counted({ label, saysReading, parts, text }: OtherQuery, frame: Frame): readonly Alternative[] {
	const { scope, terms, where } = frame;
	const count = parts.length === 0 ? undefined : countParts(parts, frame);
	if (count === undefined || count.count === 0) return [];
	return [{ label: [label, ...where].join(", "), saysReading, text, scope, terms, ...count }];
}

/** How many sessions have all of some parts; undefined if that cannot be told from what was searched for. */
function countParts(
	parts: readonly TypedPart[],
	{ state, scope, terms }: Frame,
): Pick<Alternative, "count" | "inForms"> | undefined {
	const searches = searchesFor(parts);
	if (searches === undefined) return undefined;
	const { value: answers } = PARTS.of(state);
	const answersTo = (texts: readonly string[]): readonly SessionsWith[] =>
		texts.flatMap((text) => answers?.get(text) ?? []);
	const words = searches.words.map(answersTo);
	const excluded = answersTo(searches.without);
	if ([...words.flat(), ...excluded].length < [...searches.words.flat(), ...searches.without].length) return undefined;
	// Several words are searched for in other forms together.
	const inForms = words.flat().length === 1 && words.flat().every((one) => one.inForms);
	const [first, ...more] = words.map((some) => pathsIn(some, inForms));
	const wordPaths = more.reduce((all, some) => all?.intersection(some), first);
	const all = state.catalog.rows;
	const paths =
		excluded.length === 0 ? wordPaths : new Set(wordPaths ?? all.keys()).difference(pathsIn(excluded, false));
	const conditions = asQuery([...terms, searches.conditions].join(" ").trim());
	// With a text, as for any other query: then runs count for their sessions.
	return { count: countSessions(state, scope, { ...conditions, text: "parts" }, paths), inForms };
}

/** The sessions that have any of some words. `inForms`: also those that have them only in other forms. */
function pathsIn(some: readonly SessionsWith[], inForms: boolean): ReadonlySet<string> {
	return new Set(some.flatMap((one) => (inForms || !one.inForms ? [...one.paths] : [])));
}

export function takeAlternative(state: State, { text, scope, terms }: Alternative): State {
	const scopeBefore = scope === "project" ? state.list.scopeBefore : scope;
	const typed = typeQuery({ ...state, list: { ...state.list, scope, scopeBefore, terms } }, text);
	// A second click at the same place is not about the session that appears there.
	return { ...typed, list: { ...typed.list, cursorSet: false }, mouse: { ...typed.mouse, pressed: undefined } };
}
