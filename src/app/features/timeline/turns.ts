import type { Period } from "./period.ts";

/** What a message says about who is working: it begins a turn, asks for tools, ends a turn, or is a tool's result. */
export type TurnSign = "begins" | "asks-tools" | "ends" | "result";

/** The turns of a session, as far as it was read. Plain data. */
export interface Turns {
	/** When it worked, in order; not sorted if the times in its file are not. */
	readonly periods: readonly Period[];
	/** Whether the last answer asked for tools. */
	readonly hasCalls: boolean;
	/** Whether the last turn began while tools were running, and so belongs to the one before if their result follows. */
	readonly mayJoin: boolean;
	/** Whether the last answer needs nothing more. */
	readonly isOver: boolean;
}

const NO_TURNS: Turns = { periods: [], hasCalls: false, mayJoin: false, isOver: true };

/**
 * Gathers the turns from the messages of a session, in file order: from a prompt, or a notice that an extension sends, to the
 * last answer or result before the next one. The time between is that in which the session waits for the person.
 */
export class TurnGatherer {
	readonly #periods: { startMs: number; endMs: number }[];
	#hasCalls: boolean;
	#mayJoin: boolean;
	#isOver: boolean;

	/** `before`: what was gathered from the lines before. */
	constructor({ periods, hasCalls, mayJoin, isOver }: Turns = NO_TURNS) {
		this.#periods = periods.map((period) => ({ ...period }));
		this.#hasCalls = hasCalls;
		this.#mayJoin = mayJoin;
		this.#isOver = isOver;
	}

	/** `time`: when the message was written, Unix ms; a message without a time is left out. */
	add(sign: TurnSign, time: number): void {
		if (Number.isNaN(time)) return;
		if (sign === "begins") this.#begin(time, this.#hasCalls);
		else {
			if (sign === "result" && this.#mayJoin) this.#join();
			// After an answer that ended the turn, nothing says since when this one was worked on.
			if (this.#isOver) this.#begin(time, false);
			const turn = this.#periods.at(-1);
			if (turn !== undefined && time > turn.endMs) turn.endMs = time;
			this.#mayJoin = false;
		}
		if (sign !== "result") this.#hasCalls = sign === "asks-tools" || (sign === "begins" && this.#hasCalls);
		this.#isOver = sign === "ends";
	}

	#begin(time: number, mayJoin: boolean): void {
		this.#periods.push({ startMs: time, endMs: time });
		this.#mayJoin = mayJoin;
	}

	#join(): void {
		const last = this.#periods.pop();
		const before = this.#periods.at(-1);
		if (last === undefined) return;
		if (before === undefined) this.#periods.push(last);
		else before.endMs = Math.max(before.endMs, last.endMs);
	}

	get turns(): Turns {
		const periods = this.#periods.map((period) => ({ ...period }));
		return { periods, hasCalls: this.#hasCalls, mayJoin: this.#mayJoin, isOver: this.#isOver };
	}
}
