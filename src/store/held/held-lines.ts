import { widenColumns } from "../../shared/columns.ts";
import { isObject } from "../../shared/json.ts";
import { RecentlyUsed } from "../../shared/memo.ts";
import type { MessageFacts } from "../format/message-facts.ts";
import { parseJson } from "../format/parse.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import { repairEntry } from "../format/repair-entry.ts";
import type { SessionMessageEntry } from "../format/schema.ts";
import type { AgentMessage } from "../format/schema-message.ts";
import type { FileBytes } from "./file-bytes.ts";

const ROLES = ["user", "assistant", "toolResult"] as const;
/** Bits of the column `bits`, above the bits of the role. */
const SAYS = 4;
const IS_ERROR = 8;

/** Bytes of lines that stay parsed: more than a screen shows. */
const MAX_PARSED_BYTES = 8 * 1024 * 1024;
/** Memory that a parsed message takes at least, however short its line is. */
const LEAST_BYTES = 64 * 1024;

const QUOTE = 0x22;

const BY_LINE = ["index", "offset", "length", "timeMs", "bits", "cost"] as const;

/** Bytes searched at a time. */
const PASSAGE_BYTES = 16 * 1024 * 1024;

/** A range of bytes: of the first one, and after the last one. */
export type ByteRange = readonly [start: number, end: number];

/** The lines of held messages, by number: where they are in the file, and their facts. */
export class HeldLines {
	readonly #bytes: FileBytes;
	readonly #columns = {
		/** Index of the entry in the session. */
		index: new Int32Array(1024),
		offset: new Float64Array(1024),
		length: new Int32Array(1024),
		/** The time, Unix ms. */
		timeMs: new Float64Array(1024),
		bits: new Uint8Array(1024),
		cost: new Float64Array(1024),
	};
	readonly #parsed = new RecentlyUsed<number, AgentMessage>(MAX_PARSED_BYTES, (number) =>
		Math.max(LEAST_BYTES, this.length(number)),
	);
	#count = 0;

	constructor(bytes: FileBytes) {
		this.#bytes = bytes;
	}

	/**
	 * Adds the line `[start, end)` of the file, which is the entry with this index; returns the line's number. `timeMs`: its
	 * time, which is printed as `toISOString` prints it.
	 */
	add(index: number, [start, end]: ByteRange, timeMs: number, { role, says, isError, cost }: MessageFacts): number {
		const number = this.#count++;
		widenColumns(this.#columns, BY_LINE, this.#count);
		const columns = this.#columns;
		columns.index[number] = index;
		columns.offset[number] = start;
		columns.length[number] = end - start;
		columns.timeMs[number] = timeMs;
		columns.bits[number] = ROLES.indexOf(role) | (says ? SAYS : 0) | (isError ? IS_ERROR : 0);
		columns.cost[number] = cost;
		return number;
	}

	facts(number: number): MessageFacts {
		const bits = this.#columns.bits[number] ?? 0;
		return {
			role: ROLES[bits & 3] ?? "user",
			says: (bits & SAYS) !== 0,
			isError: (bits & IS_ERROR) !== 0,
			cost: this.#columns.cost[number] ?? 0,
		};
	}

	/** The line's length in bytes. */
	length(number: number): number {
		return this.#columns.length[number] ?? 0;
	}

	timestamp(number: number): string {
		return new Date(this.#columns.timeMs[number] ?? 0).toISOString();
	}

	/** The message, parsed unless it was used recently. A damaged message has no text. */
	message(number: number): AgentMessage {
		return this.#parsed.get(number, () => messageIn(this.parse(number)));
	}

	/** The JSON object of the line; undefined if it is not one. */
	parse(number: number): RawEntry | undefined {
		// `checkHeldSteps` finds damaged lines soon after the session was read; then the session is read again.
		const value = parseJson(this.#bytes.read(this.#start(number), this.#end(number)).toString("utf8"));
		return isObject(value) ? value : undefined;
	}

	/** The entries whose lines contain this text, by index, with what follows the text up to the next quote. */
	*following(text: string): Generator<readonly [index: number, following: string], void> {
		const needle = Buffer.from(text);
		const length = this.#end(this.#count - 1);
		for (let from = 0; from < length; from += PASSAGE_BYTES) {
			// An occurrence may begin in one passage and end in the next.
			const passage = this.#bytes.keep(from, Math.min(from + PASSAGE_BYTES + needle.length - 1, length));
			for (let at = passage.indexOf(needle); at !== -1; at = passage.indexOf(needle, at)) {
				at += needle.length;
				const number = this.#lineAt(from + at);
				if (number === undefined) continue;
				const rest = this.#bytes.read(from + at, this.#end(number));
				yield [this.#columns.index[number] ?? -1, rest.toString("utf8", 0, rest.indexOf(QUOTE))];
			}
		}
	}

	#lineAt(offset: number): number | undefined {
		let [low, high] = [0, this.#count];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.#start(middle) <= offset) low = middle + 1;
			else high = middle;
		}
		const number = low - 1;
		return number >= 0 && offset < this.#end(number) ? number : undefined;
	}

	#start(number: number): number {
		return this.#columns.offset[number] ?? 0;
	}

	#end(number: number): number {
		return this.#start(number) + this.length(number);
	}
}

function messageIn(value: RawEntry | undefined): AgentMessage {
	// A second `type` later in the line would override it.
	const { entry } = repairEntry({ ...value, type: "message" });
	// Once repaired, an entry of this type has a message.
	return (entry as SessionMessageEntry).message;
}
