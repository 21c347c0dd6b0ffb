import type { Prose } from "./prose.ts";
import type { Random } from "./random.ts";

export interface SessionPlan {
	readonly random: Random;
	readonly prose: Prose;
	readonly id: string;
	readonly cwd: string;
	readonly parentSession: string | undefined;
	/** Milliseconds since 1970. */
	readonly began: number;
	/** Lines are made until this many bytes are reached. */
	readonly target: number;
}

const models = [
	["anthropic", "claude-sonnet-4-5", "anthropic-messages"],
	["anthropic", "claude-opus-4-5", "anthropic-messages"],
	["openai", "gpt-5.1-codex", "openai-responses"],
] as const;

/**
 * The lines of one session, each with its `\n` and its time: user messages, assistant messages with thinking and tool
 * calls, tool results (most of the bytes, as in real sessions), now and then an image, a branch, a label, a name, a summary.
 */
export function* sessionLines(plan: SessionPlan): Generator<{ readonly text: string; readonly time: number }> {
	const { random, prose } = plan;
	const ids: string[] = [];
	const known = new Set<string>();
	let time = plan.began;
	let size = 0;
	const line = (value: object) => {
		const text = `${JSON.stringify(value)}\n`;
		size += text.length;
		return { text, time };
	};
	const entry = (type: string, fields: object) => {
		time += random.int(500, 20_000);
		let id = random.hex(8);
		// Among a million there are some twice.
		while (known.has(id)) id = random.hex(8);
		known.add(id);
		const parentId = branchAt() ?? ids.at(-1) ?? null;
		ids.push(id);
		return line({ type, id, parentId, timestamp: new Date(time).toISOString(), ...fields });
	};
	const branchAt = () => (ids.length > 4 && random.next() < 0.004 ? random.pick(ids) : undefined);
	const message = (fields: object) => entry("message", { message: { ...fields } });
	const header = { type: "session", version: 3, id: plan.id, timestamp: new Date(time).toISOString(), cwd: plan.cwd };
	yield line(plan.parentSession === undefined ? header : { ...header, parentSession: plan.parentSession });
	const [provider, model, api] = random.pick(models);
	yield entry("model_change", { provider, modelId: model });
	yield entry("thinking_level_change", { thinkingLevel: "medium" });
	while (size < plan.target) {
		yield message({
			role: "user",
			content: [{ type: "text", text: prose.text(random.int(40, 700)) }],
			timestamp: time,
		});
		if (random.next() < 0.05) yield entry("session_info", { name: prose.text(random.int(10, 30)) });
		if (random.next() < 0.03) yield entry("label", { targetId: ids.at(-1), label: prose.text(8) });
		if (random.next() < 0.02) {
			yield entry("compaction", { summary: prose.text(2500), firstKeptEntryId: ids.at(-1), tokensBefore: 120_000 });
		}
		if (random.next() < 0.01) yield entry("branch_summary", { fromId: ids.at(-1), summary: prose.text(1200) });
		for (let turn = random.int(1, 9); turn > 0 && size < plan.target; turn--) {
			const call = `toolu_${random.hex(24)}`;
			const [tool, args] = toolCall(random, prose);
			const content: object[] = [];
			if (random.next() < 0.4) content.push({ type: "thinking", thinking: prose.text(random.int(80, 900)) });
			if (random.next() < 0.6) content.push({ type: "text", text: prose.text(random.int(30, 500)) });
			content.push({ type: "toolCall", id: call, name: tool, arguments: args });
			yield message({
				role: "assistant",
				content,
				api,
				provider,
				model,
				usage: usage(random),
				stopReason: "toolUse",
				timestamp: time,
			});
			const image = random.next() < 0.004;
			const output = image
				? { type: "image", data: random.hex(64).repeat(random.int(500, 4000)), mimeType: "image/png" }
				: { type: "text", text: prose.listing(Math.floor(Math.exp(random.next() * 5 + 4.8))) };
			yield message({
				role: "toolResult",
				toolCallId: call,
				toolName: tool,
				content: [output],
				isError: random.next() < 0.05,
				timestamp: time,
			});
		}
		const content = [{ type: "text", text: prose.text(random.int(100, 1500)) }];
		yield message({
			role: "assistant",
			content,
			api,
			provider,
			model,
			usage: usage(random),
			stopReason: "stop",
			timestamp: time,
		});
	}
}

function toolCall(random: Random, prose: Prose): [name: string, args: object] {
	const draw = random.next();
	if (draw < 0.35) return ["bash", { command: `npm test -- ${prose.path()} | head -${random.int(5, 80)}` }];
	if (draw < 0.75) return ["read", { path: prose.path(), offset: random.int(1, 400), limit: 200 }];
	if (draw < 0.93)
		return ["edit", { path: prose.path(), edits: [{ oldText: prose.listing(300), newText: prose.listing(400) }] }];
	return ["write", { path: prose.path(), content: prose.listing(random.int(500, 6000)) }];
}

function usage(random: Random): object {
	const [input, output, cacheRead] = [random.int(2, 3000), random.int(20, 2500), random.int(0, 150_000)];
	const cost = { input: input * 3e-6, output: output * 15e-6, cacheRead: cacheRead * 3e-7, cacheWrite: 0 };
	const total = cost.input + cost.output + cost.cacheRead;
	return { input, output, cacheRead, cacheWrite: 0, totalTokens: input + output + cacheRead, cost: { ...cost, total } };
}
