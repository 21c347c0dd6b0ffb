import { isObject } from "../shared/json.ts";
import { type Fields, textOf } from "../store/format/fields.ts";
import { isFileId } from "../store/format/file-ids.ts";
import { type RawEntry, timeOf } from "../store/format/raw-entry.ts";
import { recordedCalls } from "../store/format/tool-calls.ts";
import { type ToolChange, toolChange, toolPath } from "../store/format/tool-change.ts";
import type { TalliedEdit } from "./session-files.ts";

/**
 * Collects the file changes that pi's `edit` and `write` made, calls with a result that is not an error, from some lines of a session, in
 * the order of its file: answers and results are enough. A result belongs to the last call before it with its id and tool, since some
 * providers reuse ids in every answer.
 */
export class EditCollector {
	readonly #session: string;
	readonly #cwd: string;
	readonly #home: string;
	readonly #calls = new Map<string, ToolChange>();
	/** Number of edits with a relative path in a session without a directory: which file they changed is not known. */
	unplaced = 0;

	/** `session`: path of its file; `cwd`: its directory, "" for none. */
	constructor(session: string, cwd: string, home: string) {
		this.#session = session;
		this.#cwd = cwd;
		this.#home = home;
	}

	/** Adds the next entry; returns the changes that it is the result of. */
	add(entry: Fields): readonly TalliedEdit[] {
		const { message } = entry;
		if (entry.type !== "message" || !isObject(message)) return [];
		if (message.role === "assistant") this.#addCalls(message);
		if (message.role !== "toolResult") return [];
		const nths = new Map<string, number>();
		const answered = this.#answered(message);
		return [
			...(answered === undefined ? [] : this.#tallied(entry, answered, nths)),
			...[...nestedChanges(message)].flatMap((change) => this.#tallied(entry, change, nths)),
		];
	}

	#addCalls(message: RawEntry): void {
		for (const { id, name, args } of recordedCalls(message)) {
			const change = toolChange(name, args);
			const key = `${name} ${id}`;
			// If an id is used again, it means the later call.
			if (change === undefined) this.#calls.delete(key);
			else this.#calls.set(key, change);
		}
	}

	#answered({ toolCallId, toolName, isError }: RawEntry): ToolChange | undefined {
		const key = `${textOf(toolName)} ${textOf(toolCallId)}`;
		const call = this.#calls.get(key);
		this.#calls.delete(key);
		return isError === true ? undefined : call;
	}

	/** `nths`: number of edits at this entry by path. */
	#tallied(entry: Fields, change: ToolChange, nths: Map<string, number>): readonly TalliedEdit[] {
		const path = toolPath(change.path, this.#cwd, this.#home);
		if (path === undefined) {
			this.unplaced++;
			return [];
		}
		const nth = nths.get(path) ?? 0;
		nths.set(path, nth + 1);
		const entryId = isFileId(entry.id) ? String(entry.id) : "";
		const facts = { session: this.#session, entryId, timeMs: timeOf(entry.timestamp), path, tool: change.tool, nth };
		return [{ ...facts, key: `${entryId} ${textOf(entry.timestamp)} ${nth} ${path}` }];
	}
}

/** The changes that a script of the model made, of which a result reports. */
export function* nestedChanges(message: unknown): Generator<ToolChange, void> {
	for (const { name, args, nested } of recordedCalls(message)) {
		const change = nested?.status === "ok" ? toolChange(name, args) : undefined;
		if (change !== undefined) yield change;
	}
}
