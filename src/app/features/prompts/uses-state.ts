import { NO_QUERY } from "../../../catalog/query/parse-query.ts";
import type { ParsedUseQuery } from "../../../catalog/uses/parse-use-query.ts";
import type { UseFile, UsesEvent } from "../../../catalog/uses/protocol.ts";
import type { Use, UseKind } from "../../../catalog/uses/use.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import { FIRST_CURSOR, type PageCursor } from "../../../ui/page/page-rows.ts";
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

const FIRST_USES: UsesState = {
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
};

export const USES = defineSlice("uses", FIRST_USES);
