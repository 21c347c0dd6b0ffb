import type { Session } from "../../../store/read/read-session.ts";
import type { Detail } from "../state/state.ts";

/** The session that the tree pane can show now: as last read, even while it is being read again. */
export function shownSession(detail: Detail): Session | undefined {
	return detail.status === "ready" || detail.status === "loading" ? detail.session : undefined;
}
