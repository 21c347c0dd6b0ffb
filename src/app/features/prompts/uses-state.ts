import type { SessionRow } from "../../../catalog/model/row.ts";
import { listed } from "../../../catalog/model/visibility.ts";
import { type RowFacts, rowMeets, visibilityOf } from "../../../catalog/query/conditions.ts";
import { NO_QUERY } from "../../../catalog/query/parse-query.ts";
import {
	type ParsedUseQuery,
	parseUseQuery,
	type Use,
	type UsedText,
	type UseKind,
} from "../../../catalog/uses/use.ts";
import type { UsesEvent, UsesRequest, UsesSearched } from "../../../catalog/uses/use-finder.ts";
import type { UseOrder } from "../../../catalog/uses/used-texts.ts";
import { memoLast } from "../../../shared/memo.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import { FIRST_CURSOR, type PageCursor, type PageRow, rowAtCursor } from "../../../ui/page/page-rows.ts";
import { newRowFacts } from "../../world/list/match-rows.ts";
import { layoutWithPreview } from "../../world/page/page.ts";
import { defineSlice, type State, type Transition, transition } from "../../world/state/state.ts";

/** The page of all prompts, or all commands. It keeps its state while it is closed. */
interface UsesState {
	readonly kind: UseKind;
	/** The filter. */
	readonly query: EditedText;
	/** The last valid filter. */
	readonly parsed: ParsedUseQuery;
	/** Why the typed text is not a valid filter. */
	readonly mistake: string | undefined;
	/** The last request. */
	readonly asked: AskedUses | undefined;
	/** Its number, and whether all of its results have arrived. */
	readonly request: number;
	readonly isDone: boolean;
	/** The last results, and the request that they belong to. */
	readonly found: FoundUses | undefined;
	readonly error: string | undefined;
	/** How many texts are requested. */
	readonly limit: number;
	/** Keys of the texts whose uses are shown. */
	readonly opened: ReadonlySet<number>;
	readonly order: UseOrder;
	readonly cursor: PageCursor;
}

export interface AskedUses extends Pick<UsesState, "kind" | "parsed" | "limit" | "opened" | "order"> {
	readonly searched: UsesSearched;
}

interface FoundUses extends Omit<Extract<UsesEvent, { type: "found" }>, "type" | "isDone"> {
	readonly of: AskedUses;
}

/** The filter that matches everything. */
const ALL_USES: ParsedUseQuery = { query: NO_QUERY, sessions: [], dates: [] };
/** Texts requested at first: more than any screen shows. */
export const FIRST_LIMIT = 300;

export const USES = defineSlice<UsesState>("uses", {
	kind: "prompt",
	query: editedText(""),
	parsed: ALL_USES,
	mistake: undefined,
	asked: undefined,
	request: 0,
	isDone: false,
	found: undefined,
	error: undefined,
	limit: FIRST_LIMIT,
	opened: new Set(),
	order: "newest",
	cursor: FIRST_CURSOR,
});

/** A row of the page: a text; below an open one, its uses and the number of further ones. */
export type UseRow =
	| (PageRow & { readonly kind: "text"; readonly text: UsedText; readonly isOpen: boolean })
	| (PageRow & { readonly kind: "use"; readonly text: UsedText; readonly use: Use })
	| (PageRow & { readonly kind: "more"; readonly count: number });

/** The rows of the texts found; none while those are of the other kind. */
export function selectUseRows({ found, kind, opened }: UsesState): readonly UseRow[] {
	return found?.of.kind === kind ? rowsOf(found.found.texts, opened) : NO_ROWS;
}

export function selectedUseRow(uses: UsesState): UseRow | undefined {
	return rowAtCursor(uses.cursor, selectUseRows(uses));
}

/** The use that a row stands for; a text stands for its latest use. */
export function usedAt(row: UseRow | undefined): Use | undefined {
	if (row === undefined || row.kind === "more") return undefined;
	return row.kind === "use" ? row.use : row.text.uses[0];
}

const NO_ROWS: readonly UseRow[] = [];

const rowsOf = memoLast((texts: readonly UsedText[], opened: ReadonlySet<number>): readonly UseRow[] =>
	texts.flatMap((text): UseRow[] => {
		const key = String(text.key);
		const isOpen = opened.has(text.key);
		const row: UseRow = { kind: "text", key, text, isOpen };
		if (!isOpen) return [row];
		const uses = text.uses.map((use): UseRow => ({ kind: "use", key: `${key} ${use.origin}`, text, use }));
		const count = text.count - uses.length;
		const more: UseRow = { kind: "more", key: `${key} more`, count, isSkipped: true };
		// Of a text that has just been opened, only the latest use is known yet.
		return count > 0 && uses.length > 1 ? [row, ...uses, more] : [row, ...uses];
	}),
);

/** Screens of texts to prefetch, and the growth factor of the limit. */
const SCREENS_AHEAD = 4;
const LIMIT_GROWTH = 4;

/** Requests what the page shows. */
export function syncUses(state: State): Transition {
	return request(withLimit(state));
}

/** Ends the search when the page is closed. */
export function stopUses(state: State): Transition {
	if (USES.of(state).asked === undefined) return transition(state);
	return transition(USES.with(state, { asked: undefined }), { type: "stop-uses" });
}

/** Raises the limit when the person is near the end of the known texts. */
function withLimit(state: State): State {
	const { found, limit, cursor } = USES.of(state);
	if (found?.of.limit !== limit || found.found.texts.length >= found.found.total) return state;
	const wanted = cursor.top + SCREENS_AHEAD * layoutWithPreview(state.size).list.height;
	return wanted <= found.found.texts.length ? state : USES.with(state, { limit: limit * LIMIT_GROWTH });
}

function request(state: State): Transition {
	const uses = USES.of(state);
	const { kind, parsed, limit, opened, order, asked } = uses;
	const searched = searchedFor(state);
	const isSame = asked?.parsed === parsed && asked.limit === limit && asked.opened === opened && asked.order === order;
	// Changed files wait for the answer: otherwise there would never be one while sessions are being listed.
	if (isSame && asked.kind === kind && (asked.searched === searched || !uses.isDone)) return transition(state);
	const wanted: AskedUses = { kind, parsed, limit, opened, order, searched };
	const number = uses.request + 1;
	const next = USES.with(state, { asked: wanted, request: number, isDone: false, error: undefined });
	return transition(next, { type: "ask-uses", request: number, asked: wanted });
}

/** What is searched for, in the sessions that meet the conditions of the filter, newest first. */
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
		{ query, sessions }: ParsedUseQuery,
		facts: RowFacts,
	): UsesSearched => {
		// What a subagent was asked was said by a program.
		const files = listed([...rows.values()], visibilityOf(sessions, kind === "command"))
			.filter((row) => rowMeets(row, sessions, facts))
			.map(({ path, size, modified }) => ({ path, size, modified: modified.getTime() }))
			.sort((a, b) => b.modified - a.modified);
		return { query, files };
	},
);

/** Stores what was found for the last request; results of earlier ones are dropped. */
export function applyUses(state: State, request: number, event: UsesEvent): State {
	const uses = USES.of(state);
	if (uses.request !== request || uses.asked === undefined) return state;
	if (event.type === "error") return USES.with(state, { error: event.message, isDone: true });
	const { found, read, total, unread, isDone } = event;
	return USES.with(state, { found: { of: uses.asked, found, read, total, unread }, isDone });
}

/** Stores the edited filter; the cursor of a new filter is on the first row. */
export function editUses(state: State, query: UsesState["query"]): State {
	const uses = USES.of(state);
	if (query.text === uses.query.text) return USES.with(state, { query });
	return USES.with(reparsed(USES.with(state, { query }), uses.kind), { cursor: TOP, limit: FIRST_LIMIT });
}

const TOP = { selected: undefined, index: 0, top: 0 };

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
	const { found, kind, parsed, isDone, cursor, error } = USES.of(state);
	if (error !== undefined) return true;
	if (found?.of.kind !== kind || found.of.parsed !== parsed) return false;
	return isDone || cursor.selected !== undefined;
}

/** The request to the catalog. */
export function usesAsked({ kind, parsed, limit, opened, order, searched }: AskedUses): UsesRequest {
	return { wanted: { kind, order, dates: parsed.dates, limit, usesLimit: 1, opened: [...opened] }, searched };
}
