import type { RawEntry } from "../../store/format/raw-entry.ts";
import { longText, object, text, time } from "./fields.ts";
import { type RunName, runNameOf } from "./run-name.ts";

/** What an entry of a session says about that session being the run of an agent. */
export interface RunMark extends RunName {
	/** pi-web. */
	readonly parentPath?: string;
	readonly parentId?: string;
	readonly callId?: string;
	readonly task?: string;
	readonly startedMs?: number;
}

const CREATED = object({
	parentSessionPath: text,
	parentSessionId: text,
	parentToolCallId: text,
	profile: text,
	description: longText,
	createdAt: time,
});

/** What an entry of a run says about it: how it is named, or pi-web's own entry. A person may choose such a name, too. */
export function runMarkIn(entry: RawEntry): RunMark | undefined {
	if (entry.type === "session_info") return markInName(entry.name);
	if (entry.type !== "custom" || entry.customType !== "pi-web:subagent") return undefined;
	const made = CREATED.parse(entry.data);
	if (made?.parentSessionPath === undefined && made?.parentSessionId === undefined) return undefined;
	const { parentSessionPath, parentSessionId, parentToolCallId, profile = "", description, createdAt } = made;
	return {
		agent: profile,
		parentPath: parentSessionPath,
		parentId: parentSessionId,
		callId: parentToolCallId,
		task: description,
		startedMs: createdAt,
	};
}

function markInName(value: unknown): RunMark | undefined {
	return typeof value === "string" ? runNameOf(value) : undefined;
}
