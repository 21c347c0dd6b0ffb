import fc from "fast-check";

/** A reference to one of the entries made so far, by its index (modulo their number); "missing" is not an entry. */
export type Ref = number | "missing";

/** One call of a method, with entries named by their index, so that both managers can be given it. */
export type Operation =
	| { readonly do: "message"; readonly message: object }
	| { readonly do: "thinking"; readonly level: string }
	| { readonly do: "model"; readonly provider: string; readonly model: string }
	| { readonly do: "usage"; readonly kind: string; readonly note: string | undefined }
	| {
			readonly do: "compaction";
			readonly summary: string;
			readonly firstKept: Ref | null;
			readonly details: unknown;
			readonly fromHook: boolean | undefined;
	  }
	| { readonly do: "custom"; readonly data: unknown }
	| { readonly do: "name"; readonly name: string }
	| { readonly do: "custom-message"; readonly content: unknown; readonly display: boolean; readonly details: unknown }
	| { readonly do: "edit"; readonly target: Ref; readonly replacement: unknown }
	| { readonly do: "label"; readonly target: Ref; readonly label: string | undefined }
	| { readonly do: "branch"; readonly target: Ref }
	| { readonly do: "reset" }
	| { readonly do: "branch-with-summary"; readonly target: Ref | null; readonly summary: string }
	| { readonly do: "branched-session"; readonly target: Ref }
	| { readonly do: "new-session"; readonly parent: string | undefined }
	| { readonly do: "reopen" };

const text = fc.oneof(
	fc.string({ unit: "grapheme", maxLength: 12 }),
	fc.constantFrom("", " ", "\n", "line one\nline two", "U+2028 \u2028 and U+2029 \u2029", '"quoted" \\ back', "日本語"),
);
const textBlock = fc.record({ type: fc.constant("text"), text });
const image = fc.constant({ type: "image", data: "aGk=", mimeType: "image/png" });
const thinking = fc.record({ type: fc.constant("thinking"), thinking: text });
const call = fc.record({
	type: fc.constant("toolCall"),
	id: fc.constantFrom("call_1", "call_2"),
	name: fc.constantFrom("read", "bash"),
	arguments: fc.dictionary(fc.constantFrom("path", "command", "odd"), fc.jsonValue({ maxDepth: 2 })),
});
const textOrImages = fc.oneof(text, fc.array(fc.oneof(textBlock, image), { maxLength: 3 }));
const timestamp = fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 });
const tokens = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10 };
const usage = { ...tokens, cost: { input: 0.1, output: 0.2, cacheRead: 0, cacheWrite: 0, total: 0.3 } };

const user = fc.record({ role: fc.constant("user"), content: textOrImages, timestamp });
const assistant = fc.record({
	role: fc.constant("assistant"),
	content: fc.array(fc.oneof(textBlock, thinking, call), { maxLength: 3 }),
	api: fc.constant("anthropic-messages"),
	provider: fc.constantFrom("anthropic", "openai"),
	model: fc.constantFrom("claude-sonnet-4-5", "gpt-4o"),
	usage: fc.constant(usage),
	stopReason: fc.constantFrom("stop", "toolUse", "error", "aborted"),
	timestamp,
});
const toolResult = fc.record({
	role: fc.constant("toolResult"),
	toolCallId: fc.constant("call_1"),
	toolName: fc.constant("read"),
	content: fc.array(fc.oneof(textBlock, image), { maxLength: 2 }),
	details: fc.jsonValue({ maxDepth: 1 }),
	isError: fc.boolean(),
	timestamp,
});
const bash = fc.record({
	role: fc.constant("bashExecution"),
	command: text,
	output: text,
	exitCode: fc.constantFrom(0, 1, undefined),
	cancelled: fc.boolean(),
	truncated: fc.boolean(),
	timestamp,
});
const customMessage = fc.record({
	role: fc.constant("custom"),
	customType: fc.constant("todo"),
	content: textOrImages,
	display: fc.boolean(),
	timestamp,
});
const tool = fc.constantFrom("read", "bash", "edit").map((name) => ({ name, description: name, parameters: {} }));
const system = fc.record(
	{
		role: fc.constant("system"),
		content: fc.oneof(text, fc.array(textBlock, { maxLength: 2 })),
		sections: fc.dictionary(fc.constantFrom("rules", "tone"), fc.option(text)),
		toolsAdded: fc.array(tool, { maxLength: 2 }),
		toolsRemoved: fc.array(
			fc.constantFrom("read", "bash").map((name) => ({ name })),
			{ maxLength: 1 },
		),
		timestamp,
	},
	{ requiredKeys: ["role", "content", "timestamp"] },
);

const ref: fc.Arbitrary<Ref> = fc.oneof(
	{ weight: 9, arbitrary: fc.nat({ max: 60 }) },
	{ weight: 1, arbitrary: fc.constant("missing" as const) },
);
const as = <Name extends Operation["do"]>(name: Name): fc.Arbitrary<Name> => fc.constant(name);
const message = (of: fc.Arbitrary<object>) => fc.record({ do: as("message"), message: of });

/** Any one call; those that build a conversation are more frequent. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
	{ weight: 5, arbitrary: message(user) },
	{ weight: 5, arbitrary: message(assistant) },
	{ weight: 2, arbitrary: message(toolResult) },
	{ weight: 1, arbitrary: message(bash) },
	{ weight: 1, arbitrary: message(customMessage) },
	{ weight: 1, arbitrary: message(system) },
	{ weight: 1, arbitrary: fc.record({ do: as("thinking"), level: fc.constantFrom("off", "high") }) },
	{
		weight: 1,
		arbitrary: fc.record({ do: as("model"), provider: fc.constant("openai"), model: fc.constantFrom("gpt-4o", "o3") }),
	},
	{ weight: 1, arbitrary: fc.record({ do: as("usage"), kind: text, note: fc.option(text, { nil: undefined }) }) },
	{
		weight: 2,
		arbitrary: fc.record({
			do: as("compaction"),
			summary: text,
			firstKept: fc.option(ref),
			details: fc.option(fc.jsonValue({ maxDepth: 1 }), { nil: undefined }),
			fromHook: fc.constantFrom(true, false, undefined),
		}),
	},
	{ weight: 1, arbitrary: fc.record({ do: as("custom"), data: fc.option(fc.jsonValue(), { nil: undefined }) }) },
	{ weight: 1, arbitrary: fc.record({ do: as("name"), name: text }) },
	{
		weight: 1,
		arbitrary: fc.record({
			do: as("custom-message"),
			content: textOrImages,
			display: fc.boolean(),
			details: fc.option(fc.jsonValue({ maxDepth: 1 }), { nil: undefined }),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			do: as("edit"),
			target: ref,
			replacement: fc.option(
				fc.oneof(fc.record({ content: textOrImages }), fc.constant({ content: 7 }), fc.constant({})),
			),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({ do: as("label"), target: ref, label: fc.option(text, { nil: undefined }) }),
	},
	{ weight: 3, arbitrary: fc.record({ do: as("branch"), target: ref }) },
	{ weight: 1, arbitrary: fc.record({ do: as("reset") }) },
	{
		weight: 2,
		arbitrary: fc.record({ do: as("branch-with-summary"), target: fc.option(ref), summary: text }),
	},
	{ weight: 1, arbitrary: fc.record({ do: as("branched-session"), target: ref }) },
	{
		weight: 1,
		arbitrary: fc.record({ do: as("new-session"), parent: fc.constantFrom(undefined, "/tmp/parent.jsonl") }),
	},
	{ weight: 1, arbitrary: fc.record({ do: as("reopen") }) },
);

/** A whole run. */
export const operations = fc.array(operation, { minLength: 1, maxLength: 40 });
