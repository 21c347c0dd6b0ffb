import { z } from "zod";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { longText, object, text, time } from "./fields.ts";

/** What an entry of a session says about that session being the run of an agent. */
export interface RunMark {
	/** Empty where it is not known. */
	readonly agent: string;
	/** The run and its index, as a report of the parent has them (`pi-subagents`). */
	readonly runId?: string;
	readonly index?: number;
	/** The beginning of the agent's id, which is the key of the parent's reports (`@tintinweb/pi-subagents`). */
	readonly agentId?: string;
	/** pi-web. */
	readonly parentPath?: string;
	readonly parentId?: string;
	readonly callId?: string;
	readonly task?: string;
	readonly startedMs?: number;
}

/** `subagent-scout-<run id>-1`: the address by which agents write to each other. */
const ADDRESS = /^subagent-(.{1,200})-([0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?)-(\d{1,6})$/;
/** `writer#8ec55da3` */
const AGENT = /^([^#\s]{1,200})#([0-9a-f-]{8})$/;

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
	const name = z.string().max(1000).safeParse(value).data?.trim() ?? "";
	const [, agent, runId, number] = ADDRESS.exec(name) ?? [];
	if (agent !== undefined && Number(number) > 0) return { agent, runId, index: Number(number) - 1 };
	const [, type, agentId] = AGENT.exec(name) ?? [];
	return type === undefined ? undefined : { agent: type, agentId };
}
