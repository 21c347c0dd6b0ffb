import {
	anything,
	blocks,
	boolean,
	content,
	defaulted,
	entryId,
	type Fields,
	type FieldsOf,
	list,
	nestedCalls,
	number,
	object,
	optional,
	replacement,
	required,
	sections,
	text,
	tools,
	unreported,
	usage,
} from "./field-rules.ts";
import type { AgentMessage, SessionEntry, SessionEntryBase, UnknownEntry } from "./schema.ts";

// Not made from the zod schemas at run time, because loading zod would slow down reading a session. Instead, the compiler
// checks that these tables and the schemas name the same types, roles and fields.

/** The rules for the fields of an entry type; `repair-entry.ts` repairs the fields that all entries have. */
export const ENTRY_FIELDS = {
	message: { message: required(object) },
	model_change: { provider: required(text), modelId: required(text) },
	thinking_level_change: { thinkingLevel: required(text) },
	compaction: {
		summary: required(text),
		firstKeptEntryId: entryId("wrong"),
		tokensBefore: defaulted(number),
		details: anything,
		usage: optional(usage),
		fromHook: optional(boolean),
		systemMessage: optional(object),
	},
	branch_summary: {
		fromId: entryId("wrong"),
		summary: required(text),
		details: anything,
		usage: optional(usage),
		fromHook: optional(boolean),
	},
	custom: { customType: required(text), data: anything },
	custom_message: {
		customType: required(text),
		content: required(content),
		display: defaulted(boolean),
		details: anything,
	},
	label: { targetId: entryId("absent"), label: optional(text) },
	session_info: { name: optional(text) },
	usage: {
		kind: required(text),
		provider: defaulted(text),
		model: defaulted(text),
		usage: required(usage),
		note: optional(text),
	},
	context_edit: { targetId: entryId("absent"), replacement },
} satisfies {
	[Type in SessionEntry["type"]]: FieldsOf<
		Extract<SessionEntry, { type: Type }>,
		"type" | "id" | "parentId" | "timestamp"
	>;
};

/** The rules for a message's fields, by role; `repair-entry.ts` repairs the fields that all messages have. */
export const MESSAGE_FIELDS = {
	user: { content: required(content) },
	assistant: {
		content: required(blocks),
		api: defaulted(text),
		provider: defaulted(text),
		model: defaulted(text),
		// Old files and failed answers have only a part of it, or none; that is not worth reporting.
		usage: unreported(usage),
		stopReason: defaulted(text),
		rawStopReason: optional(text),
		errorMessage: optional(text),
		durationMs: optional(number),
		responseModel: optional(text),
		responseId: optional(text),
		thinkingLevel: optional(text),
		providerThinkingLevel: optional(text),
		endTurn: optional(boolean),
		deferred: anything,
		diagnostics: optional(list),
	},
	toolResult: {
		toolCallId: defaulted(text),
		toolName: defaulted(text),
		content: required(blocks),
		details: anything,
		usage: optional(usage),
		nestedCalls: optional(nestedCalls),
		isError: defaulted(boolean),
		durationMs: optional(number),
	},
	bashExecution: {
		command: required(text),
		output: required(text),
		exitCode: optional(number),
		cancelled: defaulted(boolean),
		truncated: defaulted(boolean),
		fullOutputPath: optional(text),
		excludeFromContext: optional(boolean),
	},
	custom: {
		customType: defaulted(text),
		content: required(content),
		display: defaulted(boolean),
		details: anything,
	},
	branchSummary: { summary: required(text), fromId: defaulted(text) },
	compactionSummary: { summary: required(text), tokensBefore: defaulted(number) },
	system: {
		content: required(content),
		sections: optional(sections),
		toolsAdded: optional(tools),
		toolsRemoved: optional(tools),
	},
} satisfies {
	[Role in AgentMessage["role"]]: FieldsOf<Extract<AgentMessage, { role: Role }>, "role" | "timestamp">;
};

/** The fields under this name; none if the table itself lacks it, even if every object inherits a property of that name. */
export function fieldRulesOf(table: Readonly<Record<string, Fields>>, name: string): Fields {
	return (Object.hasOwn(table, name) ? table[name] : undefined) ?? {};
}

/** The entry itself when its type is unknown to us, else undefined. */
export function asUnknownEntry(entry: SessionEntryBase): UnknownEntry | undefined {
	return Object.hasOwn(ENTRY_FIELDS, entry.type) ? undefined : { ...entry };
}

/** Whether the message has one of the roles of `AgentMessage`; newer pi versions may write others. */
export function hasKnownRole(message: AgentMessage): boolean {
	return Object.hasOwn(MESSAGE_FIELDS, message.role);
}
