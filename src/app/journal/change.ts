import type { JournalLine, Undo } from "./journal-schema.ts";

/** A change that was made and can be undone. */
export interface Change {
	readonly id: string;
	/** ISO 8601. */
	readonly at: string;
	/** In words: "rename to Lexer". */
	readonly what: string;
	readonly undo: Undo;
}

/** The changes of a journal that can still be undone, oldest first. */
export function undoable(lines: readonly JournalLine[]): Change[] {
	const begun = new Map<string, { readonly at: string; readonly what: string }>();
	const changes = new Map<string, Change>();
	for (const line of lines) {
		if (line.step === "begin") begun.set(line.id, line);
		else if (line.step === "over") changes.delete(line.id);
		else {
			const { at, what } = begun.get(line.id) ?? { at: "", what: "" };
			changes.set(line.id, { id: line.id, at, what, undo: line.undo });
		}
	}
	return [...changes.values()];
}
