import type { Rewound } from "../../../catalog/model/counts.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { rewindSentences, sessionRewind } from "../../../conversation/entries/leaf.ts";
import { whyOnlyRead } from "../keys/key.ts";
import { selectedRow } from "../list/select-list.ts";
import { type State, type Transition, transition } from "../state/state.ts";
import { askToChange } from "./ask.ts";

/** Where pi continues in a session, if that is not its end. */
function rewoundIn(state: State, row: SessionRow): Rewound | undefined {
	const session = state.detail.session;
	return session?.path === row.path ? sessionRewind(session) : state.catalog.counts.get(row.path)?.rewound;
}

/** Why there is nothing to fix in a session, by default the one under the cursor of the list. */
export function whyNoForward(state: State, row: SessionRow | undefined = selectedRow(state)): string | undefined {
	if (row === undefined) return "There is no session under the cursor";
	const onlyRead = whyOnlyRead(row);
	if (onlyRead !== undefined) return onlyRead;
	if (rewoundIn(state, row) !== undefined) return undefined;
	const isKnown = state.catalog.counts.has(row.path);
	return isKnown ? "pi already continues from the end of this session" : "This session has not been counted yet";
}

/** Makes pi continue from the end of the session again. If it must be asked, the question says how the end was moved. */
export function forwardToEnd(state: State, row: SessionRow | undefined = selectedRow(state)): Transition {
	const rewound = row && rewoundIn(state, row);
	if (row === undefined || rewound === undefined) return transition(state);
	const more = (now: State) => () => rewindSentences(rewound, now.now).map((text) => ({ text }));
	return askToChange(state, { type: "forward", entryId: rewound.endId }, [row], { more });
}
