import { chain, type State, type Transition, transition } from "../../world/state/state.ts";
import { examine } from "./examine.ts";
import { selectRows } from "./maintenance-rows.ts";
import { DOCTOR, MAINTENANCE } from "./maintenance-state.ts";

/** Examines what is unfolded, and puts the cursor where the view was opened for. */
export function reconcileMaintenance(state: State): Transition {
	return chain(examineUnfolded(state), (next) => transition(arrive(next)));
}

/** Examines the damaged sessions that are unfolded, to show what is wrong with them. */
function examineUnfolded(state: State): Transition {
	const { examined, examining } = DOCTOR.of(state);
	const { opened } = MAINTENANCE.of(state);
	const fresh = selectRows(state).flatMap((row) => {
		const isAsked = row.type === "damaged" && opened.has(row.key) && !examined.has(row.row.path);
		return isAsked && !examining.has(row.row.path) ? [row.row.path] : [];
	});
	return fresh.length === 0 ? transition(state) : examine(state, fresh);
}

/** Puts the cursor on the row that the view was opened for, or on the first row of that group, once it exists. */
function arrive(state: State): State {
	const { arriving, cursor } = MAINTENANCE.of(state);
	if (arriving === undefined) return state;
	const rows = selectRows(state);
	const index = rows.findIndex(({ key, parent, type, isSkipped }) =>
		key === arriving ? type !== "group" : parent === arriving && isSkipped !== true,
	);
	const row = rows[index];
	if (row === undefined) return state;
	const heading = rows.findIndex(({ key }) => key === row.parent);
	return MAINTENANCE.with(state, {
		arriving: undefined,
		cursor: { ...cursor, selected: row.key, index, top: heading },
	});
}
