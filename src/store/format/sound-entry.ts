import { isObject, type RawEntry } from "./parse.ts";
import type { SessionEntry } from "./schema.ts";
import {
	blocks,
	boolean,
	content,
	type Kind,
	number,
	object,
	optional,
	sections,
	text,
	tools,
	usage,
} from "./sound-kinds.ts";
import { timeOf } from "./time.ts";

/** A copy that the types tell the truth about, and what had to be put right for it, in words. */
export interface SoundEntry {
	readonly entry: SessionEntry;
	readonly problems: readonly string[];
}

/** `must`: its absence is a problem. `may`: seeds and old files leave it out; a harmless value takes its place silently. */
interface Field {
	readonly kind: Kind;
	readonly need: "must" | "may";
}

type Fields = Readonly<Record<string, Field>>;

const must = (kind: Kind): Field => ({ kind, need: "must" });
const may = (kind: Kind): Field => ({ kind, need: "may" });

const summary = {
	summary: must(text),
	usage: may(optional(usage)),
	fromHook: may(optional(boolean)),
};

const ENTRY_FIELDS: Readonly<Record<string, Fields>> = {
	message: { message: must(object) },
	model_change: { provider: must(text), modelId: must(text) },
	thinking_level_change: { thinkingLevel: must(text) },
	compaction: {
		...summary,
		firstKeptEntryId: may(text),
		tokensBefore: may(number),
		systemMessage: may(optional(object)),
	},
	branch_summary: { ...summary, fromId: may(text) },
	custom: { customType: must(text) },
	custom_message: { customType: must(text), content: must(content), display: may(boolean) },
	label: { targetId: must(text), label: may(optional(text)) },
	session_info: { name: may(optional(text)) },
	usage: { kind: must(text), provider: may(text), model: may(text), usage: must(usage), note: may(optional(text)) },
	context_edit: { targetId: must(text) },
};

const MESSAGE_FIELDS: Readonly<Record<string, Fields>> = {
	user: { content: must(content) },
	assistant: {
		content: must(blocks),
		api: may(text),
		provider: may(text),
		model: may(text),
		stopReason: may(text),
		errorMessage: may(optional(text)),
		responseModel: may(optional(text)),
		responseId: may(optional(text)),
	},
	toolResult: {
		toolCallId: may(text),
		toolName: may(text),
		content: must(blocks),
		isError: may(boolean),
		usage: may(optional(usage)),
	},
	bashExecution: {
		command: must(text),
		output: must(text),
		exitCode: may(optional(number)),
		cancelled: may(boolean),
		truncated: may(boolean),
		fullOutputPath: may(optional(text)),
		excludeFromContext: may(optional(boolean)),
	},
	custom: { customType: may(text), content: must(content), display: may(boolean) },
	branchSummary: { summary: must(text), fromId: may(text) },
	compactionSummary: { summary: must(text), tokensBefore: may(number) },
	system: {
		content: must(content),
		sections: may(optional(sections)),
		toolsAdded: may(optional(tools)),
		toolsRemoved: may(optional(tools)),
	},
};

/**
 * Makes an entry safe to show: each field that its type promises is there and of the promised kind. The entry itself
 * is not changed, and is returned as it is when nothing was wrong. Unknown types, roles, blocks and fields are left
 * alone.
 */
export function soundEntry(raw: RawEntry): SoundEntry {
	const problems: string[] = [];
	let entry = soundBase(raw, problems);
	const type = String(entry.type);
	entry = soundFields(entry, ENTRY_FIELDS[type], "its", problems);
	if (type === "message" && isObject(entry.message)) {
		entry = withField(entry, "message", soundMessage(entry.message, entry.timestamp, problems));
	} else if (type === "compaction" && isObject(entry.systemMessage)) {
		const system = withField(entry.systemMessage, "role", "system");
		entry = withField(entry, "systemMessage", soundMessage(system, entry.timestamp, problems));
	} else if (type === "context_edit" && entry.replacement !== null && !isReplacement(entry.replacement)) {
		problems.push("its `replacement` is neither null nor content; it is shown as leaving the target out");
		entry = withField(entry, "replacement", null);
	}
	// Every field that the type promises was checked or put right above.
	return { entry: entry as unknown as SessionEntry, problems };
}

function soundBase(raw: RawEntry, problems: string[]): RawEntry {
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

function soundMessage(raw: RawEntry, entryTimestamp: unknown, problems: string[]): RawEntry {
	let message = raw;
	if (typeof message.role !== "string") {
		problems.push("its message has no `role`");
		message = withField(message, "role", "");
	}
	message = soundFields(message, MESSAGE_FIELDS[String(message.role)], "its message's", problems);
	if (typeof message.timestamp !== "number") {
		const time = timeOf(message.timestamp ?? entryTimestamp);
		message = withField(message, "timestamp", Number.isNaN(time) ? 0 : time);
	}
	// Old files and failed answers have only a part of it, or none; that is not worth telling.
	if (message.role !== "assistant" || usage.is(message.usage)) return message;
	return withField(message, "usage", usage.mend(message.usage));
}

function soundFields(object: RawEntry, fields: Fields | undefined, whose: string, problems: string[]): RawEntry {
	let sound = object;
	for (const name in fields) {
		const field = fields[name];
		const value = object[name];
		if (field === undefined || field.kind.is(value)) continue;
		const absent = value === undefined || value === null;
		if (!absent) problems.push(`${whose} \`${name}\` is of a wrong kind`);
		else if (field.need === "must") problems.push(`${whose} \`${name}\` is missing`);
		sound = withField(sound, name, field.kind.mend(value));
	}
	return sound;
}

function isReplacement(value: unknown): boolean {
	return isObject(value) && content.is(value.content);
}

function withField(object: RawEntry, name: string, value: unknown): RawEntry {
	return object[name] === value ? object : { ...object, [name]: value };
}
