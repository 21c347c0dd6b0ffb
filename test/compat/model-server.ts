import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** What pi sends, as far as it is looked at. */
interface Sent {
	readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** A model provider on this machine: answers each prompt with its own words, and "slowly" only when it is told to. */
export class ModelServer {
	/** The messages of each request, as JSON. */
	readonly requests: string[] = [];
	/** What it calls in place of its next answers, one after the other. */
	readonly calls: { readonly name: string; readonly arguments: object }[] = [];
	/** What is done before each answer. */
	onRequest: () => void = () => undefined;
	readonly #waiting: (() => void)[] = [];
	readonly #server = createServer((request, response) => {
		let body = "";
		request.setEncoding("utf8").on("data", (more: string) => {
			body += more;
		});
		request.on("end", () => this.#answer(JSON.parse(body) as Sent, response));
	});

	/** Starts it, and makes its model that of the pi with this agent directory. */
	async start(agentDir: string): Promise<void> {
		await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
		const { port } = this.#server.address() as AddressInfo;
		const local = {
			baseUrl: `http://127.0.0.1:${port}/v1`,
			api: "openai-completions",
			apiKey: "none",
			models: [{ id: "small" }],
		};
		mkdirSync(agentDir, { recursive: true });
		writeFileSync(join(agentDir, "models.json"), JSON.stringify({ providers: { local } }));
		const settings = { defaultProvider: "local", defaultModel: "small" };
		writeFileSync(join(agentDir, "settings.json"), JSON.stringify(settings));
	}

	/** Ends the answers that wait. */
	finish(): void {
		for (const go of this.#waiting.splice(0)) go();
	}

	stop(): void {
		this.finish();
		this.#server.closeAllConnections();
		this.#server.close();
	}

	#answer({ messages }: Sent, response: ServerResponse): void {
		this.requests.push(JSON.stringify(messages));
		this.onRequest();
		const prompt = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content ?? "");
		response.writeHead(200, { "content-type": "text/event-stream" });
		const send = (delta: object, finish_reason: string | null = null): void => {
			const chunk = {
				id: "1",
				object: "chat.completion.chunk",
				model: "small",
				choices: [{ index: 0, delta, finish_reason }],
			};
			response.write(`data: ${JSON.stringify(chunk)}\n\n`);
		};
		const end = (): void => {
			send({ content: "That is all." });
			send({}, "stop");
			response.end("data: [DONE]\n\n");
		};
		const call = this.calls.shift();
		if (call !== undefined) {
			const asked = { name: call.name, arguments: JSON.stringify(call.arguments) };
			const id = `call_${this.requests.length}`;
			send({ role: "assistant", tool_calls: [{ index: 0, id, type: "function", function: asked }] });
			send({}, "tool_calls");
			response.end("data: [DONE]\n\n");
			return;
		}
		send({ role: "assistant", content: "Heard you. " });
		if (prompt.includes("slowly")) this.#waiting.push(end);
		else end();
	}
}
