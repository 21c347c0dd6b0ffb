import fc from "fast-check";

/** Lines of sessions in which contexts are made, compacted, edited and left, for property tests. */

const KINDS = [
	"user",
	"answer",
	"call",
	"result",
	"loose-result",
	"aborted",
	"compaction",
	"edit",
	"summary",
	"bash",
	"custom-message",
	"system",
	"model",
	"warm",
	"label",
] as const;

/** One entry: what it is, how many entries back its parent stands (0: the leaf), and a number to make the rest from. */
export type ContextStep = readonly [kind: (typeof KINDS)[number], back: number, seed: number];

export const contextStep: fc.Arbitrary<ContextStep> = fc.tuple(
	fc.constantFrom(...KINDS),
	fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.nat({ max: 6 })),
	fc.nat({ max: 1000 }),
);

const time = (second: number): string => new Date(1.7e12 + second * 1000).toISOString();
const idAt = (index: number): string => index.toString(16).padStart(8, "0");

export const CONTEXT_HEADER = `${JSON.stringify({ type: "session", version: 3, id: "x", timestamp: time(0), cwd: "/x" })}\n`;

/** The line of one entry; the ones before it are at indexes from 0. */
export function contextLine([kind, back, seed]: ContextStep, index: number): string {
	const parent = index - 1 - Math.min(back, index);
	const base = { id: idAt(index), parentId: parent < 0 ? null : idAt(parent), timestamp: time(index + 1) };
	const earlier = idAt(Math.max(0, index - 1 - (seed % 8)));
	const message = (fields: object): object => ({ type: "message", ...base, message: { timestamp: 1.7e12, ...fields } });
	const text = [{ type: "text", text: "x".repeat(seed) + (seed % 5 === 0 ? "?" : "") }];
	const usage = {
		input: seed,
		output: seed % 7,
		cacheRead: seed * 2,
		cacheWrite: seed % 3,
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: seed / 1000 },
	};
	const model = seed % 4 === 0 ? "small" : "large";
	const answer = { role: "assistant", provider: "p", model, usage, stopReason: "stop" };
	const call = {
		type: "toolCall",
		id: `c${index}`,
		name: "bash",
		arguments: { command: seed % 2 === 0 ? "ls" : "cd a && grep x b" },
	};
	const ended =
		["", "\n\nCommand exited with code 1", "\n\nCommand exited with code 2", "\n\nCommand aborted"][seed % 4] ?? "";
	const words = seed % 11 === 0 ? "Operation aborted" : `${"x".repeat(seed)}${ended}`;
	const result = { role: "toolResult", toolName: "bash", content: text, isError: seed % 3 > 0 };
	const entry = {
		user: message({ role: "user", content: text }),
		answer: message({ ...answer, content: text }),
		call: message({ ...answer, stopReason: "toolUse", content: [call] }),
		aborted: message({ ...answer, stopReason: "aborted", content: [call] }),
		result: message({ ...result, content: [{ type: "text", text: words }], toolCallId: `c${index - 1}` }),
		"loose-result": message({ ...result, toolCallId: `c${seed}` }),
		compaction: { type: "compaction", ...base, summary: "s".repeat(seed), firstKeptEntryId: earlier, tokensBefore: 1 },
		edit: { type: "context_edit", ...base, targetId: earlier, replacement: seed % 2 === 0 ? null : { content: text } },
		summary: { type: "branch_summary", ...base, fromId: "root", summary: "s".repeat(seed) },
		bash: message({
			role: "bashExecution",
			command: seed % 3 === 0 ? "ls" : "grep x y",
			...(seed % 5 === 0 ? { cancelled: true } : { exitCode: seed % 4 }),
			output: "o".repeat(seed),
			excludeFromContext: seed % 2 === 0,
		}),
		"custom-message": { type: "custom_message", ...base, customType: "x", content: text, display: true },
		system: message({ role: "system", content: text }),
		model: { type: "model_change", ...base, provider: "p", modelId: model },
		warm: { type: "usage", ...base, kind: "cache_warm", provider: "p", model, usage },
		label: { type: "label", ...base, targetId: earlier, label: "here" },
	}[kind];
	return `${JSON.stringify(entry)}\n`;
}
