import { NO_QUERY } from "../../../catalog/query/parse-query.ts";
import type { ParsedUseQuery, Use, UsedText, UseKind } from "../../../catalog/uses/use.ts";
import type { UseFile, UsesEvent } from "../../../catalog/uses/uses-client.ts";
import { memoLast } from "../../../shared/memo.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import { FIRST_CURSOR, type PageCursor, type PageRow, rowAtCursor } from "../../../ui/page/page-rows.ts";
import { defineSlice } from "../../world/state/state.ts";

/** The page of all prompts, or all commands. It keeps its state while it is closed. */
export interface UsesState {
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
	readonly cursor: PageCursor;
	/** How often the page was opened: each time all files are checked again. */
	readonly openings: number;
	/** The use that the person goes to, until its session is open. */
	readonly going: Use | undefined;
}

export interface AskedUses extends Pick<UsesState, "kind" | "parsed" | "limit" | "opened" | "openings"> {
	/** Newest first. */
	readonly files: readonly UseFile[];
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
	cursor: FIRST_CURSOR,
	openings: 0,
	going: undefined,
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
