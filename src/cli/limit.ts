import { plainLine } from "../app/conversation/text-chunks.ts";
import { formatCount } from "../app/text/format.ts";
import { startOf } from "../app/text/sanitize.ts";
import type { SessionEntry } from "../store/format/schema.ts";

/** How much of a session may still be printed. */
export class Limit {
	readonly #most: number;
	#left: number;
	#cutIn: SessionEntry | undefined;

	/** `most`: characters; all without it. */
	constructor(most = Number.POSITIVE_INFINITY) {
		this.#most = most;
		this.#left = most;
	}

	/** Whether something did not fit; nothing does from then on. */
	get isReached(): boolean {
		return this.#cutIn !== undefined;
	}

	/** Whether a row of an entry fits whole, with its line end. */
	fits(row: string, entry: SessionEntry): boolean {
		if (this.#cutIn === undefined && row.length < this.#left) this.#left -= row.length + 1;
		else this.#cutIn ??= entry;
		return this.#cutIn === undefined;
	}

	/** What fits of a text: all, or its first lines, or the start of the first. */
	start(text: string, entry: SessionEntry): string {
		if (this.#cutIn !== undefined || text.length <= this.#left) {
			const whole = this.#cutIn === undefined ? text : "";
			this.#left -= whole.length;
			return whole;
		}
		this.#cutIn = entry;
		const start = startOf(text, this.#left);
		return start.slice(0, start.lastIndexOf("\n") + 1) || start;
	}

	/** What is printed where it was reached: in which entry, and what shows the rest. `session`: a word that names it. */
	notice(session: string): string {
		const id = plainLine(this.#cutIn?.id ?? "");
		return `[cut after ${formatCount(this.#most)} characters, in the entry ${id}; "pi-grove show ${plainLine(session)}#${id}" begins with it]`;
	}
}
