import { isObject } from "../../shared/json.ts";
import { type RawEntry, timeOf } from "../../store/format/raw-entry.ts";

/** What the session of a run itself says about it, whether or not its parent has reported it, or still exists. */
export interface OwnRun {
	/** Path of the session that asked for it; undefined if it does not say. */
	readonly parent?: string | undefined;
	/** Empty where it does not say. */
	readonly agent: string;
	/** What it was asked, at most 1000 characters; empty where it does not say. */
	readonly task: string;
}

/** The entry with which pi-web begins the session of a run (read in its source). */
const RUN_ENTRY_TYPE = "pi-web:subagent";

const LONGEST = 1000;

/**
 * What an entry says of the run whose session it is in; undefined for any other entry, and for one that was copied from another
 * session: it is about that. `beganMs`: when the session was begun, Unix ms.
 */
export function ownRunIn(entry: RawEntry, beganMs: number | undefined): OwnRun | undefined {
	if (entry.type !== "custom" || entry.customType !== RUN_ENTRY_TYPE || !isObject(entry.data)) return undefined;
	if (beganMs !== undefined && timeOf(entry.timestamp) < beganMs) return undefined;
	const { parentSessionPath, profile, description, task } = entry.data;
	const parent = textOf(parentSessionPath);
	const run = { agent: textOf(profile), task: textOf(description) || textOf(task) };
	return parent === "" ? run : { ...run, parent };
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value.slice(0, LONGEST) : "";
}
