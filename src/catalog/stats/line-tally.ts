import { isObject } from "../../shared/is-object.ts";
import { addChange, type LineChange, lineChange } from "../../store/format/line-change.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";

/** A call of write or edit that has no result yet, and what its arguments say that it does. */
export type PendingChange = readonly [callId: string, tool: string, added: number, removed: number];

/** A call of which the result says more, most often. */
interface Call {
	readonly tool: string;
	/** What it does, as far as its arguments say that. */
	readonly change: () => LineChange | undefined;
}

/** More calls than any session has without results; of one that was made to have more, the first are forgotten. */
const MOST_PENDING = 1000;

/** Counts the lines that successful writes and edits of a session have changed. */
export class LineTally {
	#total: LineChange | undefined;
	readonly #calls = new Map<string, Call>();

	/** Continues an earlier count. */
	constructor(total: LineChange | undefined, pending: readonly PendingChange[]) {
		this.#total = total;
		for (const [id, tool, added, removed] of pending) this.#calls.set(id, { tool, change: () => ({ added, removed }) });
	}

	/** Undefined if nothing was changed. */
	get total(): LineChange | undefined {
		return this.#total;
	}

	get pending(): readonly PendingChange[] {
		return [...this.#calls].map(([id, { tool, change }]) => {
			const { added, removed } = change() ?? { added: 0, removed: 0 };
			return [id, tool, added, removed];
		});
	}

	add(entry: RawEntry): void {
		const message = entry.type === "message" && isObject(entry.message) ? entry.message : undefined;
		if (message?.role === "toolResult") this.#addResult(message);
		else if (message?.role === "assistant" && Array.isArray(message.content)) message.content.forEach(this.#addCall);
	}

	readonly #addCall = (block: unknown): void => {
		if (!isObject(block) || block.type !== "toolCall" || typeof block.id !== "string") return;
		const { id, name: tool, arguments: args } = block;
		if (tool !== "write" && tool !== "edit") return;
		this.#calls.set(id, { tool, change: () => lineChange(tool, args, undefined) });
		if (this.#calls.size > MOST_PENDING) for (const first of this.#calls.keys().take(1)) this.#calls.delete(first);
	};

	#addResult({ toolCallId, isError, details }: RawEntry): void {
		const call = typeof toolCallId === "string" ? this.#calls.get(toolCallId) : undefined;
		if (call === undefined) return;
		this.#calls.delete(String(toolCallId));
		if (isError === true) return;
		const hasDiff =
			call.tool === "edit" && isObject(details) && typeof details.diff === "string" && details.diff !== "";
		const change = hasDiff ? lineChange("edit", undefined, details) : call.change();
		if (change !== undefined && change.added + change.removed > 0) this.#total = addChange(this.#total, change);
	}
}
