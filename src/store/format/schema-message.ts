import { z } from "zod";

/**
 * An object that may have other fields, which are preserved.
 * Its type names only the known fields: with an index signature it would refuse values of plain interfaces,
 * so code written against pi's types could not pass its messages to us.
 */
export function loose<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
	// At run time it is the loose schema; only the index signature is left out of the static type (see above).
	return z.looseObject(shape) as unknown as z.ZodObject<Shape>;
}

export const TextContentSchema = loose({
	type: z.literal("text"),
	text: z.string(),
	/** Opaque provider data (pi 0.87). */
	textSignature: z.string().optional(),
});

/** An image; `data` is base64, `mimeType` as in "image/png". */
export const ImageContentSchema = loose({ type: z.literal("image"), data: z.string(), mimeType: z.string() });

export const ThinkingContentSchema = loose({
	type: z.literal("thinking"),
	thinking: z.string(),
	thinkingSignature: z.string().optional(),
	/** The text was withheld by the provider; the signature holds it, encrypted (pi 0.87). */
	redacted: z.boolean().optional(),
});

/** The model asks for a tool to be run; the answer is a `toolResult` message with the same `toolCallId`. */
export const ToolCallSchema = loose({
	type: z.literal("toolCall"),
	id: z.string(),
	name: z.string(),
	arguments: z.record(z.string(), z.unknown()),
	thoughtSignature: z.string().optional(),
	namespace: z.string().optional(),
	/** What was wrong with the arguments that the model sent, which are then `{}` (pi 1.3). */
	argumentsError: z.string().optional(),
});

/** The cost of one answer in US dollars, by kind of token. */
export const CostSchema = loose({
	input: z.number(),
	output: z.number(),
	cacheRead: z.number(),
	cacheWrite: z.number(),
	total: z.number(),
	/** True when `total` is what the provider billed, not an estimate by the list of prices (pi 1.5). */
	totalFromProvider: z.boolean().optional(),
});

export const UsageSchema = loose({
	input: z.number(),
	output: z.number(),
	cacheRead: z.number(),
	cacheWrite: z.number(),
	/** The part of `cacheWrite` that is cached for one hour (pi 0.87). */
	cacheWrite1h: z.number().optional(),
	/** The part of `output` spent on thinking (pi 0.87). */
	reasoning: z.number().optional(),
	/** Absent in version 1 files. */
	totalTokens: z.number().optional(),
	cost: CostSchema,
});

const textOrImages = z.union([z.string(), z.array(z.union([TextContentSchema, ImageContentSchema]))]);

/** What the person typed, with pasted images. */
export const UserMessageSchema = loose({
	role: z.literal("user"),
	content: textOrImages,
	/** Unix milliseconds, as in every message. */
	timestamp: z.number(),
});

export const AssistantMessageSchema = loose({
	role: z.literal("assistant"),
	content: z.array(z.union([TextContentSchema, ThinkingContentSchema, ToolCallSchema])),
	/** Wire protocol, as in "anthropic-messages". */
	api: z.string(),
	provider: z.string(),
	model: z.string(),
	usage: UsageSchema,
	/** "stop", "length", "toolUse", "error", "aborted", "deferred" (pi 0.84). */
	stopReason: z.string(),
	/** The provider's own value, such as "end_turn" (newer versions). */
	rawStopReason: z.string().optional(),
	errorMessage: z.string().optional(),
	/** Unix milliseconds when the request began. */
	timestamp: z.number(),
	/** From `timestamp` to the end of the answer (pi 1.1). */
	durationMs: z.number().optional(),
	/** The model that answered, if `model` is only a name for one of several. */
	responseModel: z.string().optional(),
	responseId: z.string().optional(),
	/** The thinking level that pi asked for (pi 0.99). */
	thinkingLevel: z.string().optional(),
	/** The same in the provider's terms (pi 0.85). */
	providerThinkingLevel: z.string().optional(),
	/** Whether the provider said that the model had ended its turn (pi 0.84). */
	endTurn: z.boolean().optional(),
	/** How to fetch the answer later, with "deferred" (pi 0.84): `provider`, `modelId`, `api`, `id` and more. */
	deferred: z.unknown().optional(),
	/** What went wrong on the way, for the developers of pi: `type`, `timestamp`, `error`, `details`. */
	diagnostics: z.array(z.unknown()).optional(),
});

/** A call that a tool made to another tool while it ran, for example in a script (pi 0.99). */
export const NestedToolCallSchema = loose({
	id: z.string(),
	name: z.string(),
	/** Left out when it is too long; `argumentsBytes` then says how long. */
	arguments: z.record(z.string(), z.unknown()).optional(),
	argumentsBytes: z.number().optional(),
	/** "ok", "error" or "unfinished": it still ran when the calling tool ended. */
	status: z.string(),
	durationMs: z.number().optional(),
	error: z.string().optional(),
});

export const ToolResultMessageSchema = loose({
	role: z.literal("toolResult"),
	toolCallId: z.string(),
	toolName: z.string(),
	content: z.array(z.union([TextContentSchema, ImageContentSchema])),
	/** Belongs to the tool; `edit`, for example, stores its diff here. */
	details: z.unknown().optional(),
	/** What the tool itself spent (pi 0.81). */
	usage: UsageSchema.optional(),
	/** The calls that the tool made to other tools (pi 0.99). `complete`: no call and no arguments were left out. */
	nestedCalls: loose({ calls: z.array(NestedToolCallSchema), complete: z.boolean() }).optional(),
	isError: z.boolean(),
	timestamp: z.number(),
	/** How long the tool ran (pi 1.1). */
	durationMs: z.number().optional(),
});

/** A shell command that the person ran with `!`. */
export const BashExecutionMessageSchema = loose({
	role: z.literal("bashExecution"),
	command: z.string(),
	output: z.string(),
	/** Absent when the command was killed. */
	exitCode: z.number().nullish(),
	cancelled: z.boolean(),
	truncated: z.boolean(),
	/** The file with the whole output, when it was truncated. */
	fullOutputPath: z.string().optional(),
	/** True for `!!`: the model does not get it. */
	excludeFromContext: z.boolean().optional(),
	timestamp: z.number(),
});

/** A message of an extension (role `hookMessage` before version 3). */
export const CustomMessageSchema = loose({
	role: z.literal("custom"),
	customType: z.string(),
	content: textOrImages,
	display: z.boolean(),
	details: z.unknown().optional(),
	timestamp: z.number(),
});

/** A branch summary as the model gets it; made from a `branch_summary` entry, not stored as a message. */
export const BranchSummaryMessageSchema = loose({
	role: z.literal("branchSummary"),
	summary: z.string(),
	fromId: z.string().nullable(),
	timestamp: z.number(),
});

/** A compaction summary as the model gets it; made from a `compaction` entry, not stored as a message. */
export const CompactionSummaryMessageSchema = loose({
	role: z.literal("compactionSummary"),
	summary: z.string(),
	tokensBefore: z.number(),
	timestamp: z.number(),
});

/** The system prompt and the tools, or a change of them (pi 0.87). */
export const SystemMessageSchema = loose({
	role: z.literal("system"),
	content: z.union([z.string(), z.array(TextContentSchema)]),
	/** Named parts of the prompt, in order; null removes one. pi writes the whole prompt so, and "" as `content`. */
	sections: z.record(z.string(), z.string().nullable()).optional(),
	toolsAdded: z.array(loose({ name: z.string() })).optional(),
	toolsRemoved: z.array(loose({ name: z.string() })).optional(),
	timestamp: z.number(),
});

/** Every message that pi is known to store or to build. */
export const AgentMessageSchema = z.discriminatedUnion("role", [
	UserMessageSchema,
	AssistantMessageSchema,
	ToolResultMessageSchema,
	BashExecutionMessageSchema,
	CustomMessageSchema,
	BranchSummaryMessageSchema,
	CompactionSummaryMessageSchema,
	SystemMessageSchema,
]);

export type TextContent = z.infer<typeof TextContentSchema>;
export type ImageContent = z.infer<typeof ImageContentSchema>;
export type ThinkingContent = z.infer<typeof ThinkingContentSchema>;
export type ToolCall = z.infer<typeof ToolCallSchema>;
export type ContentBlock = TextContent | ImageContent | ThinkingContent | ToolCall;
export type Usage = z.infer<typeof UsageSchema>;
export type UserMessage = z.infer<typeof UserMessageSchema>;
export type AssistantMessage = z.infer<typeof AssistantMessageSchema>;
export type NestedToolCall = z.infer<typeof NestedToolCallSchema>;
export type ToolResultMessage = z.infer<typeof ToolResultMessageSchema>;
export type BashExecutionMessage = z.infer<typeof BashExecutionMessageSchema>;
export type CustomMessage<T = unknown> = z.infer<typeof CustomMessageSchema> & { details?: T };
export type BranchSummaryMessage = z.infer<typeof BranchSummaryMessageSchema>;
export type CompactionSummaryMessage = z.infer<typeof CompactionSummaryMessageSchema>;
export type SystemMessage = z.infer<typeof SystemMessageSchema>;
/** The messages that go to a model unchanged. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage;
export type AgentMessage = z.infer<typeof AgentMessageSchema>;
