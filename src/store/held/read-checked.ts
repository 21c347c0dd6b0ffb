import { TimeSlice } from "../../shared/time-slice.ts";
import { readSession, type Session } from "../read/read-session.ts";
import { checkHeldSteps } from "./check-held.ts";
import { holdSession } from "./hold-session.ts";

/**
 * Reads a session whole, each line looked at, as `readSession` does; a large one in little more memory than its file has
 * bytes. Rejects as `readSession` does.
 */
export async function readChecked(path: string, options: { signal?: AbortSignal } = {}): Promise<Session> {
	const held = await holdSession(path, options);
	const isSound = held !== undefined && (await new TimeSlice(options.signal).run(checkHeldSteps(held)));
	return isSound ? held : readSession(path, options);
}
