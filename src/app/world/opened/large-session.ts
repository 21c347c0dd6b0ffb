import type { Query } from "../../../catalog/query/parse-query.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { State } from "../state/state.ts";

/** A larger session cannot be filtered between two frames. */
const LARGE_BYTES = 1024 * 1024;
/** The same for a pattern: the slowest take a microsecond per character, most a hundredth of that. */
const LARGE_BYTES_FOR_PATTERN = 128 * 1024;
/** More entries cannot be drawn between two frames. */
const LARGE_ENTRIES = 4000;

/** Whether drawing or filtering a session would delay the screen, so that it is done outside of `update`. */
export function isLarge({ size, entries }: Session, filter: Query): boolean {
	const hasPattern = filter.terms.some(({ regex }) => regex !== undefined);
	return size > (hasPattern ? LARGE_BYTES_FOR_PATTERN : LARGE_BYTES) || entries.length > LARGE_ENTRIES;
}

/** Whether the tree of a session has been drawn: whatever else is computed about the session has to wait for that. */
export function isDrawn({ tree }: State, session: Session): boolean {
	return !isLarge(session, tree.parsed) || tree.drawing?.drawn?.input.session.path === session.path;
}
