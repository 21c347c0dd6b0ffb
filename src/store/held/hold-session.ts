import { stat } from "node:fs/promises";
import { storeError } from "../files/store-error.ts";
import { readSession, type Session } from "../read/read-session.ts";
import { holdFile, readOddFile } from "./hold-file.ts";

/** Smaller sessions parse too fast to matter. In bytes. */
const MIN_BYTES = 1024 * 1024;
/** In larger sessions, messages are held although something is odd. */
const MAX_PARSED_BYTES = 256 * 1024 * 1024;

interface HoldOptions {
	readonly signal?: AbortSignal | undefined;
	/** Smaller sessions are not held. @default MIN_BYTES */
	readonly minBytes?: number;
	/** In larger sessions, messages are held although something is odd. @default MAX_PARSED_BYTES */
	readonly maxBytes?: number;
}

/**
 * Reads a large session several times faster than `readSession`, in a fraction of the memory: most messages are recognized by
 * their first and last bytes, and stay in the file. Undefined for a small session, and for one in which something visibly odd was
 * found: an older version, damage, ids twice or out of order. `checkHeldSteps` later finds what this cannot see. Rejects as
 * `readSession` does.
 */
export async function holdSession(path: string, options: HoldOptions = {}): Promise<Session | undefined> {
	return holdLarge(path, false, options);
}

async function holdLarge(
	path: string,
	isChecked: boolean,
	{ signal, minBytes = MIN_BYTES }: HoldOptions,
): Promise<Session | undefined> {
	signal?.throwIfAborted();
	return (await sizeOf(path)) < minBytes ? undefined : holdFile(path, { signal, isChecked });
}

/** Reads a whole session with every line checked, like `readSession`; of a large one, messages stay in the file. Rejects as `readSession` does. */
export async function readChecked(path: string, options: HoldOptions = {}): Promise<Session> {
	return (await holdLarge(path, true, options)) ?? readOdd(path, options);
}

/** `readChecked` for a session that cannot be held as a whole, because something in it is odd. */
export async function readOdd(path: string, options: HoldOptions = {}): Promise<Session> {
	const { signal, maxBytes = MAX_PARSED_BYTES } = options;
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
