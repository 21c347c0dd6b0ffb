import type { ContainedSessions } from "../../../store/duplicates/contained-sessions.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import type { Family } from "./families.ts";
import { TIDY } from "./maintenance-state.ts";
import { MOVED } from "./moved-state.ts";
import { familiesToCompare, isLooking, selectFamilies } from "./select-tidying.ts";

/** Families read with one effect: at most this many, and at most this many bytes unless it is a single one. */
const COMPARED_AT_ONCE = 50;
const COMPARED_BYTES = 16_000_000;

/** Requests the comparison of families, a part at a time, while the view is open and all directories have been checked. */
export function syncTidy(state: State): Transition {
	const next = withNewFates(state);
	const { catalog } = next;
	const tidy = TIDY.of(next);
	if (!catalog.complete || isLooking(next) || tidy.comparing || tidy.isStopped) return transition(next);
	const families = nextFamilies(familiesToCompare(next));
	if (families.length === 0) return transition(next);
	return transition(TIDY.with(next, { comparing: true }), { type: "compare-families", families });
}

/** Directories keep their old state until all have been checked again, so that no marked row disappears meanwhile. */
function withNewFates(state: State): State {
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

/** Stores what was found in families, and forgets families that have changed since. */
export function applyCompared(state: State, found: ReadonlyMap<string, readonly ContainedSessions[]>): State {
	const compared = new Map(TIDY.of(state).compared);
	for (const [key, contained] of found) compared.set(key, contained);
	const present = new Set(selectFamilies(state).map(({ key }) => key));
	for (const key of compared.keys()) if (!present.has(key)) compared.delete(key);
	return TIDY.with(state, { comparing: false, compared });
}
