import type { SessionEntry } from "../../store/format/schema.ts";
import { entryKind } from "../entries/entry-kind.ts";

/** A prompt and what came of it; the first turn of a part of a path may have no prompt. */
export interface Turn {
	/** Index of its first entry in the path. */
	readonly from: number;
	readonly prompt: SessionEntry | undefined;
	/** What follows the prompt. */
	readonly rest: readonly SessionEntry[];
}

/** The turns of a part of a path, one after the other. */
export function* turnsOf(path: readonly SessionEntry[]): Generator<Turn, void> {
	let from = 0;
	for (let at = 1; at <= path.length; at++) {
		const entry = path[at];
		if (entry !== undefined && entryKind(entry) !== "prompt") continue;
		const first = path[from];
		const prompt = first !== undefined && entryKind(first) === "prompt" ? first : undefined;
		yield { from, prompt, rest: path.slice(prompt === undefined ? from : from + 1, at) };
		from = at;
	}
}
