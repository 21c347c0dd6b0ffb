import type { Steps } from "../../shared/steps.ts";
import { type MessageFacts, messageFacts } from "../format/message-facts.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import { repairEntry } from "../format/repair-entry.ts";
import type { SessionEntry } from "../format/schema.ts";
import type { AgentMessage } from "../format/schema-message.ts";
import type { Session } from "../read/read-session.ts";
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
	return problems.length === 0 && isSame(messageFacts(value.message), held.facts);
}

function isSame(parsed: MessageFacts | undefined, assumed: MessageFacts): boolean {
	return (
		parsed?.role === assumed.role &&
		parsed.says === assumed.says &&
		parsed.isError === assumed.isError &&
		parsed.cost === assumed.cost
	);
}

/** By the session's array of entries, which stays the same when the session grows. */
const heldLines = new WeakMap<readonly SessionEntry[], HeldLines>();
const unchecked = new WeakSet<readonly SessionEntry[]>();

/** Registers that messages of a session are held; `isChecked`: all are known to match what was assumed of them. */
export function noteHeld({ entries }: Session, held: HeldLines, isChecked: boolean): void {
	heldLines.set(entries, held);
	if (!isChecked) unchecked.add(entries);
}

/** Whether messages of a session are held: it is a large one. */
export function isHeld({ entries }: Session): boolean {
	return heldLines.has(entries);
}

/**
 * The held messages of a session that contain a tool call, by index, with the id of the call; found by how pi writes calls,
 * without parsing.
 */
export function* heldCalls({ entries }: Session): Generator<readonly [index: number, id: string], void> {
	yield* heldLines.get(entries)?.following('{"type":"toolCall","id":"') ?? [];
}

/** Whether a session may still turn out to differ: `checkHeldSteps` has not gone through it. */
export function isUnchecked({ entries }: Session): boolean {
	return unchecked.has(entries);
}

/** Lines parsed between two checks of the clock. */
const LINES_PER_STEP = 16;

/**
 * Parses every held message of a session once, and returns whether all match what was assumed of them. If not, the session
 * must be read again by `readSession`, which reports what is odd.
 */
export function* checkHeldSteps({ entries }: Session): Steps<boolean> {
	// Entries appended meanwhile are not held.
	const { length } = entries;
	for (let index = 0; index < length; index++) {
		if (index % LINES_PER_STEP === 0) yield;
		const entry: unknown = entries[index];
		if (entry instanceof HeldMessage && !isAsTaken(entry, entry.parse())) return false;
	}
	unchecked.delete(entries);
	return true;
}

/** Like `checkHeldSteps`, for some of the entries. */
export function areAsTaken(entries: Iterable<unknown>): boolean {
	for (const entry of entries) if (entry instanceof HeldMessage && !isAsTaken(entry, entry.parse())) return false;
	return true;
}
