import { assistant, name, user } from "./session-builder.ts";

/** Lines of a conversation: each turn has a prompt (`u1`, `u2`, …) and an answer (`a1`, …). */
export function turns(count: number): string[] {
	return Array.from({ length: count }, (_, index) => {
		const turn = index + 1;
		return [
			user(`u${turn}`, index === 0 ? null : `a${index}`, turn * 10, `Question ${turn}`),
			assistant(`a${turn}`, `u${turn}`, turn * 10 + 5, `Answer ${turn}`),
		];
	}).flat();
}

/** The line that a window appends which knows the conversation only up to a turn; `second` is when. */
export function staleName(afterTurn: number, second: number, text = "Named by a stale window"): string {
	return name("stale", afterTurn === 0 ? null : `a${afterTurn}`, second, text);
}
