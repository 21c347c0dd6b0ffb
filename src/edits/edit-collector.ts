import { isObject } from "../shared/json.ts";
import { textOf } from "../store/format/fields.ts";
import { isFileId } from "../store/format/file-ids.ts";
import { type RawEntry, timeOf } from "../store/format/raw-entry.ts";
import { recordedCalls } from "../store/format/tool-calls.ts";
import { type ToolChange, toolChange, toolPath } from "../store/format/tool-change.ts";

/** A change to a file that pi's `edit` or `write` made: a call with a result that is not an error. */
export interface FileEdit {
	/** Id of the entry with the result; "" if it has none. */
	readonly entryId: string;
	/** When the result was written: as in the file, and as Unix ms (NaN if it is not a valid time). */
	readonly timestamp: string;
	readonly timeMs: number;
	/** Absolute path of the file, as pi resolves it; symbolic links are not followed. */
	readonly path: string;
	readonly change: ToolChange;
	/** The arguments of the call, and the details of the result, in which pi's `edit` has its `diff`. */
	readonly args: RawEntry;
	readonly details: unknown;
	/** Number of edits of the same file before it at the same entry: a script of the model may make several. */
	readonly nth: number;
	/** Byte offset of the line of the call in the session's file, if it was given. */
	readonly callAt: number | undefined;
}

type PlacedEdit = Omit<FileEdit, "nth">;

/** An entry, validated or not. */
interface EntryFields {
	readonly type?: unknown;
	readonly id?: unknown;
	readonly timestamp?: unknown;
	readonly message?: unknown;
}

interface Call {
	readonly args: RawEntry;
	readonly change: ToolChange;
	readonly at: number | undefined;
}

/**
 * Collects the file changes of a session from its entries, in file order; entries other than answers and results may be left
 * out. A result belongs to the last call before it with its id and tool, since some providers reuse ids in every answer.
 */
export class EditCollector {
	readonly #cwd: string;
	readonly #home: string;
	readonly #calls = new Map<string, Call>();
	/** Number of edits with a relative path in a session without a directory: which file they changed is not known. */
	unplaced = 0;

	/** `cwd`: the session's directory, "" for none. */
	constructor(cwd: string, home: string) {
		this.#cwd = cwd;
		this.#home = home;
	}

	/** Whether a call that changes a file has no result yet. */
	get isWaiting(): boolean {
		return this.#calls.size > 0;
	}

	/** Adds the next entry; `at`: byte offset of its line. Returns the changes that it is the result of. */
	add(entry: EntryFields, at?: number): readonly FileEdit[] {
		const { message } = entry;
		if (entry.type !== "message" || !isObject(message)) return [];
		if (message.role === "assistant") this.#addCalls(message, at);
		if (message.role !== "toolResult") return [];
		const counts = new Map<string, number>();
		return [...this.#answered(entry, message), ...this.#nested(entry, message, at)].map((edit) => {
			const nth = counts.get(edit.path) ?? 0;
			counts.set(edit.path, nth + 1);
			return { ...edit, nth };
		});
	}

	#addCalls(message: RawEntry, at: number | undefined): void {
		for (const { id, name, args } of recordedCalls(message)) {
			const change = toolChange(name, args);
			const key = `${name} ${id}`;
			// If an id is used again, it means the later call.
			if (change === undefined || !isObject(args)) this.#calls.delete(key);
			else this.#calls.set(key, { args, change, at });
		}
	}

	#answered(entry: EntryFields, { toolCallId, toolName, isError, details }: RawEntry): readonly PlacedEdit[] {
		const key = `${textOf(toolName)} ${textOf(toolCallId)}`;
		const call = this.#calls.get(key);
		if (call === undefined) return [];
		this.#calls.delete(key);
		return isError === true ? [] : this.#placed(entry, call, details);
	}

	#nested(entry: EntryFields, message: RawEntry, at: number | undefined): readonly PlacedEdit[] {
		return [...recordedCalls(message)].flatMap(({ name, args, nested }) => {
			const change = nested?.status === "ok" ? toolChange(name, args) : undefined;
			if (change === undefined || !isObject(args)) return [];
			return this.#placed(entry, { args, change, at }, undefined);
		});
	}

	/** `details`: of the result; undefined if a script of the model called the tool (`nestedCalls`). */
	#placed(entry: EntryFields, { args, change, at: callAt }: Call, details: unknown): readonly PlacedEdit[] {
		const path = toolPath(change.path, this.#cwd, this.#home);
		if (path === undefined) {
			this.unplaced++;
			return [];
		}
		const entryId = isFileId(entry.id) ? String(entry.id) : "";
		const timestamp = typeof entry.timestamp === "string" ? entry.timestamp : "";
		return [{ entryId, timestamp, timeMs: timeOf(entry.timestamp), path, change, args, callAt, details }];
	}
}
