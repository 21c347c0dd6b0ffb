import { type Fields, fieldsOf, listOf, textOf } from "../entries/fields.ts";

/** Of a tool's name; any text may stand there. */
const MAX_NAME = 40;

/** The calls that may be answered at some place of a context: those of the last answer, until something is said. */
export class OpenCalls {
	readonly #open = new Set<string>();
	readonly #answered = new Set<string>();

	/** How many of them have no result. */
	get unanswered(): number {
		return this.#open.size - this.#answered.size;
	}

	/** Adds the calls in the content of an answer. */
	open(content: unknown): void {
		for (const block of listOf(content)) {
			const { type, id } = fieldsOf(block);
			if (type === "toolCall") this.#open.add(textOf(id));
		}
	}

	/** Adds a result; what is wrong with it, as a sentence, if something is. */
	answer({ toolCallId, toolName }: Fields): string | undefined {
		const id = textOf(toolCallId);
		const tool = textOf(toolName).slice(0, MAX_NAME) || "a tool";
		if (!this.#open.has(id)) return `The result of ${tool} has no call before it.`;
		if (this.#answered.has(id)) return `A call of ${tool} has two results.`;
		this.#answered.add(id);
		return undefined;
	}

	/** Nothing can be answered any more. */
	close(): void {
		this.#open.clear();
		this.#answered.clear();
	}
}
