import type { MessageFacts } from "../format/message-facts.ts";
import { factsOf } from "../format/message-facts.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import { repairEntry } from "../format/repair-entry.ts";
import type { AgentMessage } from "../format/schema-message.ts";
import type { HeldLines } from "./held-lines.ts";

/**
 * A message entry of a large session that only refers to a line of its file: the message is parsed on access, and forgotten
 * again. Otherwise like any `SessionMessageEntry`; it has no other fields.
 */
export class HeldMessage {
	readonly id: string;
	readonly parentId: string | null;
	readonly #lines: HeldLines;
	/** Number of its line in `HeldLines`. */
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

	/** Known without parsing the message. */
	get facts(): MessageFacts {
		return this.#lines.facts(this.#number);
	}

	/** Bytes of its line. */
	get size(): number {
		return this.#lines.length(this.#number);
	}

	/** The entry as it stands in the file; undefined if the line is damaged. */
	parse(): Readonly<Record<string, unknown>> | undefined {
		return this.#lines.parse(this.#number);
	}

	/** The same message with another id: one of several with the same id. */
	withId(id: string): HeldMessage {
		return new HeldMessage(id, this.parentId, this.#lines, this.#number);
	}

	toJSON(): object {
		const { type, id, parentId, timestamp, message } = this;
		return { type, id, parentId, timestamp, message };
	}
}

/** The facts of a held message; undefined for any other entry. */
export function heldFacts(entry: unknown): MessageFacts | undefined {
	return entry instanceof HeldMessage ? entry.facts : undefined;
}

/** Number of fields of a message entry. */
const FIELDS = 5;

/** Whether the parsed line matches what was assumed of a held message. */
export function isAsTaken(held: HeldMessage, value: RawEntry | undefined): boolean {
	if (value === undefined || Object.keys(value).length !== FIELDS || value.type !== "message") return false;
	if (value.id !== held.id || value.parentId !== held.parentId || value.timestamp !== held.timestamp) return false;
	const { problems } = repairEntry(value);
	return problems.length === 0 && isSame(factsOf(value.message), held.facts);
}

function isSame(parsed: MessageFacts | undefined, taken: MessageFacts): boolean {
	return (
		parsed?.role === taken.role &&
		parsed.says === taken.says &&
		parsed.isError === taken.isError &&
		parsed.cost === taken.cost
	);
}
