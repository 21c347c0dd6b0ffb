import type { SessionEntry } from "../store/format/schema.ts";
import { readHeld } from "../store/held/read-checked.ts";
import type { Session } from "../store/read/read-session.ts";
import { findEntry, type Target } from "./find-target.ts";
import type { Mistake } from "./mistake.ts";

/** The entry that a target names. Rejects when the session cannot be read. */
export async function entryOf({ path, entry: typed }: Target, usage: string): Promise<SessionEntry | Mistake> {
	if (typed === undefined || typed === "")
		return { mistake: `it needs an entry, whose id is in the tree and in what search prints: ${usage}` };
	const { entries }: Session = await readHeld(path);
	return findEntry(entries, typed, path);
}
