import { TimeSlice } from "../../shared/time-slice.ts";
import { checkHeldSteps } from "../../store/held/check-held.ts";
import { holdSession } from "../../store/held/hold-session.ts";
import { readSession, type Session } from "../../store/read/read-session.ts";

/** Reads a session whole; of a large one in which nothing is odd only the bytes are held, and each message is parsed when it is taken. */
export async function readToShare(path: string): Promise<Session> {
	const held = await holdSession(path);
	const isSound = held !== undefined && (await new TimeSlice().run(checkHeldSteps(held)));
	return isSound ? held : readSession(path);
}
