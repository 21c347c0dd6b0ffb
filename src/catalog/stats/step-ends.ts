import { isObject } from "../../shared/json.ts";
import { textOf } from "../../store/format/fields.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { messageEnd, runsSearch, type StepEnd } from "../../store/format/step-end.ts";
import { recordedCalls } from "../../store/format/tool-calls.ts";

/** Says of the entries of a session, in file order, how each step and each answer ended: its result does not say what a call was. */
export class StepEnds {
	/** The calls without a result that are searches, by id. */
	readonly #searches = new Set<string>();

	add(entry: RawEntry): StepEnd {
		const message = entry.type === "message" && isObject(entry.message) ? entry.message : undefined;
		if (message === undefined) return "ok";
		if (message.role === "assistant") this.#addCalls(message);
		const callId = message.role === "toolResult" ? textOf(message.toolCallId) : "";
		const end = messageEnd(message, () => this.#searches.has(callId));
		this.#searches.delete(callId);
		return end;
	}

	#addCalls(message: RawEntry): void {
		for (const { id, name, args } of recordedCalls(message)) {
			// Some providers reuse ids in every answer.
			this.#searches.delete(id);
			if (runsSearch(name, args)) this.#searches.add(id);
		}
	}
}
