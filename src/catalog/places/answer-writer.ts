import { once } from "node:events";
import type { Writable } from "node:stream";
import { type ListType, listLines } from "./list-lines.ts";
import type { AnswerBody, Hello } from "./protocol.ts";

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

	/** Sends a list, in as many lines as it takes, each with the fields of `all`. */
	list(id: number, type: ListType, values: Iterable<unknown>, all?: object): void {
		for (const line of listLines(id, type, values, all)) this.#writeLine(line);
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
