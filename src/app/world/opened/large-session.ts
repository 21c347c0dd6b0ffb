import type { Query } from "../../../catalog/query/parse-query.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { State } from "../state/state.ts";

/** The most that can be filtered between two frames. */
const LARGE_BYTES = 1024 * 1024;
/** The same for a pattern: the worst ones take a microsecond for each character, most a hundredth of that. */
const LARGE_BYTES_FOR_PATTERN = 128 * 1024;
/** The most that can be drawn between two frames. */
const LARGE_ENTRIES = 4000;

/** Whether drawing or filtering a session would keep the screen waiting, so that it is done outside of `update`. */
export function isLarge({ size, entries }: Session, filter: Query): boolean {
	const hasPattern = filter.terms.some(({ regex }) => regex !== undefined);
	return size > (hasPattern ? LARGE_BYTES_FOR_PATTERN : LARGE_BYTES) || entries.length > LARGE_ENTRIES;
}

/** Whether the tree of a session is on the screen, if it is to be: it comes before all that can be told about it. */
export function isDrawn({ tree }: State, session: Session): boolean {
	return !isLarge(session, tree.parsed) || tree.drawing?.drawn?.input.session.path === session.path;
}
