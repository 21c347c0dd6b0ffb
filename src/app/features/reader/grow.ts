import type { FindJob } from "../../../conversation/document/find-job.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { selectReader } from "../../world/opened/select-reader.ts";
import { shownSession } from "../../world/opened/shown-session.ts";
import type { State } from "../../world/state/state.ts";
import { isEndInSight } from "./scroll.ts";

/** Who reads the end of a conversation sees what is appended to it. */
export function stayAtEnd(state: State, session: Session): State {
	if (state.focus !== "reader" || shownSession(state.detail)?.path !== session.path) return state;
	const reader = selectReader(state);
	if (reader === undefined || !isEndInSight(reader.document, reader.top, reader.height)) return state;
	return { ...state, reader: { ...state.reader, atEnd: true } };
}

/** More was looked through: what waits for a match may find it now. The same job again means that it goes on. */
export function lookedThrough(state: State, job: FindJob): State {
	return state.reader.looking === job ? { ...state, reader: { ...state.reader, looking: undefined } } : state;
}
