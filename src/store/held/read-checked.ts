import { stat } from "node:fs/promises";
import { TimeSlice } from "../../shared/steps.ts";
import { storeError } from "../files/store-error.ts";
import { readSession, type Session } from "../read/read-session.ts";
import { checkHeldSteps } from "./held-sessions.ts";
import { holdFile, readOddFile } from "./hold-file.ts";
import { type HoldOptions, holdSession, MAX_BUFFERED_BYTES } from "./hold-session.ts";

/**
 * Reads a whole session with every line checked, like `readSession`. A large one takes little more memory than its file has
 * bytes; above `maxBytes`, memory grows only with the number of entries. Rejects as `readSession` does.
 */
export async function readChecked(path: string, options: HoldOptions = {}): Promise<Session> {
	const { signal, maxBytes = MAX_BUFFERED_BYTES } = options;
	if ((await sizeOf(path)) > maxBytes)
		return (await holdFile(path, { signal, isChecked: true })) ?? readOddFile(path, signal);
	const held = await holdSession(path, options);
	const isSound = held !== undefined && (await new TimeSlice(signal).run(checkHeldSteps(held)));
	return isSound ? held : readSession(path, signal && { signal });
}

/** `readChecked` for a session that cannot be held as a whole, because something in it is odd. */
export async function readOdd(path: string, options: HoldOptions = {}): Promise<Session> {
	const { signal, maxBytes = MAX_BUFFERED_BYTES } = options;
	return (await sizeOf(path)) > maxBytes ? readOddFile(path, signal) : readSession(path, signal && { signal });
}

/** Reads a session for its ids and structure: unlike `readChecked`, long lines are not parsed. */
export async function readHeld(path: string, options: HoldOptions = {}): Promise<Session> {
	return (await holdSession(path, options)) ?? readOdd(path, options);
}

async function sizeOf(path: string): Promise<number> {
	try {
		return (await stat(path)).size;
	} catch (error) {
		throw storeError(path, "read the session", error);
	}
}
