import { isObject } from "../../shared/json.ts";
import { listOf, textOf } from "./fields.ts";
import type { RawEntry } from "./raw-entry.ts";

/** A call of a tool as a session records it. Its fields may hold anything; those of the wrong type are as if they were absent. */
export interface RecordedCall {
	/** "" for none; some providers reuse ids in every answer. */
	readonly id: string;
	/** "" for none. */
	readonly name: string;
	/** An object in every call that pi wrote, unless a nested call's were too long to be stored. */
	readonly args: unknown;
	/** How a call ended that another tool made, such as a script (`nestedCalls`, pi 0.99); undefined for a call of the model. */
	readonly nested: NestedEnd | undefined;
}

interface NestedEnd {
	/** "ok", "error", or "unfinished": it still ran when the tool that had made it ended. */
	readonly status: string;
	/** What went wrong; "" for nothing. */
	readonly error: string;
	/** Undefined if it is not recorded. */
	readonly durationMs: number | undefined;
}

/**
 * The tool calls that a message records, in its order: in an answer those of the model, in the result of a tool those that the tool made
 * to other tools.
 */
export function* recordedCalls(message: unknown): Generator<RecordedCall> {
	if (!isObject(message)) return;
	if (message.role === "assistant") {
		for (const block of listOf(message.content)) {
			if (isObject(block) && block.type === "toolCall") yield callIn(block, undefined);
		}
	} else if (message.role === "toolResult" && isObject(message.nestedCalls)) {
		for (const call of listOf(message.nestedCalls.calls)) if (isObject(call)) yield nestedCallIn(call);
	}
}

/** pi's own tools that call no others: the result of any other tool may record calls. */
const CALL_NO_OTHERS: ReadonlySet<string> = new Set([
	"bash",
	"powershell",
	"read",
	"edit",
	"write",
	"grep",
	"find",
	"ls",
]);

/** Tells which results of tools need not be read to know that they record no calls: those of an answer whose tools call no others. */
export class PlainResults {
	/** Results of the last answer that are still to come, if they are plain; else 0. */
	#awaited = 0;

	/** Takes the calls of each answer; none where another message comes before the results. */
	answer(calls: readonly RecordedCall[]): void {
		this.#awaited = calls.every(({ name }) => callsNoOthers(name)) ? calls.length : 0;
	}

	/** Whether the next result records no calls. */
	next(): boolean {
		return this.#awaited > 0 && this.#awaited-- > 0;
	}
}

export function callsNoOthers(tool: string): boolean {
	return CALL_NO_OTHERS.has(tool);
}

export function nestedCallIn(call: RawEntry): RecordedCall {
	return callIn(call, endOf(call));
}

function callIn({ id, name, arguments: args }: RawEntry, nested: NestedEnd | undefined): RecordedCall {
	return { id: textOf(id), name: textOf(name), args, nested };
}

function endOf({ status, error, durationMs }: RawEntry): NestedEnd {
	const ms = typeof durationMs === "number" && durationMs >= 0 ? durationMs : undefined;
	return { status: textOf(status), error: textOf(error), durationMs: ms };
}
