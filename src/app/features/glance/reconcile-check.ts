import { isUnchecked } from "../../../store/held/held-sessions.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { isDrawn } from "../../world/opened/large-session.ts";
import { shownSession } from "../../world/opened/shown-session.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { transition } from "../../world/state/transition.ts";

/** Has every line of a large session looked at, once its tree is drawn. */
export function reconcileCheck(state: State): Transition {
	const session = shownSession(state.detail);
	if (session === undefined || state.checking === session.entries) return transition(state);
	if (!isUnchecked(session) || !isDrawn(state, session)) return transition(state);
	return transition({ ...state, checking: session.entries }, { type: "check-session", session });
}

/** A session that is not what it was taken for is read anew, line by line. */
export function applyCheck(state: State, session: Session, isSound: boolean): Transition {
	const shown = shownSession(state.detail);
	if (isSound || shown?.entries !== session.entries || state.detail.status === "none") return transition(state);
	const { row } = state.detail;
	const request = state.request + 1;
	const detail: State["detail"] = { status: "loading", row, session: shown };
	return transition({ ...state, request, detail }, { type: "read-session", request, path: row.path });
}
