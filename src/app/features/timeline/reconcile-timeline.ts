import { type State, type Transition, transition } from "../../world/state/state.ts";
import { layoutOf } from "./timeline-layout.ts";
import { selectTimelineRows, type TimelineRow } from "./timeline-rows.ts";
import { TIMELINE, type TurnsRead, type TurnsRequest } from "./timeline-state.ts";

/** Sessions out of sight that are read before the bars are drawn again. */
const BATCH = 500;

/** Reads when the shown sessions worked: those in sight first, and again those that have changed. */
export function syncTimeline(state: State): Transition {
	const { reading, request: last } = TIMELINE.of(state);
	if (reading !== undefined) return transition(state);
	const sessions = unread(state);
	if (sessions.length === 0) return transition(state);
	const request = last + 1;
	return transition(TIMELINE.with(state, { request, reading: 0 }), { type: "read-turns", request, sessions });
}

/** Ends the reading when the page is closed. */
export function stopReading(state: State): Transition {
	const { reading, request: last } = TIMELINE.of(state);
	if (reading === undefined) return transition(state);
	const request = last + 1;
	return transition(TIMELINE.with(state, { request, reading: undefined }), {
		type: "read-turns",
		request,
		sessions: [],
	});
}

/** The sessions to be read next: those in sight, or some of the others. */
function unread(state: State): readonly TurnsRequest[] {
	const { cursor } = TIMELINE.of(state);
	const rows = selectTimelineRows(state);
	const { height } = layoutOf(state).list;
	const inSight = rows.slice(cursor.top, cursor.top + height).flatMap((row) => requestOf(row, state) ?? []);
	if (inSight.length > 0) return inSight;
	const others: TurnsRequest[] = [];
	for (const row of rows) {
		const request = requestOf(row, state);
		if (request !== undefined) others.push(request);
		if (others.length === BATCH) break;
	}
	return others;
}

/** What is to be read for a row; undefined if nothing has to be. */
function requestOf({ timed: { depth, row } }: TimelineRow, state: State): TurnsRequest | undefined {
	if (depth > 0 || row === undefined) return undefined;
	const { path, size } = row;
	const read = TIMELINE.of(state).turns.get(path);
	return read?.size === size ? undefined : { path, size, createdMs: row.created.getTime(), before: read?.file };
}

export function applyTurns(state: State, request: number, found: ReadonlyMap<string, TurnsRead>): State {
	const { turns, request: last } = TIMELINE.of(state);
	if (request !== last) return state;
	return TIMELINE.with(state, { turns: new Map([...turns, ...found]), reading: undefined });
}

export function applyProgress(state: State, request: number, part: number): State {
	const { request: last, reading } = TIMELINE.of(state);
	return request === last && reading !== undefined ? TIMELINE.with(state, { reading: part }) : state;
}
