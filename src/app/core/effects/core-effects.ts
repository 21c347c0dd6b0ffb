import { messageOf } from "../../../changes/reason.ts";
import { asRead } from "../../../conversation/tree/at-pis-leaf.ts";
import type { Runners } from "../../world/effects/runners.ts";

type CoreEffectType = "read-session" | "check-session" | "look" | "refresh" | "stop-work" | "suspend" | "leave";

/** What belongs to no feature: the session that is open, and the program itself. */
export const CORE_EFFECTS: Runners<CoreEffectType> = {
	async "read-session"({ request, path, before }, { store }) {
		try {
			const session = await store.reader.read(path, before && asRead(before));
			return session && { type: "session-read", request, session };
		} catch (error) {
			return { type: "session-failed", request, message: messageOf(error) };
		}
	},
	async "check-session"({ session }, { store }) {
		const isSound = await store.reader.check(asRead(session));
		return isSound === undefined ? undefined : { type: "session-checked", session, isSound };
	},
	async look({ path }, { store }) {
		await store.look([path]);
		return undefined;
	},
	refresh(_, { store }) {
		store.refresh();
		return undefined;
	},
	"stop-work"(_, { terminal }) {
		terminal.work.stop();
		return undefined;
	},
	suspend(_, { terminal }) {
		if (terminal.suspend()) return undefined;
		return { type: "done", message: { text: "On this system no shell can take the terminal back", tone: "warning" } };
	},
	leave({ outcome }, { terminal }) {
		terminal.leave(outcome);
		return undefined;
	},
};
