import { z } from "zod";
import {
	AgentMessageSchema,
	type AssistantMessage,
	type CustomMessage,
	ImageContentSchema,
	loose,
	SystemMessageSchema,
	TextContentSchema,
	ThinkingContentSchema,
	ToolCallSchema,
	type ToolResultMessage,
	UsageSchema,
	type UserMessage,
} from "./schema-message.ts";

/** The first line of a file. It is not part of the tree. */
export const SessionHeaderSchema = loose({
	type: z.literal("session"),
	/** 1 when absent. */
	version: z.number().optional(),
	/** A UUID (version 4 in old files, 7 in newer ones), or the value of `--session-id`. */
	id: z.string(),
	/** ISO 8601, as in every entry. */
	timestamp: z.string(),
	/** Absolute path of the project. */
	cwd: z.string(),
	/** Absolute path of the file that this one was forked or branched from. */
	parentSession: z.string().optional(),
});

const base = {
	/** Eight hex digits, unique in the file. */
	id: z.string(),
	/** Null for a root. */
	parentId: z.string().nullable(),
	timestamp: z.string(),
};

export const SessionMessageEntrySchema = loose({ type: z.literal("message"), ...base, message: AgentMessageSchema });

export const ModelChangeEntrySchema = loose({
	type: z.literal("model_change"),
	...base,
	provider: z.string(),
	modelId: z.string(),
});

/** Changes the thinking level from here on: "off", "minimal", "low", "medium", "high", "xhigh", "max". */
export const ThinkingLevelChangeEntrySchema = loose({
	type: z.literal("thinking_level_change"),
	...base,
	thinkingLevel: z.string(),
});

/** Replaces, for the model, everything before `firstKeptEntryId` by `summary`. */
export const CompactionEntrySchema = loose({
	type: z.literal("compaction"),
	...base,
	summary: z.string(),
	/** The first entry of the path that the model still gets; the compaction's own id if there is none (pi 0.87). */
	firstKeptEntryId: z.string(),
	/** Size of the context before, in tokens. */
	tokensBefore: z.number(),
	/** By default `{ readFiles: string[], modifiedFiles: string[] }`; an extension may store anything. */
	details: z.unknown().optional(),
	usage: UsageSchema.optional(),
	/** True when an extension wrote the summary. */
	fromHook: z.boolean().optional(),
	/** The whole prompt and tool set at this point (pi 0.87). */
	systemMessage: SystemMessageSchema.optional(),
});

/** Tells the model, on the branch that was entered, what happened on the branch that was left. */
export const BranchSummaryEntrySchema = loose({
	type: z.literal("branch_summary"),
	...base,
	/** The leaf that was left, or "root" (before pi 0.84.3 the entry that was entered). */
	fromId: z.string(),
	summary: z.string(),
	details: z.unknown().optional(),
	usage: UsageSchema.optional(),
	fromHook: z.boolean().optional(),
});

/** State of an extension; the model never gets it. */
export const CustomEntrySchema = loose({
	type: z.literal("custom"),
	...base,
	customType: z.string(),
	data: z.unknown().optional(),
});

const textOrImages = z.union([z.string(), z.array(z.union([TextContentSchema, ImageContentSchema]))]);

/** A message that an extension put into the conversation; the model gets it as the user's. */
export const CustomMessageEntrySchema = loose({
	type: z.literal("custom_message"),
	...base,
	customType: z.string(),
	content: textOrImages,
	/** Whether pi shows it. */
	display: z.boolean(),
	details: z.unknown().optional(),
});

/** A bookmark on the entry `targetId`; a missing or empty label removes it. */
export const LabelEntrySchema = loose({
	type: z.literal("label"),
	...base,
	targetId: z.string(),
	label: z.string().nullish(),
});

/** The session's name; empty or absent clears it. */
export const SessionInfoEntrySchema = loose({
	type: z.literal("session_info"),
	...base,
	name: z.string().nullish(),
});

/** Tokens spent outside the conversation, for the statistics (pi 0.87). */
export const UsageEntrySchema = loose({
	type: z.literal("usage"),
	...base,
	/** For example "cache_warm". */
	kind: z.string(),
	provider: z.string(),
	model: z.string(),
	usage: UsageSchema,
	note: z.string().optional(),
});

/** Changes, on this branch and for the model only, the content of an earlier entry (pi 0.87). */
export const ContextEditEntrySchema = loose({
	type: z.literal("context_edit"),
	...base,
	targetId: z.string(),
	/** Null leaves the target out. */
	replacement: loose({
		content: z.union([
			z.string(),
			z.array(z.union([TextContentSchema, ImageContentSchema, ThinkingContentSchema, ToolCallSchema])),
		]),
	}).nullable(),
});

export const SessionEntrySchema = z.discriminatedUnion("type", [
	SessionMessageEntrySchema,
	ModelChangeEntrySchema,
	ThinkingLevelChangeEntrySchema,
	CompactionEntrySchema,
	BranchSummaryEntrySchema,
	CustomEntrySchema,
	CustomMessageEntrySchema,
	LabelEntrySchema,
	SessionInfoEntrySchema,
	UsageEntrySchema,
	ContextEditEntrySchema,
]);

export const FileEntrySchema = z.union([SessionHeaderSchema, SessionEntrySchema]);

/** The fields of every entry; all that is known of an `UnknownEntry`. */
export const UnknownEntrySchema = loose({ type: z.string(), ...base });

export type SessionHeader = z.infer<typeof SessionHeaderSchema>;
export type SessionMessageEntry = z.infer<typeof SessionMessageEntrySchema>;
export type ModelChangeEntry = z.infer<typeof ModelChangeEntrySchema>;
export type ThinkingLevelChangeEntry = z.infer<typeof ThinkingLevelChangeEntrySchema>;
export type CompactionEntry<T = unknown> = z.infer<typeof CompactionEntrySchema> & { details?: T };
export type BranchSummaryEntry<T = unknown> = z.infer<typeof BranchSummaryEntrySchema> & { details?: T };
export type CustomEntry<T = unknown> = z.infer<typeof CustomEntrySchema> & { data?: T };
export type CustomMessageEntry<T = unknown> = z.infer<typeof CustomMessageEntrySchema> & { details?: T };
export type LabelEntry = z.infer<typeof LabelEntrySchema>;
export type SessionInfoEntry = z.infer<typeof SessionInfoEntrySchema>;
export type UsageEntry = z.infer<typeof UsageEntrySchema>;
export type ContextEditEntry = z.infer<typeof ContextEditEntrySchema>;
export type SessionEntryBase = z.infer<typeof UnknownEntrySchema>;
/** An entry of an unknown type; it is shown and copied like others. See `asUnknownEntry`. */
export type UnknownEntry = SessionEntryBase & { readonly [field: string]: unknown };
/**
 * An entry of the tree. As in pi's own type, entries of unknown types are not named here (a member with any `type`
 * would stop `entry.type === "message"` from narrowing) but do occur: give every `switch` a `default`.
 */
export type SessionEntry = z.infer<typeof SessionEntrySchema>;
export type FileEntry = SessionHeader | SessionEntry;
/** What a `context_edit` may replace a message's content with. */
export type ContextEditableContent =
	| UserMessage["content"]
	| AssistantMessage["content"]
	| ToolResultMessage["content"]
	| CustomMessage["content"];

export * from "./schema-message.ts";
