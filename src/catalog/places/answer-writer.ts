import { once } from "node:events";
import type { Writable } from "node:stream";
import type { AnswerBody, Hello } from "./protocol.ts";

/** Bytes of JSON after which a list goes on in another line. */
const BATCH_BYTES = 64 * 1024;

/** The field of each answer that is a list. */
const FIELDS = {
	rows: "rows",
	gone: "paths",
	counts: "counts",
	paths: "paths",
	results: "results",
	lost: "paths",
	lines: "lines",
} as const;

/** Writes the lines of a server; nothing once it is closed, or nobody reads any more. */
export class AnswerWriter {
	readonly #output: Writable;
	#isClosed = false;

	constructor(output: Writable) {
		this.#output = output;
	}

	greet(hello: Hello): void {
		this.#writeLine(JSON.stringify(hello));
	}

	send(id: number, body: AnswerBody): void {
		this.#writeLine(JSON.stringify({ id, ...body }));
	}

	/** Sends a list, in as many lines as it takes, each with the fields of `all`; an empty one in none. */
	list(id: number, type: keyof typeof FIELDS, values: readonly unknown[], all: object = {}): void {
		const head = JSON.stringify({ id, type, ...all }).slice(0, -1);
		let texts: string[] = [];
		let size = 0;
		const flush = (): void => {
			if (texts.length > 0) this.#writeLine(`${head},"${FIELDS[type]}":[${texts.join(",")}]}`);
			[texts, size] = [[], 0];
		};
		for (const value of values) {
			const text = JSON.stringify(value);
			texts.push(text);
			size += text.length;
			if (size > BATCH_BYTES) flush();
		}
		flush();
	}

	/** Waits for a slow reader; what changes meanwhile is kept in memory, which is bounded by the number of sessions. */
	async drained(): Promise<void> {
		if (this.#output.writableNeedDrain) await Promise.race([once(this.#output, "drain"), once(this.#output, "close")]);
	}

	close(): void {
		this.#isClosed = true;
	}

	#writeLine(line: string): void {
		if (!this.#isClosed && this.#output.writable) this.#output.write(`${line}\n`);
	}
}
