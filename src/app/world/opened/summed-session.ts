import { isSameRequest, type PiAnswer, type PiFacts, type PiRequest } from "../../../conversation/glance/pi-facts.ts";
import { sessionSum } from "../../../conversation/glance/session-sum.ts";
import { isUnchecked } from "../../../store/held/held-message.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { defineQuery } from "../effects/define-query.ts";
import type { State } from "../state/state.ts";
import { isDrawn } from "./select-tree.ts";

/** The session that the header is about: the open one, once its tree is drawn, and checked. */
export function summedSession(state: State): Session | undefined {
	const session = state.detail.session;
	// The list shows no sum, and its next key may open another session.
	if (session === undefined || state.focus === "list" || !isDrawn(state, session)) return undefined;
	return isUnchecked(session) ? undefined : session;
}

/** What pi's files say about continuing the open session. */
export const PI_FACTS = defineQuery<PiRequest, PiFacts>({
	name: "facts of pi",
	wanted(state) {
		const session = summedSession(state);
		const sum = session && sessionSum(session, state.environment.home);
		return sum && { cwd: session.header?.cwd ?? "", models: sum.models };
	},
	isSame: isSameRequest,
	load: (request, { pi }) => pi.files.read(request),
});

/** What pi's files say, for the session that it was asked for last. */
export function piAnswer(state: State): PiAnswer {
	const { asked, key, value } = PI_FACTS.of(state);
	return { request: asked, facts: key === asked ? value : undefined };
}
