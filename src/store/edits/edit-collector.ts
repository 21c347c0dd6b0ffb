import { isObject, type RawEntry } from "../format/parse.ts";
import { timeOf } from "../format/time.ts";
import { CHANGING_TOOLS, type ToolChange, toolChange } from "./tool-change.ts";
import { toolPath } from "./tool-path.ts";

/** A change to a file that pi's `edit` or `write` made: its result is there, and is no error. */
export interface FileEdit {
	/** The entry with the result; "" where the file gives it no id. */
	readonly entryId: string;
	/** When the result was written, as the file has it, and as Unix ms; NaN where that is no time. */
	readonly timestamp: string;
	readonly timeMs: number;
	/** Absolute path of the file, as pi resolves it; symbolic links are not followed. */
	readonly path: string;
	readonly change: ToolChange;
	/** What the call was given, and what the tool says of it: pi's `edit` has its `diff` there. */
	readonly args: RawEntry;
	readonly details: unknown;
	/** A script of the model called the tool (`nestedCalls`): what it says of the change is not kept. */
	readonly isNested: boolean;
}

/** What a collector was given: entries in the order of the file, checked or as they stand there. */
interface EntryFields {
	readonly type?: unknown;
	readonly id?: unknown;
	readonly timestamp?: unknown;
	readonly message?: unknown;
}

interface Call {
	readonly tool: string;
	readonly args: RawEntry;
	readonly change: ToolChange;
}

/**
 * Collects what a session changed in files from its entries, in the order of the file: other entries than answers and
 * results may be left out. A result belongs to the last call before it with its id and its tool, since some providers count
 * their calls anew in every answer.
 */
export class EditCollector {
	readonly #cwd: string;
	readonly #home: string;
	readonly #calls = new Map<string, Call>();
	/** Edits whose path is relative, in a session without a directory: where they were made is not known. */
	unplaced = 0;

	/** `cwd`: the session's directory, "" for none. */
	constructor(cwd: string, home: string) {
		this.#cwd = cwd;
		this.#home = home;
	}

	/** Takes the next entry; returns what was changed, by that, when it is the result of it. */
	add(entry: EntryFields): readonly FileEdit[] {
		const { message } = entry;
		if (entry.type !== "message" || !isObject(message)) return [];
		if (message.role === "assistant") this.#addCalls(message.content);
		return message.role === "toolResult" ? [...this.#answered(entry, message), ...this.#nested(entry, message)] : [];
	}

	#addCalls(content: unknown): void {
		for (const block of Array.isArray(content) ? content : []) {
			if (!isObject(block) || block.type !== "toolCall" || typeof block.id !== "string") continue;
			const { id, name, arguments: args } = block;
			const change = toolChange(name, args);
			const key = `${String(name)} ${id}`;
			// An id that is used again is that of the later call.
			if (change === undefined || !isObject(args)) this.#calls.delete(key);
			else this.#calls.set(key, { tool: change.tool, args, change });
		}
	}

	#answered(entry: EntryFields, { toolCallId, toolName, isError, details }: RawEntry): readonly FileEdit[] {
		const key = `${String(toolName)} ${String(toolCallId)}`;
		const call = this.#calls.get(key);
		if (call === undefined) return [];
		this.#calls.delete(key);
		return isError === true ? [] : this.#placed(entry, call, details, false);
	}

	#nested(entry: EntryFields, { nestedCalls }: RawEntry): readonly FileEdit[] {
		const calls = isObject(nestedCalls) && Array.isArray(nestedCalls.calls) ? nestedCalls.calls : [];
		return calls.flatMap((call: unknown) => {
			if (!isObject(call) || call.status !== "ok" || !CHANGING_TOOLS.has(String(call.name))) return [];
			const change = toolChange(call.name, call.arguments);
			if (change === undefined || !isObject(call.arguments)) return [];
			return this.#placed(entry, { tool: change.tool, args: call.arguments, change }, undefined, true);
		});
	}

	#placed(entry: EntryFields, { args, change }: Call, details: unknown, isNested: boolean): readonly FileEdit[] {
		const path = toolPath(change.path, this.#cwd, this.#home);
		if (path === undefined) {
			this.unplaced++;
			return [];
		}
		const entryId = entry.id === undefined || entry.id === null ? "" : String(entry.id);
		const timestamp = typeof entry.timestamp === "string" ? entry.timestamp : "";
		return [{ entryId, timestamp, timeMs: timeOf(entry.timestamp), path, change, args, details, isNested }];
	}
}
