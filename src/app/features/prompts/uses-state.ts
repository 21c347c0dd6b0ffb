import type { SessionRow } from "../../../catalog/model/row.ts";
import { listed } from "../../../catalog/model/visibility.ts";
import { type RowFacts, rowMeets, visibilityOf } from "../../../catalog/query/conditions.ts";
import { NO_QUERY } from "../../../catalog/query/parse-query.ts";
import type { WholeUse } from "../../../catalog/uses/read-use.ts";
import type { UseOrder, UsesSearched, UsesWanted } from "../../../catalog/uses/search-uses.ts";
import {
	type ParsedUseQuery,
	parseUseQuery,
	type Use,
	type UsedText,
	type UseKind,
} from "../../../catalog/uses/use.ts";
import type { UsesEvent } from "../../../catalog/uses/use-finder.ts";
import { memoLast } from "../../../shared/memo.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import { FIRST_CURSOR, type PageCursor, type PageRow, rowAtCursor } from "../../../ui/page/page-rows.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { newRowFacts } from "../../world/list/match-rows.ts";
import { layoutWithPreview } from "../../world/page/page.ts";
import { defineSlice, type State } from "../../world/state/state.ts";

interface UsesState {
	readonly kind: UseKind;
	readonly query: EditedText;
	/** The last valid filter. */
	readonly parsed: ParsedUseQuery;
	readonly mistake: string | undefined;
	/** Keys of the texts whose uses are shown. */
	readonly opened: ReadonlySet<number>;
	readonly order: UseOrder;
	readonly cursor: PageCursor;
}

interface AskedUses extends UsesWanted {
	readonly searched: UsesSearched;
}

type FoundUses = Extract<UsesEvent, { type: "found" }>;

const ALL_USES: ParsedUseQuery = { query: NO_QUERY, sessions: [], dates: [] };
/** Texts requested at first: more than any screen shows. */
const FIRST_LIMIT = 300;

export const USES = defineSlice<UsesState>("uses", {
	kind: "prompt",
	query: editedText(""),
	parsed: ALL_USES,
	mistake: undefined,
	opened: new Set(),
	order: "newest",
	cursor: FIRST_CURSOR,
});

/** A row of the page: a text, which stands for its latest use; below an open one, its uses. */
export interface UseRow extends PageRow {
	readonly kind: "text" | "use";
	readonly text: UsedText;
	readonly use: Use;
	/** Whether the uses of the text are shown. */
	readonly isOpen: boolean;
}

/** The rows of the texts found; none while those are of the other kind. */
export function selectUseRows(state: State): readonly UseRow[] {
	const { kind, opened } = USES.of(state);
	const { value, key } = FOUND_USES.of(state);
	return value !== undefined && key?.searched.kind === kind ? rowsOf(value.found.texts, opened) : NO_ROWS;
}

export function selectedUseRow(state: State): UseRow | undefined {
	return rowAtCursor(USES.of(state).cursor, selectUseRows(state));
}

const NO_ROWS: readonly UseRow[] = [];

const rowsOf = memoLast((texts: readonly UsedText[], opened: ReadonlySet<number>): readonly UseRow[] =>
	texts.flatMap((text): UseRow[] => {
		const [latest] = text.uses;
		if (latest === undefined) return [];
		const row: UseRow = { kind: "text", key: String(text.key), text, use: latest, isOpen: opened.has(text.key) };
		const rowOf = (use: Use): UseRow => ({ ...row, kind: "use", key: `${row.key} ${use.origin}`, use });
		return row.isOpen ? [row, ...text.uses.map(rowOf)] : [row];
	}),
);

/** Screens of texts to prefetch, and the growth factor of the limit. */
const SCREENS_AHEAD = 4;
const LIMIT_GROWTH = 4;

/** How many texts are requested: the more, the further down the person is, and all from the last row on. */
function limitOf(state: State, lastLimit: number): number {
	const { cursor } = USES.of(state);
	const { texts = [], total = 0 } = FOUND_USES.of(state).value?.found ?? {};
	if (texts.length < total && cursor.index >= selectUseRows(state).length - 1) return Number.POSITIVE_INFINITY;
	const rowsAhead = cursor.top + SCREENS_AHEAD * layoutWithPreview(state.size).list.height;
	let limit = lastLimit;
	while (limit < rowsAhead) limit *= LIMIT_GROWTH;
	return limit;
}

/** The prompts or commands that the page shows; the thread forgets its results once the page is closed. */
export const FOUND_USES = defineQuery<AskedUses, FoundUses>({
	name: "uses",
	wanted(state, { asked, key, value, isLoading }) {
		const { order } = USES.of(state);
		// Changed files wait for the answer: otherwise there would never be one while sessions are being listed.
		const isUnderWay = isLoading && !(asked === key && value?.isDone === true);
		const searched = isUnderWay && isOfFilter(state, asked) ? asked.searched : searchedFor(state);
		// What was asked for stays when the person goes back up.
		const lastLimit = asked?.searched === searched ? asked.limit : FIRST_LIMIT;
		return { order, limit: limitOf(state, lastLimit), searched };
	},
	isSame: (asked, wanted) =>
		asked.searched === wanted.searched && asked.limit === wanted.limit && asked.order === wanted.order,
	canFail: true,
	load: ({ limit, order, searched }, { store, listen }) => {
		return listen((emit, fail) =>
			store.catalog.askUses({ wanted: { order, limit }, searched }, (event) =>
				event.type === "error" ? fail(new Error(event.message)) : emit(event),
			),
		);
	},
});

/** Whether what was asked for answers the typed filter. */
export function isOfFilter(state: State, asked: AskedUses | undefined): asked is AskedUses {
	const { kind, parsed } = USES.of(state);
	return asked?.searched.kind === kind && asked.searched.query === parsed.query;
}

/** The whole text under the cursor, and what came of its latest use. */
export const WHOLE_USE = defineQuery<Use, WholeUse>({
	name: "whole use",
	wanted: (state) => selectedUseRow(state)?.use,
	isSame: isSameUse,
	canFail: true,
	load: (use, { store }) => store.readThread.run("readUse", use.path, use),
});

/** That of a use; undefined until it was read. */
export function wholeOf(state: State, use: Use): WholeUse | undefined {
	const { key, value } = WHOLE_USE.of(state);
	return key !== undefined && isSameUse(key, use) ? value : undefined;
}

function isSameUse(one: Use, other: Use): boolean {
	return one.origin === other.origin && one.path === other.path;
}

/** The search in the sessions that meet the conditions of the filter, newest first. */
function searchedFor(state: State): UsesSearched {
	const { kind, parsed } = USES.of(state);
	const { sessions, query } = parsed;
	const facts = factsFor(state, { ...query, conditions: sessions });
	return searchedIn(state.catalog.here, kind, parsed, facts);
}

const factsFor = newRowFacts();

const searchedIn = memoLast(
	(
		rows: ReadonlyMap<string, SessionRow>,
		kind: UseKind,
		{ query, sessions, dates }: ParsedUseQuery,
		facts: RowFacts,
	): UsesSearched => {
		// The task of a subagent was written by a program.
		const files = listed([...rows.values()], visibilityOf(sessions, kind === "command"))
			.filter((row) => rowMeets(row, sessions, facts))
			.map(({ path, size, modified }) => ({ path, size, modified: modified.getTime() }))
			.sort((a, b) => b.modified - a.modified);
		return { kind, query, dates, files };
	},
);

/** Stores the edited filter; the cursor of a new filter is on the first row. */
export function editUses(state: State, query: UsesState["query"]): State {
	const uses = USES.of(state);
	if (query.text === uses.query.text) return USES.with(state, { query });
	return USES.with(reparsed(USES.with(state, { query }), uses.kind), { cursor: FIRST_CURSOR });
}

/** Parses the typed text as a filter for this kind. If that fails, the rows of the last valid filter stay. */
export function reparsed(state: State, kind: UsesState["kind"]): State {
	const { text } = USES.of(state).query;
	const parsed = parseUseQuery(text, kind, state.now);
	if ("error" in parsed) return USES.with(state, { kind, mistake: parsed.error });
	return USES.with(state, { kind, parsed, mistake: undefined });
}

/**
 * Whether the page shows the results of the typed filter, so that a key may act on the row under the cursor: the search is done,
 * or the person has moved the cursor.
 */
export function isUsesAnswered(state: State): boolean {
	const { key, error, isLoading } = FOUND_USES.of(state);
	if (error !== undefined && !isLoading) return true;
	return isOfFilter(state, key) && (isUsesComplete(state) || USES.of(state).cursor.selected !== undefined);
}

/** Whether all results of the last request have arrived. */
export function isUsesComplete(state: State): boolean {
	const { value, key, asked } = FOUND_USES.of(state);
	return value?.isDone === true && key === asked;
}
