import type { SessionRow } from "../../../catalog/model/row.ts";
import { asksForArchived, type RowFacts, rowMeets } from "../../../catalog/query/conditions.ts";
import { type ParsedUseQuery, parseUseQuery } from "../../../catalog/uses/parse-use-query.ts";
import type { UseFile, UsesEvent } from "../../../catalog/uses/protocol.ts";
import type { UsesRequest } from "../../../catalog/uses/uses-client.ts";
import { memoLast } from "../../../shared/memo.ts";
import { newRowFacts } from "../../world/list/row-facts.ts";
import { layoutWithPreview } from "../../world/page/page-layout.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { transition } from "../../world/state/transition.ts";
import { type AskedUses, FIRST_LIMIT, USES, type UsesState } from "./uses-state.ts";

/** So many screens of texts are asked for ahead of what is in sight, and so many times as many as before. */
const SCREENS_AHEAD = 4;
const TIMES_MORE = 4;

/** Asks for what the page shows. */
export function syncUses(state: State): Transition {
	return askOn(withLimit(state));
}

/** Nobody looks at the page any more. */
export function stopUses(state: State): Transition {
	if (USES.of(state).asked === undefined) return transition(state);
	return transition(USES.with(state, { asked: undefined }), { type: "stop-uses" });
}

/** More is asked for when the person is near the end of what is there. */
function withLimit(state: State): State {
	const { size } = state;
	const uses = USES.of(state);
	const { found, limit } = uses;
	if (found?.of.limit !== limit || found.found.texts.length >= found.found.total) return state;
	const wanted = uses.cursor.top + SCREENS_AHEAD * layoutWithPreview(size).list.height;
	return wanted <= found.found.texts.length ? state : USES.with(state, { limit: limit * TIMES_MORE });
}

function askOn(state: State): Transition {
	const uses = USES.of(state);
	const { kind, parsed, limit, opened, openings, asked } = uses;
	const wanted: AskedUses = { kind, parsed, limit, opened, openings, files: filesFor(state) };
	const isSame =
		asked?.kind === kind &&
		asked.parsed === parsed &&
		asked.limit === limit &&
		asked.opened === opened &&
		asked.openings === openings;
	// What has changed on the disk waits for the answer: else, while sessions are listed, there would never be one.
	if (isSame && (asked.files === wanted.files || !uses.isDone)) return transition(state);
	const request = uses.request + 1;
	const next = USES.with(state, { asked: wanted, request, isDone: false, error: undefined });
	const anew = asked?.openings !== openings;
	return transition(next, { type: "ask-uses", request, asked: wanted, anew, now: state.now });
}

/** The files of the sessions that the conditions ask for, newest first. */
function filesFor(state: State): readonly UseFile[] {
	const { sessions, query } = USES.of(state).parsed;
	return filesOf(state.catalog.rows, sessions, factsFor(state, { ...query, conditions: sessions }));
}

const factsFor = newRowFacts();

const filesOf = memoLast(
	(
		rows: ReadonlyMap<string, SessionRow>,
		conditions: ParsedUseQuery["sessions"],
		facts: RowFacts,
	): readonly UseFile[] => {
		const withArchive = asksForArchived(conditions);
		return [...rows.values()]
			.filter((row) => (withArchive || row.archived !== true) && rowMeets(row, conditions, facts))
			.map(({ path, size, modified }) => ({ path, size, modified: modified.getTime() }))
			.sort((a, b) => b.modified - a.modified);
	},
);

/** What was found for the last request; for an earlier one, nothing. */
export function applyUses(state: State, request: number, event: UsesEvent): State {
	const uses = USES.of(state);
	if (uses.request !== request || uses.asked === undefined) return state;
	if (event.type === "error") return USES.with(state, { error: event.message, isDone: true });
	const { found, read, total, unread, isDone } = event;
	return USES.with(state, { found: { of: uses.asked, found, read, total, unread }, isDone });
}

/** The filter as it was edited; another one begins at its first row. */
export function editUses(state: State, query: UsesState["query"]): State {
	const uses = USES.of(state);
	if (query.text === uses.query.text) return USES.with(state, { query });
	return USES.with(reparsed(USES.with(state, { query }), uses.kind), { cursor: TOP, limit: FIRST_LIMIT });
}

const TOP = { selected: undefined, index: 0, top: 0 };

/** The state with what is typed understood as a filter of this kind; the rows of what is none stay. */
export function reparsed(state: State, kind: UsesState["kind"]): State {
	const { text } = USES.of(state).query;
	const parsed = parseUseQuery(text, kind, state.now);
	if ("error" in parsed) return USES.with(state, { kind, mistake: parsed.error });
	return USES.with(state, { kind, parsed, mistake: undefined });
}

/**
 * Whether the page shows what was typed, so that a key may act on the row under its cursor: all of it has been found, or
 * the person has gone to that row.
 */
export function isUsesAnswered(state: State): boolean {
	const uses = USES.of(state);

	const { found, kind, parsed, isDone, cursor, error } = uses;
	if (error !== undefined) return true;
	if (found?.of.kind !== kind || found.of.parsed !== parsed) return false;
	return isDone || cursor.selected !== undefined;
}

/** Characters of a text for its row and the pane beside it; of each of very many, those of its row. */
const TEXT_CHARS = 2000;
const ROW_CHARS = 200;
const MANY = 3000;

/** What the page asks of the catalog. `now`: Unix ms. */
export function usesAsked({ kind, parsed, limit, opened, files }: AskedUses, anew: boolean, now: number): UsesRequest {
	const { query, dates } = parsed;
	const limits = { limit, usesLimit: 1, textLimit: limit > MANY ? ROW_CHARS : TEXT_CHARS, opened: [...opened] };
	return { search: { kind, query, dates, now, ...limits }, files, reread: anew };
}
