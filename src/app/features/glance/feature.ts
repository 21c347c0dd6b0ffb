import { leafOutlook, leafSteps } from "../../../conversation/glance/outlook.ts";
import { isSameRequest, type PiFacts, type PiRequest } from "../../../conversation/glance/pi-facts.ts";
import { sessionSum, sumSteps } from "../../../conversation/glance/session-sum.ts";
import { isUnchecked } from "../../../store/held/held-message.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { Runners } from "../../world/effects/runners.ts";
import { isDrawn } from "../../world/opened/select-tree.ts";
import type { Feature } from "../../world/page/page.ts";
import type { Action } from "../../world/state/action.ts";
import { type GlanceState, type State, shownSession, type Transition, transition } from "../../world/state/state.ts";

export const GLANCE: Feature<GlanceAction> = {
	on: {
		"session-checked": (state, { session, isSound }) => applyCheck(state, session, isSound),
		"session-counted": applyGlance,
		"pi-facts-read": applyGlance,
	},
};

/** Actions of the header's summary. */
type GlanceAction =
	/** All lines of a large session have been checked. `isSound`: whether the quick reading was right. */
	| { readonly type: "session-checked"; readonly session: Session; readonly isSound: boolean }
	/** A large session has been counted; its totals are cached with it. */
	| { readonly type: "session-counted"; readonly session: Session }
	/** What pi's files say about continuing a session. */
	| { readonly type: "pi-facts-read"; readonly request: PiRequest; readonly facts: PiFacts };

/** Effects of the header's summary. */
type GlanceEffect =
	/** Check every line of a large session, cancelling the running check. */
	| { readonly type: "check-session"; readonly session: Session }
	/** Count a large session, and what continuing from its leaf means, cancelling the running count. */
	| { readonly type: "count-session"; readonly session: Session }
	/** Read what pi's files say about continuing a session. */
	| { readonly type: "read-pi-facts"; readonly request: PiRequest };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly glance: GlanceAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly glance: GlanceEffect;
	}
}

/** Once the tree of the open session is drawn, requests its totals, and then what pi's files say about it. */
export function reconcileGlance(state: State): Transition {
	const session = shownSession(state.detail);
	// The list shows none of it, and its next key may open another session.
	if (session === undefined || state.focus === "list" || !isDrawn(state, session)) return transition(state);
	if (isUnchecked(session)) return transition(state);
	const { glance, environment } = state;
	const sum = sessionSum(session, environment.home);
	if (sum === undefined || leafOutlook(session) === undefined) {
		// The running count includes what is appended meanwhile.
		if (glance.counting?.entries === session.entries) return transition(state);
		return transition(withGlance(state, { counting: session }), { type: "count-session", session });
	}
	const request = { cwd: session.header?.cwd ?? "", models: sum.models };
	if (isSameRequest(glance.request, request)) return transition(state);
	return transition(withGlance(state, { request, facts: undefined }), { type: "read-pi-facts", request });
}

/** Applies the results of both. */
function applyGlance(state: State, action: Extract<Action, { type: "session-counted" | "pi-facts-read" }>): State {
	const { counting, request } = state.glance;
	if (action.type === "session-counted")
		return counting === action.session ? withGlance(state, { counting: undefined }) : state;
	return request === action.request ? withGlance(state, { facts: action.facts }) : state;
}

function withGlance(state: State, change: Partial<GlanceState>): State {
	return { ...state, glance: { ...state.glance, ...change } };
}

/** Requests a check of every line of a large session, once its tree is drawn. */
export function reconcileCheck(state: State): Transition {
	const session = shownSession(state.detail);
	if (session === undefined || state.checking === session.entries) return transition(state);
	if (!isUnchecked(session) || !isDrawn(state, session)) return transition(state);
	return transition({ ...state, checking: session.entries }, { type: "check-session", session });
}

/** Rereads a session line by line if its quick reading was wrong. */
function applyCheck(state: State, session: Session, isSound: boolean): Transition {
	const shown = shownSession(state.detail);
	if (isSound || shown?.entries !== session.entries || state.detail.status === "none") return transition(state);
	const { row } = state.detail;
	const request = state.request + 1;
	const detail: State["detail"] = { status: "loading", row, session: shown };
	return transition({ ...state, request, detail }, { type: "read-session", request, path: row.path });
}

/** Computes what the header shows of the session. */
export const GLANCE_EFFECTS: Runners<"count-session" | "read-pi-facts"> = {
	/** Counts one session at a time; its totals are cached with the session. */
	async "count-session"({ session }, { disk, latest }) {
		const isCounted = await latest(async (slice) => {
			// Let the pending frame be drawn first.
			await slice.yieldToEventLoop();
			await slice.run(sumSteps(session, disk.home));
			await slice.run(leafSteps(session));
			return true as const;
		});
		return isCounted && { type: "session-counted", session };
	},
	async "read-pi-facts"({ request }, { pi }) {
		return { type: "pi-facts-read", request, facts: await pi.files.read(request) };
	},
};
