import { type State, type Transition, transition } from "../../world/state/state.ts";
import { layoutOf } from "./timeline-layout.ts";
import { selectTimelineRows } from "./timeline-rows.ts";
import { TIMELINE, type TurnsRead, type TurnsRequest } from "./timeline-state.ts";

/** Sessions that are read before the bars are drawn again. */
const BATCH = 32;

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

function unread(state: State): readonly TurnsRequest[] {
	const { turns, cursor } = TIMELINE.of(state);
	const rows = selectTimelineRows(state);
	const { height } = layoutOf(state).list;
	const wanted = new Set([...rows.slice(cursor.top, cursor.top + height), ...rows]);
	const sessions: TurnsRequest[] = [];
	for (const { timed } of wanted) {
		const { depth, row } = timed;
		if (depth > 0 || row === undefined) continue;
		const read = turns.get(row.path);
		if (read?.size === row.size) continue;
		const { path, size } = row;
		sessions.push({ path, size, createdMs: row.created.getTime(), before: read?.file });
		if (sessions.length === BATCH) break;
	}
	return sessions;
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
