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
import type { UsesEvent, UsesSearched } from "../../../catalog/uses/use-finder.ts";
import type { UseOrder } from "../../../catalog/uses/used-texts.ts";
import { memoLast } from "../../../shared/memo.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import { FIRST_CURSOR, type PageCursor, type PageRow, rowAtCursor } from "../../../ui/page/page-rows.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { newRowFacts } from "../../world/list/match-rows.ts";
import { layoutWithPreview } from "../../world/page/page.ts";
import { defineSlice, type State } from "../../world/state/state.ts";

/** The page of all prompts, or all commands. It keeps its state while it is closed. */
interface UsesState {
	readonly kind: UseKind;
	/** The filter. */
	readonly query: EditedText;
	/** The last valid filter. */
	readonly parsed: ParsedUseQuery;
	/** Why the typed text is not a valid filter. */
	readonly mistake: string | undefined;
	/** How many texts are requested. */
	readonly limit: number;
	/** Keys of the texts whose uses are shown. */
	readonly opened: ReadonlySet<number>;
	readonly order: UseOrder;
	readonly cursor: PageCursor;
}

/** What the page asks for. */
interface AskedUses extends Pick<UsesState, "kind" | "parsed" | "limit" | "opened" | "order"> {
	readonly searched: UsesSearched;
}

/** What was found so far. */
type FoundUses = Extract<UsesEvent, { type: "found" }>;

/** The filter that matches everything. */
const ALL_USES: ParsedUseQuery = { query: NO_QUERY, sessions: [], dates: [] };
/** Texts requested at first: more than any screen shows. */
export const FIRST_LIMIT = 300;

export const USES = defineSlice<UsesState>("uses", {
	kind: "prompt",
	query: editedText(""),
	parsed: ALL_USES,
	mistake: undefined,
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
export function selectUseRows(state: State): readonly UseRow[] {
	const { kind, opened } = USES.of(state);
	const { value, key } = FOUND_USES.of(state);
	return value !== undefined && key?.kind === kind ? rowsOf(value.found.texts, opened) : NO_ROWS;
}

export function selectedUseRow(state: State): UseRow | undefined {
	return rowAtCursor(USES.of(state).cursor, selectUseRows(state));
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

/** Raises the limit when the person is near the end of the known texts. */
export function withLimit(state: State): State {
	const { limit, cursor } = USES.of(state);
	const { value, key } = FOUND_USES.of(state);
	if (value === undefined || key?.limit !== limit || value.found.texts.length >= value.found.total) return state;
	const rowsAhead = cursor.top + SCREENS_AHEAD * layoutWithPreview(state.size).list.height;
	return rowsAhead <= value.found.texts.length ? state : USES.with(state, { limit: limit * LIMIT_GROWTH });
}

/** The prompts or commands that the page shows; the thread forgets its results once the page is closed. */
export const FOUND_USES = defineQuery<AskedUses, FoundUses>({
	name: "uses",
	wanted(state, { asked, key, value, isLoading }) {
		const { kind, parsed, limit, opened, order } = USES.of(state);
		// Changed files wait for the answer: otherwise there would never be one while sessions are being listed.
		const isUnderWay = isLoading && !(asked === key && value?.isDone === true);
		const isOfFilter = asked?.kind === kind && asked.parsed === parsed;
		const searched = isUnderWay && isOfFilter ? asked.searched : searchedFor(state);
		return { kind, parsed, limit, opened, order, searched };
	},
	isSame: (asked, wanted) => COMPARED.every((field) => asked[field] === wanted[field]),
	canFail: true,
	load: ({ kind, parsed, limit, opened, order, searched }, { store, listen }) => {
		const texts = { kind, order, dates: parsed.dates, limit, usesLimit: 1, opened: [...opened] };
		return listen((emit, fail) =>
			store.catalog.askUses({ wanted: texts, searched }, (event) =>
				event.type === "error" ? fail(new Error(event.message)) : emit(event),
			),
		);
	},
});

const COMPARED = ["kind", "parsed", "limit", "opened", "order", "searched"] as const;

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
		{ query, sessions }: ParsedUseQuery,
		facts: RowFacts,
	): UsesSearched => {
		// The task of a subagent was written by a program.
		const files = listed([...rows.values()], visibilityOf(sessions, kind === "command"))
			.filter((row) => rowMeets(row, sessions, facts))
			.map(({ path, size, modified }) => ({ path, size, modified: modified.getTime() }))
			.sort((a, b) => b.modified - a.modified);
		return { query, files };
	},
);

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
	const { kind, parsed, cursor } = USES.of(state);
	const { key, error, isLoading } = FOUND_USES.of(state);
	if (error !== undefined && !isLoading) return true;
	return key?.kind === kind && key.parsed === parsed && (isUsesComplete(state) || cursor.selected !== undefined);
}

/** Whether all results of the last request have arrived. */
export function isUsesComplete(state: State): boolean {
	const { value, key, asked } = FOUND_USES.of(state);
	return value?.isDone === true && key === asked;
}
