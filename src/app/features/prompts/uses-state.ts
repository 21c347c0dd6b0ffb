import { NO_QUERY } from "../../../catalog/query/parse-query.ts";
import type { ParsedUseQuery } from "../../../catalog/uses/parse-use-query.ts";
import type { UseFile, UsesEvent } from "../../../catalog/uses/protocol.ts";
import type { Use, UseKind } from "../../../catalog/uses/use.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import { FIRST_CURSOR, type PageCursor } from "../../../ui/page/page-cursor.ts";
import { defineSlice } from "../../world/state/slice.ts";

/** The page of all prompts, or all commands. It stays as it was left, also while it is closed. */
export interface UsesState {
	readonly kind: UseKind;
	/** The filter. */
	readonly query: EditedText;
	/** What it means; while it is none, what the last one that was meant. */
	readonly parsed: ParsedUseQuery;
	/** Why what is typed is no filter. */
	readonly mistake: string | undefined;
	/** What was asked last. */
	readonly asked: AskedUses | undefined;
	/** Number of that request, and whether nothing more comes for it. */
	readonly request: number;
	readonly isDone: boolean;
	/** What was found last, and for what. */
	readonly found: FoundUses | undefined;
	readonly error: string | undefined;
	/** How many texts are asked for. */
	readonly limit: number;
	/** Keys of the texts whose uses are shown. */
	readonly opened: ReadonlySet<number>;
	readonly cursor: PageCursor;
	/** How often the page was opened: each time all files are looked at again. */
	readonly openings: number;
	/** The use to which the person has gone, until its session is there. */
	readonly going: Use | undefined;
}

export interface AskedUses extends Pick<UsesState, "kind" | "parsed" | "limit" | "opened" | "openings"> {
	/** Newest first. */
	readonly files: readonly UseFile[];
}

interface FoundUses extends Omit<Extract<UsesEvent, { type: "found" }>, "type" | "isDone"> {
	readonly of: AskedUses;
}

/** What asks for all. */
const ALL_USES: ParsedUseQuery = { query: NO_QUERY, sessions: [], dates: [] };
/** Texts that are asked for at first: more than any screen shows. */
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
