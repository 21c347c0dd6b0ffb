import type { SessionEntry } from "../../store/format/schema.ts";
import { entryKind } from "../conversation/entry-kind.ts";

/** A prompt and what came of it; the first turn of a part of a path may have no prompt. */
export interface Turn {
	readonly prompt: SessionEntry | undefined;
	/** What follows the prompt. */
	readonly rest: readonly SessionEntry[];
}

/** The turns of a part of a path, one after the other. */
export function* turnsOf(path: readonly SessionEntry[]): Generator<Turn, void> {
	let prompt: SessionEntry | undefined;
	let rest: SessionEntry[] = [];
	for (const entry of path) {
		if (entryKind(entry) !== "prompt") {
			rest.push(entry);
			continue;
		}
		if (prompt !== undefined || rest.length > 0) yield { prompt, rest };
		prompt = entry;
		rest = [];
	}
	if (prompt !== undefined || rest.length > 0) yield { prompt, rest };
}
