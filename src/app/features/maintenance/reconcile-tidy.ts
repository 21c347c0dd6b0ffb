import type { ContainedSessions } from "../../../store/duplicates/contained-sessions.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { transition } from "../../world/state/transition.ts";
import type { Family } from "./families.ts";
import { MOVED } from "./moved-state.ts";
import { familiesToCompare, isLooking, selectFamilies } from "./select-tidying.ts";
import { TIDY } from "./tidy-state.ts";

/** Families that are read in one go: no more than this, and, but for one, no more than so many bytes. */
const COMPARED_AT_ONCE = 50;
const COMPARED_BYTES = 16_000_000;

/** Has the families of forks read, a part at a time, while the page is open. Before that, all directories are looked at. */
export function syncTidy(state: State): Transition {
	const next = takeFates(state);
	const { catalog } = next;
	const tidy = TIDY.of(next);
	if (!catalog.complete || isLooking(next) || tidy.comparing || tidy.isStopped) return transition(next);
	const families = nextFamilies(familiesToCompare(next));
	if (families.length === 0) return transition(next);
	return transition(TIDY.with(next, { comparing: true }), { type: "compare-families", families });
}

/** Until all directories have been looked at anew, they count as they were: nothing that is marked disappears meanwhile. */
function takeFates(state: State): State {
	const { fates } = MOVED.of(state);
	if (isLooking(state) || fates === TIDY.of(state).fates) return state;
	return TIDY.with(state, { fates });
}

function nextFamilies(families: readonly Family[]): readonly Family[] {
	let bytes = 0;
	const rest = families.findIndex((family, index) => {
		bytes += family.bytes;
		return index === COMPARED_AT_ONCE || (index > 0 && bytes > COMPARED_BYTES);
	});
	return families.slice(0, rest === -1 ? families.length : rest);
}

/** What was found in families. What is known of those that are no longer so is forgotten. */
export function applyCompared(state: State, found: ReadonlyMap<string, readonly ContainedSessions[]>): State {
	const compared = new Map(TIDY.of(state).compared);
	for (const [key, contained] of found) compared.set(key, contained);
	const present = new Set(selectFamilies(state).map(({ key }) => key));
	for (const key of compared.keys()) if (!present.has(key)) compared.delete(key);
	return TIDY.with(state, { comparing: false, compared });
}
