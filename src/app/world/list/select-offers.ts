import { type Marks, sessionTags } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { headOf } from "../../../catalog/model/session-links.ts";
import { IS_VALUES, projectName, type RowFacts, statesOf } from "../../../catalog/query/conditions.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import { fold } from "../../../catalog/query/fold.ts";
import { asQuery, NO_QUERY, type Query, shortDate, typedTokens } from "../../../catalog/query/parse-query.ts";
import { spokenDateAt, spokenQuery, stateOfSign } from "../../../catalog/query/spoken-conditions.ts";
import { printTokens } from "../../../catalog/query/tokens.ts";
import { memoFields, memoLast } from "../../../shared/memo.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, type Span, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { joinEnds, lineWidth } from "../../../ui/text/width.ts";
import type { Box } from "../../../ui/view.ts";
import type { State } from "../state/state.ts";
import { type Families, familiesOf } from "./families.ts";
import { newRowFacts } from "./match-rows.ts";
import { partFor } from "./projects.ts";
import { partOfTag } from "./row-cells.ts";
import { archivedCount, extentOfScope, runCountOutside } from "./scope.ts";
import { countSessions, rowsInScope, selectList } from "./select-list.ts";

/** What the word before the cursor of the list's query may stand for. */
export interface Offer {
	/** What it is called: "#billing", "failed", "project web-shop". */
	readonly label: string;
	/** Number of sessions in the scope. */
	readonly count: number;
	/** What takes the place of the word: a whole part of a query. */
	readonly text: string;
	/** Offsets of the word in the query. */
	readonly start: number;
	readonly end: number;
}

const NONE: readonly Offer[] = [];
/** The beginning of a tag or of a state, or any other word. */
const LAST_WORD = /(?:^|\s)-?(#([^\s#"]*)|tag:"?([^\s"]*)|is:([a-z-]*))$/i;
/** More tags than fit. */
const MOST_TAGS = 100;

/** The tags that begin as typed, the states that begin so, or what is called like a word, with how many sessions each has. */
export function offersOf(state: State): readonly Offer[] {
	const { text, cursor } = state.list.query;
	if (state.focus !== "list" || state.overlays.length > 0 || text === "" || /\S/.test(text.charAt(cursor))) return NONE;
	const textBefore = text.slice(0, cursor);
	const spoken = spokenOffer(state, textBefore);
	if (spoken?.start === 0) return [spoken];
	const [, word, sign, tag = sign, value] = LAST_WORD.exec(textBefore) ?? [];
	if (word === undefined)
		return [
			...(spoken === undefined ? [] : [spoken]),
			...namedOffers(state, textBefore),
			...projectOffer(rowsInScope(state), textBefore),
		];
	const place = { start: cursor - word.length, end: cursor };
	const offers = tag === undefined ? stateOffers(state, value ?? "") : tagOffers(state, tag);
	const isWhole = offers.length === 1 && offers[0]?.text === word.toLowerCase();
	return isWhole ? NONE : offers.map((offer) => ({ ...offer, ...place }));
}

/** The conditions that all words before the cursor name, else the date that the last ones name, if any session is of these. */
function spokenOffer(state: State, textBefore: string): Offer | undefined {
	const words = spokenWords(textBefore, startOfDay(state.now));
	// Where nothing is listed, they are among what is offered instead.
	if (words === undefined || selectList(state).items.length === 0) return undefined;
	const count = countSpoken(state, words.text);
	return count === 0 ? undefined : { label: words.text, count, ...words };
}

const spokenWords = memoLast((textBefore: string, now: number): Omit<Offer, "label" | "count"> | undefined => {
	const end = textBefore.length;
	const tokens = typedTokens(textBefore);
	if (/\s$/.test(textBefore) || shortDate(textBefore) !== undefined) return undefined;
	const spoken = spokenQuery(tokens, now);
	if (spoken?.isWhole === true) return { text: printTokens(spoken.tokens), start: 0, end };
	for (const at of tokens.keys()) {
		const date = spokenDateAt(tokens, at, now);
		if (date === undefined || at + date.length < tokens.length) continue;
		const [words = ""] = new RegExp(`(?:\\S+\\s+){${date.length - 1}}\\S+$`).exec(textBefore) ?? [];
		return words.length < LEAST_DATE ? undefined : { text: printTokens([date.token]), start: end - words.length, end };
	}
	return undefined;
});

/** Letters of a date: "sun", "mar" and "sep" are rather words, or their beginnings. */
const LEAST_DATE = 5;

function countSpoken(state: State, text: string): number {
	const { catalog, marks, now } = state;
	const cached = spokenCount({ catalog, marks, extent: extentOfScope(state), now: startOfDay(now), text });
	cached.count ??= countSessions(state, state.list.scope, asQuery(text));
	return cached.count;
}

const spokenCount = memoFields((_: object): { count: number | undefined } => ({ count: undefined }));

type Named = Omit<Offer, "start" | "end">;

/** The state and the tag that a whole word or a sign before the cursor names, if any session has them. */
function namedOffers(state: State, textBefore: string): readonly Offer[] {
	const [, typed = ""] = LAST_NAME.exec(textBefore) ?? [];
	const shownState = stateOfSign(typed);
	// Where nothing has the sign, its state is among what is offered instead.
	if (shownState !== undefined && selectList(state).items.length === 0) return NONE;
	const name = shownState ?? typed.toLowerCase();
	const states = IS_VALUES.has(name) ? stateOffers(state, name).map((offer) => ({ ...offer, label: offer.text })) : [];
	const tags = typed === "" ? [] : tagOffers(state, typed);
	const named = [...states, ...tags].filter(
		({ label, count }) => count > 0 && [`is:${name}`, `#${name}`].includes(label.toLowerCase()),
	);
	return named.map((offer) => ({ ...offer, start: textBefore.length - typed.length, end: textBefore.length }));
}

const LAST_NAME = /(?:^|\s)(\p{L}[^\s:"#]*|[^\s\p{L}:"#]\d*)$/u;

function tagOffers(state: State, typed: string): readonly Named[] {
	const counts = tagCounts(rowsInScope(state), state.marks);
	const begun = [...counts].filter(([tag]) => tag.toLowerCase().startsWith(typed.toLowerCase()));
	const ordered = begun.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, MOST_TAGS);
	return ordered.map(([tag, count]) => ({ label: `#${tag}`, count, text: partOfTag(tag) }));
}

const tagCounts = memoLast((rows: readonly SessionRow[], marks: Marks): ReadonlyMap<string, number> => {
	const counts = new Map<string, number>();
	if (marks.tags.size === 0) return counts;
	for (const row of rows) for (const tag of sessionTags(row, marks)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
	return counts;
});

/** Those that some sessions are in come first. */
function stateOffers(state: State, typed: string): readonly Named[] {
	const { rows } = state.catalog;
	const counts = stateCounts(rowsInScope(state), factsOfStates(state, ANY_STATE), familiesOf(rows));
	const values = [...IS_VALUES.keys()].filter((value) => value.startsWith(typed.toLowerCase()));
	const offers = values.map((value) => {
		return { label: value, count: COUNTED_OUTSIDE[value]?.(rows) ?? counts.get(value) ?? 0, text: `is:${value}` };
	});
	return offers.toSorted((a, b) => Number(b.count > 0) - Number(a.count > 0));
}

/** Asks for all states, for what they depend on. */
const ANY_STATE: Query = {
	...NO_QUERY,
	conditions: [...IS_VALUES.keys()].map((value) => ({ field: "is", value, not: false })),
};
const factsOfStates = newRowFacts();

/** In one pass: of 30,000 sessions one for each state took 80 ms. */
const stateCounts = memoLast(
	(rows: readonly SessionRow[], facts: RowFacts, families: Families): ReadonlyMap<string, number> => {
		// A session is listed for its runs, too.
		const ofRuns = new Map<SessionRow, Set<string>>();
		for (const run of families.parents.keys()) {
			const head = headOf(run, families);
			const states = ofRuns.get(head) ?? new Set();
			for (const value of statesOf(run, facts)) states.add(value);
			ofRuns.set(head, states);
		}
		const counts = new Map<string, number>();
		for (const row of rows)
			for (const value of new Set([...statesOf(row, facts), ...(ofRuns.get(row) ?? [])]))
				counts.set(value, (counts.get(value) ?? 0) + 1);
		return counts;
	},
);

/** States of rows that no scope but their own has. */
const COUNTED_OUTSIDE: Readonly<Record<string, (rows: State["catalog"]["rows"]) => number>> = {
	archived: archivedCount,
	run: runCountOutside,
};

/** The project whose name, blanks included, stands before the cursor. It is asked for several times in each frame. */
const projectOffer = memoLast((rows: readonly SessionRow[], textBefore: string): readonly Offer[] => {
	const typed = fold(textBefore);
	const projects = projectCounts(rows);
	if (typed.length !== textBefore.length) return NONE;
	for (const [name, { count, folded }] of projects) {
		const start = typed.length - folded.length;
		if (!typed.endsWith(folded) || /\S/.test(typed.charAt(start - 1))) continue;
		// "api" is in the name of "api-gateway", too.
		const isPart = projects.values().some((other) => other.folded !== folded && other.folded.includes(folded));
		const text = partFor("project", isPart ? `=${name}` : name);
		return [{ label: `project ${name}`, count, text, start, end: textBefore.length }];
	}
	return NONE;
});

/** The names of projects, the longest first, with how many sessions each has. */
const projectCounts = memoLast(
	(rows: readonly SessionRow[]): ReadonlyMap<string, { readonly count: number; readonly folded: string }> => {
		const byName = Map.groupBy(rows, ({ cwd }) => projectName(cwd));
		return new Map(
			[...byName]
				.filter(([name]) => name !== "" && !name.includes('"'))
				.sort(([a], [b]) => b.length - a.length)
				.map(([name, { length }]) => [name, { count: length, folded: fold(name) }] as const),
		);
	},
);

const HINT = "tab completes ";
/** The share of the list that offers take at most. */
const MOST_SHARE = 0.3;

/** The rows above the sessions with what is offered; a click takes it. */
export function offerLines(state: State, { width, height }: Pick<Box, "width" | "height">): readonly Line[] {
	const offers = offersOf(state);
	return offers.length === 0 ? NO_LINES : drawn(offers, width, height);
}

const NO_LINES: readonly Line[] = [];

function drawn(offers: readonly Offer[], width: number, height: number): readonly Line[] {
	const isState = offers.every(({ text, label }) => text === `is:${label}`);
	const lines: Line[] = [];
	let line: Line = [span("  ")];
	for (const offer of offers) {
		const cells = drawOffer(offer, isState);
		const room = lines.length === 0 ? width - HINT.length : width;
		if (line.length > 1 && lineWidth(line) + lineWidth(cells) > room) {
			lines.push(line);
			line = [span("  ")];
		}
		line = [...line, ...cells];
	}
	lines.push(line);
	const most = Math.max(1, Math.floor(height * MOST_SHARE));
	const [first = line, ...others] = lines.slice(0, most);
	const hint = lines.length > most ? "… tab completes " : HINT;
	const hasRoom = lineWidth(first) + hint.length <= width;
	return [hasRoom ? joinEnds(first, [span(hint, "muted")], width) : first, ...others];
}

function drawOffer({ label, count, text }: Offer, isState: boolean): Line {
	const part = (words: string, tone: Span["tone"]): Span => ({ ...span(words, tone), types: text });
	const words = isState ? formatCount(count) : formatCounted(count, "session");
	return [
		{ ...part("", "text"), text: sanitizeLine(label), tone: count === 0 ? "muted" : "accent" },
		part(` ${words}`, "muted"),
		span("   "),
	];
}
