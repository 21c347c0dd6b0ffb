import { readHeld } from "../../store/held/read-checked.ts";
import type { Mistake } from "../print/mistake.ts";
import { findEntry, type Target } from "./find-target.ts";
import { giveMemoryBack } from "./heap-flags.ts";

/** Of a session of more bytes, what was read takes memory that the change itself needs. */
const LARGE_SESSION = 64 * 1024 * 1024;

/** The id of the entry that a target names. Rejects when the session cannot be read. */
export async function entryOf(target: Target, usage: string): Promise<{ readonly id: string } | Mistake> {
	const { entry: typed } = target;
	if (typed === undefined || typed === "")
		return { mistake: `it needs an entry, whose id is in the tree and in what search prints: ${usage}` };
	const { found, size } = await lookFor(target.path, typed);
	if (size > LARGE_SESSION) giveMemoryBack();
	return found;
}

async function lookFor(path: string, typed: string) {
	const { entries, size } = await readHeld(path);
	const entry = findEntry(entries, typed, path);
	// Only its id, because an entry keeps all others in memory.
	return { found: "mistake" in entry ? entry : { id: entry.id }, size };
}
