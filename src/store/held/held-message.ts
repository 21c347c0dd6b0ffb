import type { MessageFacts } from "../format/message-facts.ts";
import type { AgentMessage } from "../format/schema-message.ts";
import type { HeldLines } from "./held-lines.ts";

/**
 * A message entry of a large session, which is a few words about a line of its file: the message is parsed when it is looked
 * at, and forgotten again. Otherwise like any `SessionMessageEntry`; it has no other fields.
 */
export class HeldMessage {
	readonly id: string;
	readonly parentId: string | null;
	readonly #lines: HeldLines;
	/** Among the held lines. */
	readonly #number: number;

	constructor(id: string, parentId: string | null, lines: HeldLines, number: number) {
		this.id = id;
		this.parentId = parentId;
		this.#lines = lines;
		this.#number = number;
	}

	get type(): "message" {
		return "message";
	}

	get timestamp(): string {
		return this.#lines.timestamp(this.#number);
	}

	/** Not always the same object. */
	get message(): AgentMessage {
		return this.#lines.message(this.#number);
	}

	/** The facts of the message that are known without parsing it. */
	get facts(): MessageFacts {
		return this.#lines.facts(this.#number);
	}

	/** Bytes of its line. */
	get size(): number {
		return this.#lines.length(this.#number);
	}

	/** The entry as it stands in the file; undefined where the line is damaged. */
	parse(): Readonly<Record<string, unknown>> | undefined {
		return this.#lines.parse(this.#number);
	}

	/** The same message under another id, for one of several with the same id. */
	withId(id: string): HeldMessage {
		return new HeldMessage(id, this.parentId, this.#lines, this.#number);
	}

	toJSON(): object {
		const { type, id, parentId, timestamp, message } = this;
		return { type, id, parentId, timestamp, message };
	}
}

/** The facts of a held message; undefined for every other entry. */
export function heldFacts(entry: unknown): MessageFacts | undefined {
	return entry instanceof HeldMessage ? entry.facts : undefined;
}
