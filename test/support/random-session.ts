import fc from "fast-check";

/** Random lines of session files for property tests: pi's own order, other orders, odd fields, damage. */

const id = fc.stringMatching(/^[0-9a-f]{8}$/);
const text = fc.oneof(
	fc.string({ maxLength: 30 }),
	fc.string({ unit: "grapheme", maxLength: 30 }),
	fc.constantFrom(
		"",
		"  ",
		'quote " back \\ slash',
		"}}",
		'"timestamp":1}}',
		'","stopReason":"stop","timestamp":9}}',
		"\u2028",
		"x".repeat(3000),
	),
);
const stamp = fc.oneof(
	fc.integer({ min: 0, max: 1e6 }).map((second) => new Date(1.7e12 + second * 1000).toISOString()),
	fc.constantFrom("", "yesterday", "2026"),
);
const millis = fc.oneof(fc.integer({ min: 1.7e12, max: 1.8e12 }), fc.constantFrom(0, -5, 1.5, 9e15, 1e300));
const odd = fc.constantFrom(null, 5, true, [], {}, "x");
const blocks = fc.array(
	fc.oneof(
		fc.record({ type: fc.constant("text"), text }),
		fc.record({ type: fc.constant("thinking"), thinking: text }),
		fc.record({
			type: fc.constant("toolCall"),
			id,
			name: fc.constantFrom("bash", "read", undefined),
			arguments: fc.record({ command: text }),
		}),
		fc.record({ type: fc.constant("image"), data: fc.constant("AAAA"), mimeType: fc.constant("image/png") }),
		odd,
	),
	{ maxLength: 3 },
);
const content = fc.oneof(
	{ weight: 8, arbitrary: blocks },
	{ weight: 2, arbitrary: text },
	{ weight: 1, arbitrary: odd },
);
const stop = fc.constantFrom("stop", "toolUse", "aborted", "error");

/** In pi's order; further fields may follow the time. */
const message = fc.oneof(
	fc.record({ role: fc.constant("user"), content, timestamp: millis }),
	fc
		.record({
			content,
			model: fc.constant("m"),
			stopReason: stop,
			timestamp: millis,
			more: fc.option(fc.record({ errorMessage: text }), { nil: {} }),
		})
		.map(({ more, ...rest }) => ({ role: "assistant", ...rest, ...more })),
	fc.record({
		role: fc.constant("toolResult"),
		toolCallId: id,
		toolName: fc.constant("bash"),
		content,
		isError: fc.boolean(),
		timestamp: millis,
	}),
	fc.record({
		role: fc.constantFrom("bashExecution", "custom", "hookMessage", "system", "odd"),
		command: text,
		output: text,
		timestamp: millis,
	}),
	fc.record({ role: fc.constantFrom("user", "assistant") }),
	odd,
);

const envelope = {
	id: fc.oneof({ weight: 9, arbitrary: id }, { weight: 1, arbitrary: odd }),
	parentId: fc.option(id),
	timestamp: fc.oneof({ weight: 9, arbitrary: stamp }, { weight: 1, arbitrary: odd }),
};
const fields = fc.oneof(
	{ weight: 10, arbitrary: fc.record({ message }).map((rest) => ["message", rest] as const) },
	{ weight: 1, arbitrary: fc.record({ name: fc.oneof(text, odd) }).map((rest) => ["session_info", rest] as const) },
	{ weight: 1, arbitrary: fc.record({ targetId: id, label: text }).map((rest) => ["label", rest] as const) },
	{
		weight: 1,
		arbitrary: fc.record({ summary: text, firstKeptEntryId: id }).map((rest) => ["compaction", rest] as const),
	},
	{ weight: 1, arbitrary: fc.record({ provider: text, modelId: text }).map((rest) => ["model_change", rest] as const) },
	{
		weight: 1,
		arbitrary: fc.record({ customType: text, data: fc.jsonValue() }).map((rest) => ["custom", rest] as const),
	},
	{ weight: 1, arbitrary: fc.record({ anything: fc.jsonValue() }).map((rest) => ["unheard_of", rest] as const) },
);
const entry = fc
	.record({ envelope: fc.record(envelope), fields, old: fc.boolean(), shuffle: fc.nat({ max: 9 }) })
	.map(({ envelope: { id: own, parentId, timestamp }, fields: [type, rest], old, shuffle }) => {
		const whole: [string, unknown][] = Object.entries(
			old ? { type, timestamp, ...rest } : { type, id: own, parentId, timestamp, ...rest },
		);
		// Now and then another key order, on both levels.
		return JSON.stringify(Object.fromEntries(shuffle === 0 ? whole.reverse() : whole));
	});
const header = fc
	.record(
		{
			version: fc.constantFrom(undefined, 1, 2, 3, 4, "3"),
			id: fc.oneof(text, odd),
			timestamp: fc.oneof(stamp, odd),
			cwd: fc.oneof(text, odd),
			parentSession: fc.option(text, { nil: undefined }),
		},
		{ requiredKeys: [] },
	)
	.map((rest) => JSON.stringify({ type: "session", ...rest }));
const junk = fc.oneof(
	fc.constantFrom("", " ", "null", "[]", "{}", "{", "\r", '{"type":"message"', '{"type":"message","id":"'),
	entry.map((line) => line.slice(0, line.length >> 1)),
	entry.map((line) => ` ${line}\r`),
);
const line = fc.oneof(
	{ weight: 12, arbitrary: entry },
	{ weight: 1, arbitrary: header },
	{ weight: 2, arbitrary: junk },
);

/** The bytes of a session file, most with a header, some torn, some not UTF-8. */
export const randomSession = fc
	.record({
		first: fc.oneof({ weight: 9, arbitrary: header }, { weight: 1, arbitrary: line }),
		rest: fc.array(line, { maxLength: 12 }),
		ended: fc.boolean(),
		broken: fc.option(fc.nat(), { freq: 5 }),
		marked: fc.integer({ min: 0, max: 20 }),
	})
	.map(({ first, rest, ended, broken, marked }) => {
		const bytes = Buffer.from((marked === 0 ? "\ufeff" : "") + [first, ...rest].join("\n") + (ended ? "\n" : ""));
		if (broken !== null && bytes.length > 0) bytes[broken % bytes.length] = 0xff;
		return bytes;
	});
