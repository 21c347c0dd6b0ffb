import { messageOf } from "../../../changes/engine/reason.ts";
import type { Action } from "../state/action.ts";

/** Errors to be expected of disks and files become messages. */
export async function attempt(work: () => Promise<Action | undefined>): Promise<Action | undefined> {
	try {
		return await work();
	} catch (error) {
		return { type: "done", message: { text: messageOf(error), tone: "error" } };
	}
}
