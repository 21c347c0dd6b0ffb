import { isDeepStrictEqual } from "node:util";
import { isSession, type SessionRow } from "../../../catalog/model/row.ts";
import { type RowFacts, rowMeets } from "../../../catalog/query/conditions.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import { NO_QUERY, parseQuery } from "../../../catalog/query/parse-query.ts";
import { memoEqual, memoLast } from "../../../shared/memo.ts";
import type { State } from "../state/state.ts";
import { newRowFacts } from "./row-facts.ts";
import { placeOfScope } from "./scope.ts";
import type { ThreadedRow } from "./thread.ts";

/** The sections above the list, in their order. */
const SECTIONS = ["running", "waiting", "today", "pinned"] as const;
export type SectionName = (typeof SECTIONS)[number];

interface SectionInfo {
	readonly name: string;
	/** The query that finds its sessions: its rule. */
	readonly query: string;
	/** The rule in a few words. */
	readonly rule: string;
}

export const SECTION_INFO: Readonly<Record<SectionName, SectionInfo>> = {
	running: { name: "running now", query: "is:live", rule: "in use, or just written to" },
	waiting: {
		name: "waiting for you",
		query: "is:waiting -is:live since:14d",
		rule: "asks or stopped midway, 14 days",
	},
	today: { name: "today", query: "on:today", rule: "last message since midnight" },
	pinned: { name: "pinned", query: "is:pinned", rule: "pinned by you" },
};

/** A section above the list; its sessions are shown nowhere else. */
export interface HomeSection {
	readonly name: SectionName;
	/** The sessions that it shows, newest first. */
	readonly rows: readonly ThreadedRow[];
	/** Number of sessions that its rule finds, including those in the sections above it and in the list below. */
	readonly total: number;
}

export const NO_SECTIONS: readonly HomeSection[] = [];

/** Lower screens, and lists of fewer sessions, have no sections: what they would show is visible anyway. */
const LEAST_SCREEN = 18;
const LEAST_SESSIONS = 12;
/** Maximum of sessions per section, on screens of fewer rows than `HIGH_SCREEN`, and on others. */
const HIGH_SCREEN = 34;
const FEW = 3;
const MANY = 5;

/** Why there can be no sections now, whatever the settings; undefined if there can. `inScope`: all sessions of the scope. */
export function whyNoHome(state: State, inScope: readonly SessionRow[]): string | undefined {
	const { list, size } = state;
	if (list.search.query.text !== "") return "Sections are for the list without a query";
	if (list.stage !== undefined) return "Sections are for the whole list, not for what is marked";
	if (placeOfScope(state).inArchive) return "Sections are not for what is archived";
	if (size.rows < LEAST_SCREEN) return "There is no room for sections on so low a screen";
	return shownOf(state, inScope).length < LEAST_SESSIONS
		? `Sections are for lists of ${LEAST_SESSIONS} sessions and more`
		: undefined;
}

/** Whether the list has sections, which may all be empty. */
export function isHome(state: State, inScope: readonly SessionRow[]): boolean {
	return state.list.settings.home && whyNoHome(state, inScope) === undefined;
}

/** The sections above the list, with the sessions of the scope that it may show. */
export function homeSections(state: State, inScope: readonly SessionRow[]): readonly HomeSection[] {
	if (!isHome(state, inScope)) return NO_SECTIONS;
	const { catalog, marks, now, size, list } = state;
	const most = size.rows < HIGH_SCREEN ? FEW : MANY;
	// Computed for the whole scope, not with every change of what the list shows of it.
	const members = membersOf(inScope, catalog, marks, startOfDay(now));
	return withRows(outlinesOf(most, ...(list.namedOnly ? namedOfEach(members) : members)), catalog.rows);
}

const namedOfEach = memoLast((members: readonly (readonly SessionRow[])[]) =>
	members.map((rows) => rows.filter(isNamed)),
);

/** The sessions of the scope that the list may show. */
export function shownOf({ list }: State, inScope: readonly SessionRow[]): readonly SessionRow[] {
	return list.namedOnly ? namedOf(inScope) : inScope;
}

const namedOf = memoLast((rows: readonly SessionRow[]): readonly SessionRow[] => rows.filter(isNamed));

function isNamed({ name }: SessionRow): boolean {
	return Boolean(name);
}

/**
 * Where the cursor begins: Enter resumes the newest session that is not in use (of the present directory, if that comes
 * first), whatever section it is in.
 */
export const newestFree = memoLast(
	(candidates: readonly SessionRow[], live: RowFacts["live"], directory: string | undefined): string | undefined => {
		let newest: SessionRow | undefined;
		let isNewestHere = false;
		for (const row of candidates) {
			if (!isSession(row) || live.has(row.path)) continue;
			const isHere = row.cwd === directory;
			const isNewer = newest === undefined || row.modified > newest.modified;
			if (isHere === isNewestHere ? isNewer : isHere) [newest, isNewestHere] = [row, isHere];
		}
		return newest?.path;
	},
);

/** A section with paths instead of rows. */
interface Outline extends Omit<HomeSection, "rows"> {
	readonly paths: readonly string[];
}

/** The sections without their rows; the same object when other sessions change or a session grows. */
const outlinesOf = memoEqual((most: number, ...all: readonly (readonly SessionRow[])[]): readonly Outline[] => {
	const placed = new Set<SessionRow>();
	const filled = all.map((members) => {
		const own = members.filter((row) => !placed.has(row));
		for (const row of own) placed.add(row);
		const rows = own.toSorted((a, b) => b.modified.getTime() - a.modified.getTime()).slice(0, most);
		return { paths: rows.map(({ path }) => path), total: members.length };
	});
	return SECTIONS.flatMap((name, index): Outline[] => {
		const { paths, total } = filled[index] ?? { paths: [], total: 0 };
		return paths.length === 0 ? [] : [{ name, paths, total }];
	});
}, isDeepStrictEqual);

const withRows = memoLast(
	(outlines: readonly Outline[], rows: ReadonlyMap<string, SessionRow>): readonly HomeSection[] =>
		outlines.map(({ paths, ...section }) => ({
			...section,
			rows: paths.flatMap((path) => {
				const row = rows.get(path);
				return row === undefined ? [] : [{ row, level: undefined }];
			}),
		})),
);

type Facts = Parameters<ReturnType<typeof newRowFacts>>[0];
type Members = (candidates: readonly SessionRow[], facts: Facts) => readonly SessionRow[];

/** The results of the query of each section. */
const membersOf = memoLast(
	(candidates: readonly SessionRow[], catalog: State["catalog"], marks: State["marks"], now: number) =>
		SECTIONS.map((name) => MEMBERS[name](candidates, { catalog, marks, now })),
);

/** The results for one section, computed again only when something changes that its query depends on. */
const MEMBERS: Readonly<Record<SectionName, Members>> = {
	running: newMembers("running"),
	waiting: newMembers("waiting"),
	today: newMembers("today"),
	pinned: newMembers("pinned"),
};

function newMembers(name: SectionName): Members {
	const parsed = parseQuery(SECTION_INFO[name].query);
	const query = "query" in parsed ? parsed.query : NO_QUERY;
	const isRecent = query.conditions.some(({ field }) => field === "since" || field === "on");
	const factsFor = newRowFacts();
	const find = memoLast((rows: readonly SessionRow[], facts: RowFacts) =>
		rows.filter((row) => rowMeets(row, query.conditions, facts)),
	);
	return (candidates, facts) => find(isRecent ? recentOf(candidates, facts.now) : candidates, factsFor(facts, query));
}

const DAY_MS = 86_400_000;
/** Days covered by the sections with dates, and one more for clock changes. */
const RECENT_DAYS = 15;

/** The sessions that can be in a section with dates. */
const recentOf = memoLast((candidates: readonly SessionRow[], today: number): readonly SessionRow[] => {
	const from = today - RECENT_DAYS * DAY_MS;
	return candidates.filter(({ modified }) => modified.getTime() >= from);
});
