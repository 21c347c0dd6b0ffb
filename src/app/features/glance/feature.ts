import { asRead } from "../../../conversation/entries/leaf.ts";
import { leafOutlook, leafSteps } from "../../../conversation/glance/outlook.ts";
import { sessionSum, sumSteps } from "../../../conversation/glance/session-sum.ts";
import { isUnchecked } from "../../../store/held/held-message.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { isDrawn } from "../../world/opened/select-tree.ts";
import { PI_FACTS, summedSession } from "../../world/opened/summed-session.ts";
import type { Feature } from "../../world/page/page.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";

/** Whether the quick reading of a large session was right: every line is checked, once its tree is drawn. */
const CHECK = defineQuery<Session, boolean>({
	name: "check of the session",
	wanted(state) {
		const session = state.detail.session;
		return session !== undefined && isUnchecked(session) && isDrawn(state, session) ? session : undefined;
	},
	isSame: sameEntries,
	forgets: true,
	load: (session, { store, slice }) => store.reader.check(asRead(session), slice),
	answered: (state, { value, key }) => (value === false && key !== undefined ? readAgain(state, key) : state),
});

/** Reads a session again, line by line, since its quick reading was wrong. */
function readAgain(state: State, checked: Session): Transition {
	const session = state.detail.session;
	if (session?.entries !== checked.entries || state.detail.status === "none") return transition(state);
	const { row } = state.detail;
	const request = state.request + 1;
	const detail: State["detail"] = { status: "loading", row, session };
	return transition({ ...state, request, detail }, { type: "read-session", request, path: row.path });
}

/** Counts a large session, and what continuing from its leaf means; both are remembered with it. */
export const COUNT = defineQuery<Session, true>({
	name: "count of the session",
	wanted(state) {
		const session = summedSession(state);
		const isCounted = session && sessionSum(session, state.environment.home) && leafOutlook(session);
		return isCounted === undefined ? session : undefined;
	},
	// The running count includes entries appended meanwhile.
	finishes: sameEntries,
	forgets: true,
	async load(session, { disk, slice }) {
		// Let the pending frame be drawn first.
		await slice.yieldToEventLoop();
		await slice.run(sumSteps(session, disk.home));
		await slice.run(leafSteps(session));
		return true;
	},
});

function sameEntries(one: Session, other: Session): boolean {
	return one.entries === other.entries;
}

export const GLANCE: Feature = {
	on: {},
	steps: { facts: [CHECK, COUNT, PI_FACTS] },
};
