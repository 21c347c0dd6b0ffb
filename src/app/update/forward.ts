import type { Rewound } from "../../catalog/model/counts.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { rewindSentences, sessionRewind } from "../../conversation/entries/rewind.ts";
import { listedRow, selectedRow as selectedMaintenanceRow } from "../features/maintenance/maintenance-rows.ts";
import { actOf, guard } from "../guard/guard.ts";
import { selectedRow } from "../list/select-list.ts";
import type { State } from "../model/state.ts";
import { type Transition, transition } from "../model/transition.ts";
import { pageOf } from "../page/open-page.ts";
import { shownSession } from "../tree/select-tree.ts";
import { openOverlay } from "./overlay.ts";
import { forwardQuestion } from "./use-menus.ts";

/** The session that the key is meant for, and where pi goes on in it, if that is not its end. */
function target(state: State): { readonly row: SessionRow; readonly rewound: Rewound | undefined } | undefined {
	const row = pageOf(state) === "maintenance" ? listedRow(selectedMaintenanceRow(state)) : selectedRow(state);
	if (row === undefined) return undefined;
	const session = shownSession(state.detail);
	const rewound = session?.path === row.path ? sessionRewind(session) : state.catalog.counts.get(row.path)?.rewound;
	return { row, rewound };
}

/** Why there is nothing to be mended in the session under the cursor. */
export function whyNoForward(state: State): string | undefined {
	const found = target(state);
	if (found === undefined) return "There is no session under the cursor";
	if (found.rewound !== undefined) return undefined;
	const isKnown = state.catalog.counts.has(found.row.path);
	return isKnown ? "pi goes on from the end of this session already" : "This session has not been counted yet";
}

/** Asks whether pi is to go on from the end of the session again: who went back on purpose wants it as it is. */
export function askToForward(state: State): Transition {
	const found = target(state);
	if (found?.rewound === undefined) return transition(state);
	const { row, rewound } = found;
	const effect = { type: "forward", path: row.path, entryId: rewound.endId } as const;
	const { uses } = guard(actOf(effect), state.catalog.live, row);
	return transition(openOverlay(state, forwardQuestion(state, effect, { row, uses }, rewindSentences(rewound))));
}
