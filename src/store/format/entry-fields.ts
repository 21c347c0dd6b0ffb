import {
	anything,
	blocks,
	boolean,
	content,
	defaulted,
	entryId,
	type FieldRules,
	type FieldsOf,
	listField,
	nestedCalls,
	number,
	objectField,
	optional,
	replacement,
	required,
	sections,
	textField,
	tools,
	unreported,
	usage,
} from "./field-rules.ts";
import type { AgentMessage, SessionEntry, SessionEntryBase, UnknownEntry } from "./schema.ts";

// Not made from the zod schemas at run time, because loading zod would slow down reading a session. Instead, the compiler
// checks that these tables and the schemas name the same types, roles and fields.

/** The rules for the fields of an entry type; `repair-entry.ts` repairs the fields that all entries have. */
export const ENTRY_FIELDS = {
	message: { message: required(objectField) },
	model_change: { provider: required(textField), modelId: required(textField) },
	thinking_level_change: { thinkingLevel: required(textField) },
	compaction: {
		summary: required(textField),
		firstKeptEntryId: entryId("wrong"),
		tokensBefore: defaulted(number),
		details: anything,
		usage: optional(usage),
		fromHook: optional(boolean),
		systemMessage: optional(objectField),
	},
	branch_summary: {
		fromId: entryId("wrong"),
		summary: required(textField),
		details: anything,
		usage: optional(usage),
		fromHook: optional(boolean),
	},
	custom: { customType: required(textField), data: anything },
	custom_message: {
		customType: required(textField),
		content: required(content),
		display: defaulted(boolean),
		details: anything,
	},
	label: { targetId: entryId("absent"), label: optional(textField) },
	session_info: { name: optional(textField) },
	usage: {
		kind: required(textField),
		provider: defaulted(textField),
		model: defaulted(textField),
		usage: required(usage),
		note: optional(textField),
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
		api: defaulted(textField),
		provider: defaulted(textField),
		model: defaulted(textField),
		// Old files and failed answers have only a part of it, or none; that is not worth reporting.
		usage: unreported(usage),
		stopReason: defaulted(textField),
		rawStopReason: optional(textField),
		errorMessage: optional(textField),
		durationMs: optional(number),
		responseModel: optional(textField),
		responseId: optional(textField),
		thinkingLevel: optional(textField),
		providerThinkingLevel: optional(textField),
		endTurn: optional(boolean),
		deferred: anything,
		diagnostics: optional(listField),
	},
	toolResult: {
		toolCallId: defaulted(textField),
		toolName: defaulted(textField),
		content: required(blocks),
		details: anything,
		usage: optional(usage),
		nestedCalls: optional(nestedCalls),
		isError: defaulted(boolean),
		durationMs: optional(number),
	},
	bashExecution: {
		command: required(textField),
		output: required(textField),
		exitCode: optional(number),
		cancelled: defaulted(boolean),
		truncated: defaulted(boolean),
		fullOutputPath: optional(textField),
		excludeFromContext: optional(boolean),
	},
	custom: {
		customType: defaulted(textField),
		content: required(content),
		display: defaulted(boolean),
		details: anything,
	},
	branchSummary: { summary: required(textField), fromId: defaulted(textField) },
	compactionSummary: { summary: required(textField), tokensBefore: defaulted(number) },
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
export function fieldRulesOf(table: Readonly<Record<string, FieldRules>>, name: string): FieldRules {
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
