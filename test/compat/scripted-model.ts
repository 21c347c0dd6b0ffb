import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What pi sends, as far as it is looked at. */
interface Message {
	readonly role: string;
	readonly content: unknown;
}

/** A call of a tool. */
export interface Call {
	readonly call: string;
	readonly with: object;
}

/** What the model says: a text, a call, or an error of the provider. */
type Answer = string | Call | { readonly error: string };

/** An answer, or how it follows from the last message; `after`: it waits until that has happened. */
type Step = Answer | ((last: string) => Answer) | { readonly after: string; readonly answer: Answer };

/** Who hears a text in the last message of a person answers with these steps, one for each request. */
export interface Part {
	readonly hears: string;
	readonly says: readonly Step[];
}

/** A model provider on this machine that plays parts, for a parent and its agents. */
export class ScriptedModel {
	readonly #parts: readonly Part[];
	readonly #happened = new Map<string, PromiseWithResolvers<void>>();
	#calls = 0;
	readonly #server = createServer((request, response) => {
		let body = "";
		request.setEncoding("utf8").on("data", (more: string) => {
			body += more;
		});
		request.on("end", () => void this.#answer((JSON.parse(body) as { messages: Message[] }).messages, response));
	});

	constructor(parts: readonly Part[]) {
		this.#parts = parts;
	}

	/** Starts it; returns what `models.json` of pi needs. */
	async start(): Promise<object> {
		await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
		const { port } = this.#server.address() as AddressInfo;
		const cost = { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 };
		const baseUrl = `http://127.0.0.1:${port}/v1`;
		const local = { baseUrl, api: "openai-completions", apiKey: "none", models: [{ id: "small", cost }] };
		return { providers: { local } };
	}

	stop(): void {
		this.#server.closeAllConnections();
		this.#server.close();
	}

	/** Lets answers go on that wait for this. */
	happened(what: string): void {
		this.#event(what).resolve();
	}

	#event(what: string): PromiseWithResolvers<void> {
		const event = this.#happened.get(what) ?? Promise.withResolvers<void>();
		this.#happened.set(what, event);
		return event;
	}

	async #answer(messages: readonly Message[], response: ServerResponse): Promise<void> {
		const at = messages.findLastIndex(({ role }) => role === "user");
		const heard = textOf(messages[at]);
		const part = this.#parts.find(({ hears }) => heard.includes(hears));
		const asked = messages.slice(at).filter(({ role }) => role === "assistant").length;
		const step = part?.says[asked] ?? "Noted.";
		if (part !== undefined) this.happened(part.hears);
		if (typeof step === "object" && "after" in step) await this.#event(step.after).promise;
		const answer =
			typeof step === "function"
				? step(textOf(messages.at(-1)))
				: typeof step === "object" && "after" in step
					? step.answer
					: step;
		if (typeof answer === "object" && "error" in answer) {
			response.writeHead(400, { "content-type": "application/json" });
			response.end(JSON.stringify({ error: { message: answer.error, type: "invalid_request_error" } }));
			return;
		}
		response.writeHead(200, { "content-type": "text/event-stream" });
		const input = 1000 + 10 * messages.length;
		const usage = { prompt_tokens: input, completion_tokens: 50, total_tokens: input + 50 };
		const isText = typeof answer === "string";
		const delta = isText
			? { role: "assistant", content: answer }
			: {
					role: "assistant",
					tool_calls: [
						{
							index: 0,
							id: `call_${++this.#calls}`,
							type: "function",
							function: { name: answer.call, arguments: JSON.stringify(answer.with) },
						},
					],
				};
		sendChunk(response, delta, null);
		sendChunk(response, {}, isText ? "stop" : "tool_calls", usage);
		response.end("data: [DONE]\n\n");
	}
}

function sendChunk(response: ServerResponse, delta: object, finish_reason: string | null, usage?: object): void {
	const chunk = {
		id: "1",
		object: "chat.completion.chunk",
		model: "small",
		choices: [{ index: 0, delta, finish_reason }],
		usage,
	};
	response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function textOf(message: Message | undefined): string {
	const content = message?.content;
	if (typeof content === "string") return content;
	return Array.isArray(content) ? content.map((block) => (block as { text?: string }).text ?? "").join("\n") : "";
}
