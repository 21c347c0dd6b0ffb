import {
	blocks,
	boolean,
	content,
	type FieldRule,
	number,
	object,
	optional,
	sections,
	text,
	tools,
	usage,
} from "./field-rules.ts";
import { isObject, type RawEntry } from "./parse.ts";
import type { SessionEntry } from "./schema.ts";
import { timeOf } from "./time.ts";

/** A copy that the types tell the truth about, and what had to be put right for it, in words. */
export interface RepairedEntry {
	readonly entry: SessionEntry;
	readonly problems: readonly string[];
}

/** `must`: its absence is a problem. `may`: seeds and old files leave it out; a harmless value takes its place silently. */
interface Field {
	readonly kind: FieldRule;
	readonly need: "must" | "may";
}

type Fields = Readonly<Record<string, Field>>;

const required = (kind: FieldRule): Field => ({ kind, need: "must" });
const optionally = (kind: FieldRule): Field => ({ kind, need: "may" });

const summary = {
	summary: required(text),
	usage: optionally(optional(usage)),
	fromHook: optionally(optional(boolean)),
};

const ENTRY_FIELDS: Readonly<Record<string, Fields>> = {
	message: { message: required(object) },
	model_change: { provider: required(text), modelId: required(text) },
	thinking_level_change: { thinkingLevel: required(text) },
	compaction: {
		...summary,
		firstKeptEntryId: optionally(text),
		tokensBefore: optionally(number),
		systemMessage: optionally(optional(object)),
	},
	branch_summary: { ...summary, fromId: optionally(text) },
	custom: { customType: required(text) },
	custom_message: { customType: required(text), content: required(content), display: optionally(boolean) },
	label: { targetId: required(text), label: optionally(optional(text)) },
	session_info: { name: optionally(optional(text)) },
	usage: {
		kind: required(text),
		provider: optionally(text),
		model: optionally(text),
		usage: required(usage),
		note: optionally(optional(text)),
	},
	context_edit: { targetId: required(text) },
};

const MESSAGE_FIELDS: Readonly<Record<string, Fields>> = {
	user: { content: required(content) },
	assistant: {
		content: required(blocks),
		api: optionally(text),
		provider: optionally(text),
		model: optionally(text),
		stopReason: optionally(text),
		errorMessage: optionally(optional(text)),
		responseModel: optionally(optional(text)),
		responseId: optionally(optional(text)),
	},
	toolResult: {
		toolCallId: optionally(text),
		toolName: optionally(text),
		content: required(blocks),
		isError: optionally(boolean),
		usage: optionally(optional(usage)),
	},
	bashExecution: {
		command: required(text),
		output: required(text),
		exitCode: optionally(optional(number)),
		cancelled: optionally(boolean),
		truncated: optionally(boolean),
		fullOutputPath: optionally(optional(text)),
		excludeFromContext: optionally(optional(boolean)),
	},
	custom: { customType: optionally(text), content: required(content), display: optionally(boolean) },
	branchSummary: { summary: required(text), fromId: optionally(text) },
	compactionSummary: { summary: required(text), tokensBefore: optionally(number) },
	system: {
		content: required(content),
		sections: optionally(optional(sections)),
		toolsAdded: optionally(optional(tools)),
		toolsRemoved: optionally(optional(tools)),
	},
};

/**
 * Makes an entry safe to show: each field that its type promises is there and of the promised kind. The entry itself
 * is not changed, and is returned as it is when nothing was wrong. Unknown types, roles, blocks and fields are left
 * alone.
 */
export function repairEntry(raw: RawEntry): RepairedEntry {
	const problems: string[] = [];
	let entry = repairBase(raw, problems);
	const type = String(entry.type);
	entry = repairFields(entry, ENTRY_FIELDS[type], "its", problems);
	if (type === "message" && isObject(entry.message)) {
		entry = withField(entry, "message", repairMessage(entry.message, entry.timestamp, problems));
	} else if (type === "compaction" && isObject(entry.systemMessage)) {
		const system = withField(entry.systemMessage, "role", "system");
		entry = withField(entry, "systemMessage", repairMessage(system, entry.timestamp, problems));
	} else if (type === "context_edit" && entry.replacement !== null && !isReplacement(entry.replacement)) {
		problems.push("its `replacement` is neither null nor content; it is shown as leaving the target out");
		entry = withField(entry, "replacement", null);
	}
	// Every field that the type promises was checked or put right above.
	return { entry: entry as unknown as SessionEntry, problems };
}

function repairBase(raw: RawEntry, problems: string[]): RawEntry {
	let entry = raw;
	if (typeof entry.type !== "string") {
		problems.push("it has no `type`");
		entry = withField(entry, "type", "");
	}
	if (typeof entry.timestamp !== "string") {
		if (entry.timestamp !== undefined) problems.push("its `timestamp` is no text");
		const time = timeOf(entry.timestamp);
		entry = withField(entry, "timestamp", Number.isNaN(time) ? "" : new Date(time).toISOString());
	}
	if (entry.parentId !== null && typeof entry.parentId !== "string") {
		if (entry.parentId !== undefined) problems.push("its `parentId` is neither text nor null; it is shown as a root");
		entry = withField(entry, "parentId", null);
	}
	return entry;
}

function repairMessage(raw: RawEntry, entryTimestamp: unknown, problems: string[]): RawEntry {
	let message = raw;
	if (typeof message.role !== "string") {
		problems.push("its message has no `role`");
		message = withField(message, "role", "");
	}
	message = repairFields(message, MESSAGE_FIELDS[String(message.role)], "its message's", problems);
	if (typeof message.timestamp !== "number") {
		const time = timeOf(message.timestamp ?? entryTimestamp);
		message = withField(message, "timestamp", Number.isNaN(time) ? 0 : time);
	}
	// Old files and failed answers have only a part of it, or none; that is not worth telling.
	if (message.role !== "assistant" || usage.is(message.usage)) return message;
	return withField(message, "usage", usage.repair(message.usage));
}

function repairFields(object: RawEntry, fields: Fields | undefined, whose: string, problems: string[]): RawEntry {
	let sound = object;
	for (const name in fields) {
		const field = fields[name];
		const value = object[name];
		if (field === undefined || field.kind.is(value)) continue;
		const absent = value === undefined || value === null;
		if (!absent) problems.push(`${whose} \`${name}\` is of a wrong kind`);
		else if (field.need === "must") problems.push(`${whose} \`${name}\` is missing`);
		sound = withField(sound, name, field.kind.repair(value));
	}
	return sound;
}

function isReplacement(value: unknown): boolean {
	return isObject(value) && content.is(value.content);
}

function withField(object: RawEntry, name: string, value: unknown): RawEntry {
	return object[name] === value ? object : { ...object, [name]: value };
}
